// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include <stdarg.h>

int me, ranks;
uint64_t seed;

static const char* program;
static uint64_t last_seed;

void begin_with_threads(int argc, char** argv, const char* name, int rounds, int level) {
  int provided = -1;
  MPI_Init_thread(&argc, &argv, level, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  program = name;
  const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  seed = first - 1;
  last_seed = seed + (argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)rounds);
  if (provided < level) FAIL("level of threads: %d provided, %d required", provided, level);
}

void begin(int argc, char** argv, const char* name, int rounds) {
  begin_with_threads(argc, argv, name, rounds, MPI_THREAD_SINGLE);
}

bool next_round(void) { return seed++ < last_seed; }

int finish(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0) printf("ok %s\n", program);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}

void fail(const char* file, int line, const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  printf("%s:%d: %s, rank %d of %d, seed %llu: %s\n", file, line, program, me, ranks, (unsigned long long)seed, text);
  fflush(stdout);
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized) MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

void expect_equal(const char* file, int line, const char* what, long long found, long long expected) {
  if (found != expected) fail(file, line, "%s: found %lld, expected %lld", what, found, expected);
}

void expect_bytes(const char* file, int line, const char* what, const void* found, const void* expected, size_t bytes) {
  const uint8_t* a = found;
  const uint8_t* b = expected;
  for (size_t at = 0; at < bytes; ++at) {
    if (a[at] != b[at]) {
      fail(file, line, "%s, byte %zu of %zu: found 0x%02x, expected 0x%02x", what, at, bytes, a[at], b[at]);
    }
  }
}

int class_of(int code) {
  int class = -1;
  MPI_Error_class(code, &class);
  return class;
}

// SplitMix64.
uint64_t draw(struct Dice* dice) {
  uint64_t mixed = dice->state += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return mixed ^ mixed >> 31;
}

struct Dice dice_of(uint64_t first, uint64_t second) {
  struct Dice dice = {seed};
  dice.state = draw(&dice) + first;
  dice.state = draw(&dice) + second;
  return dice;
}

int below(struct Dice* dice, int limit) { return (int)(draw(dice) % (uint64_t)limit); }

int between(struct Dice* dice, int lowest, int highest) { return lowest + below(dice, highest - lowest + 1); }

void draw_bytes(struct Dice* dice, void* memory, size_t bytes) {
  uint8_t* out = memory;
  for (size_t at = 0; at < bytes; at += 8) {
    const uint64_t value = draw(dice);
    memcpy(out + at, &value, bytes - at < 8 ? bytes - at : 8);
  }
}

void shuffle(struct Dice* dice, int* numbers, int count) {
  for (int at = 0; at < count; ++at) {
    const int from = below(dice, at + 1);
    numbers[at] = numbers[from];
    numbers[from] = at;
  }
}

void* allocate(size_t bytes) {
  void* memory = calloc(bytes ? bytes : 1, 1);
  if (!memory) FAIL("no memory for %zu bytes", bytes);
  return memory;
}
