// SPDX-License-Identifier: Apache-2.0
// What the floors for a pair of processes share: one measures half a round trip, the other one answers.
//
// Who includes this says first what joins the two, as link_t, and then defines put(), get(), put_message() and
// get_message().
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { least_repetitions = 5, most_repetitions = 1000, small_bytes = 1024, calls_of_small = 20 };

struct repetition {
  uint64_t bytes, calls;  // no calls: the end
};

struct amounts {
  size_t least, most;  // bytes
  double seconds;      // for each size
  int warm_up;         // messages there and back before the first repetition
  int calls;           // in one repetition; 0: 20 of small messages, else one
  double pause;        // seconds before each repetition
};

static const struct amounts usual_amounts = {.least = 8, .most = 1 << 20, .seconds = 1, .warm_up = 2};

static char *out, *in;  // the buffers of sends and receives

static void put(link_t* link, const void* data, size_t count);
static void get(link_t* link, void* data, size_t count);
static void put_message(link_t* link, size_t count);  // of `out`
static void get_message(link_t* link, size_t count);  // into `in`

static void require(int condition, const char* what) {
  if (condition) return;
  perror(what);
  exit(1);
}

static void read_amount(const char* word, struct amounts* amounts) {
  sscanf(word, "--min=%zu", &amounts->least);
  sscanf(word, "--max=%zu", &amounts->most);
  sscanf(word, "--seconds=%lf", &amounts->seconds);
  sscanf(word, "--warm-up=%d", &amounts->warm_up);
  sscanf(word, "--calls=%d", &amounts->calls);
  sscanf(word, "--pause=%lf", &amounts->pause);
}

// Begins in the middle of a page. The kernel's own buffers mostly begin at a page's beginning, and a copy to a place a
// few bytes further in its page than its source is slow on some processors (docs/decisions/tcp_large_messages.md).
// Memory of malloc() begins 16 bytes behind a page's beginning: with it this would be no floor.
static char* memory(void) {
  enum { page = 4096 };
  char* pages = aligned_alloc(page, ((size_t)1 << 30) + page);  // only the used part becomes memory
  require(pages != NULL, "aligned_alloc");
  return pages + page / 2;
}

// Memory that was never written is all one page of zeros.
static void write_before_sending(size_t count) {
  static size_t written;
  if (count > written) memset(out, 1, written = count);
}

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void answer(link_t* link) {
  for (;;) {
    struct repetition repetition;
    get(link, &repetition, sizeof repetition);
    if (repetition.calls == 0) return;
    write_before_sending(repetition.bytes);
    for (uint64_t i = 0; i < repetition.calls; ++i) {
      get_message(link, repetition.bytes);
      put_message(link, repetition.bytes);
    }
  }
}

static double repeat_us(link_t* link, size_t bytes, int calls) {
  const struct repetition repetition = {bytes, (uint64_t)calls};
  write_before_sending(bytes);
  put(link, &repetition, sizeof repetition);
  const double start = now_us();
  for (int i = 0; i < calls; ++i) {
    put_message(link, bytes);
    get_message(link, bytes);
  }
  return (now_us() - start) / (2 * calls);
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Prints the lines of `cohort bench pingpong`, with `name` for the first column.
static void measure(link_t* link, const char* name, const struct amounts* amounts) {
  static double times_us[most_repetitions];
  for (size_t bytes = amounts->least; bytes <= amounts->most; bytes *= 4) {
    const int calls = amounts->calls > 0 ? amounts->calls : bytes <= small_bytes ? calls_of_small : 1;
    if (amounts->warm_up > 0) repeat_us(link, bytes, amounts->warm_up);
    int count = 0;
    const double begin = now_us();
    while (count < most_repetitions && (count < least_repetitions || now_us() - begin < amounts->seconds * 1e6)) {
      if (amounts->pause > 0) usleep((useconds_t)(1e6 * amounts->pause));
      times_us[count++] = repeat_us(link, bytes, calls);
    }
    qsort(times_us, (size_t)count, sizeof *times_us, ascending);
    printf("%s\tpingpong\t2\t%zu\t%d\t%.2f\t%.2f\t-\n", name, bytes, count, times_us[0], times_us[count / 2]);
    fflush(stdout);
  }
  const struct repetition over = {0, 0};
  put(link, &over, sizeof over);
}
