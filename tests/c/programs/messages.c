// SPDX-License-Identifier: Apache-2.0
// Messages, in each of the three ways; probes; elements of the program.
#include <string.h>

#include "check.h"

static int32_t out[4], in[4];
static cohort_request* other;  // the other end of what is tested

static void fill(void) {
  for (int i = 0; i < 4; ++i) {
    out[i] = 10 * me + i;
    in[i] = -1;
  }
}

static void end_other(void) {
  COHORT_MUST(cohort_request_wait(other));
  met = cohort_request_arrival(other);
  cohort_request_free(other);
}

static void check_received(int64_t count, int32_t source, uint32_t tag) {
  CHECK(met.count == count && met.source == source && met.tag == tag);
  for (int i = 0; i < count; ++i) CHECK(in[i] == 10 * source + i);
  CHECK(count == 4 || in[count] == -1);
}

static int32_t right(void) { return (me + 1) % ranks; }
static int32_t left(void) { return (me + ranks - 1) % ranks; }

static void start_receive(uint32_t tag) {
  fill();
  COHORT_MUST(cohort_start_receive(all, in, 4, COHORT_INT32, left(), tag, &other));
}

static void start_send(uint32_t tag) {
  fill();
  COHORT_MUST(cohort_start_send(all, out, 3, COHORT_INT32, right(), tag, &other));
}

static void end_send(void) {
  COHORT_MUST(cohort_request_wait(other));
  CHECK(cohort_request_arrival(other).count == 0 && cohort_request_arrival(other).source == -1);
  cohort_request_free(other);
}

// A message around the ring; to oneself, if there is one rank.
static void ring(void) {
  IN_EACH_WAY(start_receive(7), (end_other(), check_received(3, left(), 7)), send, all, out, 3, COHORT_INT32, right(),
              7);
  RECEIVE_IN_EACH_WAY(start_send(8), (end_send(), check_received(3, left(), 8)), receive, all, in, 4, COHORT_INT32,
                      left(), 8);
  RECEIVE_IN_EACH_WAY(start_send(9), (end_send(), check_received(3, left(), 9)), receive_any, all, in, 4, COHORT_INT32,
                      9);
  RECEIVE_IN_EACH_WAY(fill(), check_received(3, left(), 1), exchange, all, out, 3, right(), in, 4, left(), COHORT_INT32,
                      1);
  fill();
  COHORT_MUST(cohort_send(all, out, 1, COHORT_INT32, me, 2));
  COHORT_MUST(cohort_receive(all, in, 4, COHORT_INT32, me, 2, NULL));
  CHECK(in[0] == 10 * me);
}

static void check_neighbour(void) {
  if (me > 0)
    check_received(3, me - 1, 1);
  else
    CHECK(in[0] == -1 && met.count == 0 && met.source == -1);
}

// The ends of the line have a neighbour on one side only.
static void line(void) {
  const int32_t to = me + 1 < ranks ? me + 1 : COHORT_NOBODY, from = me > 0 ? me - 1 : COHORT_NOBODY;
  RECEIVE_IN_EACH_WAY(fill(), check_neighbour(), exchange, all, out, 3, to, in, 4, from, COHORT_INT32, 1);
}

// The receiver learns the size from a probe.
static void probes(void) {
  int32_t found = 1;
  COHORT_MUST(cohort_try_probe(all, COHORT_INT32, left(), 4, &met, &found));
  CHECK(found == 0);
  COHORT_MUST(cohort_try_probe_any(all, COHORT_INT32, 4, &met, NULL));
  COHORT_MUST(cohort_sync(all));

  fill();
  COHORT_MUST(cohort_send(all, out, 3, COHORT_INT32, right(), 4));
  COHORT_MUST(cohort_probe(all, COHORT_INT32, left(), 4, &met));
  CHECK(met.count == 3 && met.source == left() && met.tag == 4);
  COHORT_MUST(cohort_probe_any(all, COHORT_BYTE, 4, &met));
  CHECK(met.count == 12 && met.source == left() && met.tag == 4);
  COHORT_MUST(cohort_try_probe(all, COHORT_INT32, left(), 4, &met, &found));
  CHECK(found == 1 && met.count == 3);
  COHORT_MUST(cohort_try_probe_any(all, COHORT_INT32, 4, &met, &found));
  CHECK(found == 1 && met.count == 3);
  COHORT_MUST(cohort_receive(all, in, 3, COHORT_INT32, left(), 4, NULL));
  CHECK(in[2] == 10 * left() + 2);
}

static void elements_of_the_program(void) {
  struct {
    char name[19];
  } sent, received[2];
  const cohort_type names = cohort_type_of_size((int64_t)sizeof sent);
  CHECK(cohort_type_of_size(0) == 0 && cohort_type_of_size(-1) == 0 && cohort_type_of_size(INT64_MAX) == 0);
  snprintf(sent.name, sizeof sent.name, "rank %d", (int)me);
  COHORT_MUST(cohort_exchange(all, &sent, 1, right(), received, 2, left(), names, 3, &met));
  char expected[sizeof sent.name];
  snprintf(expected, sizeof expected, "rank %d", (int)left());
  CHECK(met.count == 1 && strcmp(received[0].name, expected) == 0);
}

int main(void) {
  join_job();
  ring();
  line();
  probes();
  elements_of_the_program();
  leave_job("messages");
}
