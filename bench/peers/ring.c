// SPDX-License-Identifier: Apache-2.0
// The floor for a pair of processes of one host: half a round trip through two rings in memory that they share.
//
//   ring [--min=BYTES] [--max=BYTES] [--seconds=S]
//
// Each ring has one writer and one reader. A message is in one slot, or in several behind one another; a slot is ready
// when its number says so, with one store. Nothing else is done: no matching, no check, no sleep.
//
// Prints the lines of `cohort bench pingpong`, with ring for the first column.
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>

typedef struct end link_t;
#include "pair.h"

enum { slots = 64, line = 64, slot_bytes = 16 * line, of_data = slot_bytes - sizeof(uint64_t) };

struct slot {
  _Alignas(line) _Atomic uint64_t number;  // of the slot's data, from 1; before: not ready
  char data[of_data];
};

struct ring {
  struct slot slot[slots];
  _Alignas(line) _Atomic uint64_t taken;  // so many has the reader read
};

struct end {
  struct ring *to, *from;
  uint64_t written, read, known_taken;
};

static void put(link_t* link, const void* data, size_t count) {
  for (const char* next = data; count > 0;) {
    const size_t part = count < of_data ? count : of_data;
    while (link->written - link->known_taken == slots)
      link->known_taken = atomic_load_explicit(&link->to->taken, memory_order_acquire);
    struct slot* slot = &link->to->slot[link->written % slots];
    memcpy(slot->data, next, part);
    atomic_store_explicit(&slot->number, ++link->written, memory_order_release);
    next += part, count -= part;
  }
}

static void get(link_t* link, void* data, size_t count) {
  for (char* next = data; count > 0;) {
    const size_t part = count < of_data ? count : of_data;
    struct slot* slot = &link->from->slot[link->read % slots];
    while (atomic_load_explicit(&slot->number, memory_order_acquire) != link->read + 1) {
    }
    memcpy(next, slot->data, part);
    ++link->read;
    if (link->read % (slots / 4) == 0) atomic_store_explicit(&link->from->taken, link->read, memory_order_release);
    next += part, count -= part;
  }
}

static void put_message(link_t* link, size_t count) { put(link, out, count); }
static void get_message(link_t* link, size_t count) { get(link, in, count); }

int main(int argc, char** argv) {
  struct amounts amounts = usual_amounts;
  for (int word = 1; word < argc; ++word) read_amount(argv[word], &amounts);
  struct ring* rings = mmap(NULL, 2 * sizeof *rings, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  require(rings != MAP_FAILED, "mmap");
  out = in = memory();
  const pid_t child = fork();
  require(child >= 0, "fork");
  const int measures = child > 0;
  if (!measures) prctl(PR_SET_PDEATHSIG, SIGKILL);  // or it would look for a message for ever
  link_t link = {.to = &rings[measures], .from = &rings[!measures]};
  if (measures) {
    measure(&link, "ring", &amounts);
  } else {
    answer(&link);
  }
  return 0;
}
