// SPDX-License-Identifier: Apache-2.0
// Measures an MPI library in the same way, and under the same names, as bench/ measures Cohort.
//
//   mpiexec -n P mpi NAME --min=BYTES --max=BYTES --seconds=S --repetitions=N --warm-up=N --calls=N --pause=S [--span | --together] OPERATION ...
//
// Prints the lines of `cohort bench`, with NAME for the first column and nothing chosen: "-" for the last.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  most_repetitions = 1000,
  small_bytes = 1024,
  calls_of_small = 20,
  messages_in_stream = 64,
};

static const MPI_Comm all = MPI_COMM_WORLD;
static MPI_Op ordered_sum;
static int rank, ranks, last, half;
static float *in, *out;
static int count, block;  // elements of the vector, and of one rank's share

static void add(void* left, void* right, int* length, MPI_Datatype* type) {
  (void)type;
  const float* a = left;
  float* b = right;
  for (int i = 0; i < *length; ++i) b[i] += a[i];
}

static void sync_all(void) { MPI_Barrier(all); }
static void bcast(void) { MPI_Bcast(in, count, MPI_FLOAT, 0, all); }
static void reduce(void) { MPI_Reduce(in, out, count, MPI_FLOAT, MPI_SUM, 0, all); }
static void combine(void) { MPI_Allreduce(in, out, count, MPI_FLOAT, MPI_SUM, all); }
static void scatter(void) { MPI_Scatter(in, block, MPI_FLOAT, out, block, MPI_FLOAT, 0, all); }
static void gather(void) { MPI_Gather(in, block, MPI_FLOAT, out, block, MPI_FLOAT, 0, all); }
static void concat(void) { MPI_Allgather(in, block, MPI_FLOAT, out, block, MPI_FLOAT, all); }
static void exchange_all(void) { MPI_Alltoall(in, block, MPI_FLOAT, out, block, MPI_FLOAT, all); }
static void reduce_scatter(void) { MPI_Reduce_scatter_block(in, out, block, MPI_FLOAT, MPI_SUM, all); }
static void prefix(void) { MPI_Scan(in, out, count, MPI_FLOAT, MPI_SUM, all); }
static void exclusive_prefix(void) { MPI_Exscan(in, out, count, MPI_FLOAT, MPI_SUM, all); }
static void reduce_ordered(void) { MPI_Reduce(in, out, count, MPI_FLOAT, ordered_sum, 0, all); }
static void combine_ordered(void) { MPI_Allreduce(in, out, count, MPI_FLOAT, ordered_sum, all); }
static void reduce_scatter_ordered(void) { MPI_Reduce_scatter_block(in, out, block, MPI_FLOAT, ordered_sum, all); }

static void shift(void) {
  MPI_Sendrecv(in, count, MPI_FLOAT, (rank + 1) % ranks, 0, out, count, MPI_FLOAT, (rank + ranks - 1) % ranks, 0, all,
               MPI_STATUS_IGNORE);
}

static void pingpong(void) {
  if (rank == 0) {
    MPI_Send(in, count, MPI_FLOAT, last, 0, all);
    MPI_Recv(out, count, MPI_FLOAT, last, 0, all, MPI_STATUS_IGNORE);
  } else if (rank == last) {
    MPI_Recv(out, count, MPI_FLOAT, 0, 0, all, MPI_STATUS_IGNORE);
    MPI_Send(in, count, MPI_FLOAT, 0, 0, all);
  }
}

static void send_stream(int to) {
  MPI_Request requests[messages_in_stream];
  for (int i = 0; i < messages_in_stream; ++i) MPI_Isend(in, count, MPI_FLOAT, to, 0, all, &requests[i]);
  MPI_Waitall(messages_in_stream, requests, MPI_STATUSES_IGNORE);
  MPI_Recv(NULL, 0, MPI_FLOAT, to, 1, all, MPI_STATUS_IGNORE);
}

static void receive_stream(int from) {
  MPI_Request requests[messages_in_stream];
  for (int i = 0; i < messages_in_stream; ++i) MPI_Irecv(out, count, MPI_FLOAT, from, 0, all, &requests[i]);
  MPI_Waitall(messages_in_stream, requests, MPI_STATUSES_IGNORE);
  MPI_Send(NULL, 0, MPI_FLOAT, from, 1, all);
}

static void bandwidth(void) {
  if (rank == 0) send_stream(last);
  if (rank == last) receive_stream(0);
}

static void bidirectional(void) {
  if (rank != 0 && rank != last) return;
  MPI_Request requests[2 * messages_in_stream];
  for (int i = 0; i < messages_in_stream; ++i) {
    MPI_Irecv(out, count, MPI_FLOAT, last - rank, 0, all, &requests[i]);
  }
  for (int i = 0; i < messages_in_stream; ++i) {
    MPI_Isend(in, count, MPI_FLOAT, last - rank, 0, all, &requests[messages_in_stream + i]);
  }
  MPI_Waitall(2 * messages_in_stream, requests, MPI_STATUSES_IGNORE);
}

static void message_rate(void) {
  if (rank < half) {
    send_stream(rank + half);
  } else if (rank < 2 * half) {
    receive_stream(rank - half);
  }
}

struct operation {
  const char* name;
  void (*call)(void);
  int divided;      // the vector is a block for each rank
  double messages;  // the time of a call is divided by this
};

static const struct operation operations[] = {
    {"sync", sync_all, 0, 1},
    {"bcast", bcast, 0, 1},
    {"reduce", reduce, 0, 1},
    {"combine", combine, 0, 1},
    {"scatter", scatter, 1, 1},
    {"gather", gather, 1, 1},
    {"concat", concat, 1, 1},
    {"index", exchange_all, 1, 1},
    {"reduce_scatter", reduce_scatter, 1, 1},
    {"prefix", prefix, 0, 1},
    {"exclusive_prefix", exclusive_prefix, 0, 1},
    {"shift", shift, 0, 1},
    {"reduce_ordered", reduce_ordered, 0, 1},
    {"combine_ordered", combine_ordered, 0, 1},
    {"reduce_scatter_ordered", reduce_scatter_ordered, 1, 1},
    {"pingpong", pingpong, 0, 2},
    {"bandwidth", bandwidth, 0, messages_in_stream},
    {"bidirectional", bidirectional, 0, messages_in_stream},
    {"message_rate", message_rate, 0, messages_in_stream},
};

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

struct patience {
  double seconds;
  int least_repetitions;
  int warm_up;   // calls before the first repetition
  int calls;     // of one repetition; 0: 20 of small vectors, else one
  double pause;  // seconds before each repetition
  int span;      // the time from the first rank's start to the last one's end
  int together;  // all start at an instant that they agree on
};

static double now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);  // MPI_Wtime() begins at each rank's start
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static void sleep_for(double seconds) {
  const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  if (seconds > 0) nanosleep(&time, NULL);
}

static double start_together(void) {
  int answer = 0, answers;
  MPI_Reduce(&answer, &answers, 1, MPI_INT, MPI_SUM, 0, all);
  double instant_us = now_us() + 50;
  // Twice: bench/measure.cpp says why.
  for (int time = 0; time < 2; ++time) MPI_Bcast(&instant_us, 1, MPI_DOUBLE, 0, all);
  while (now_us() < instant_us) {
  }
  return instant_us;
}

static void measure(const char* name, const struct operation* operation, size_t bytes,
                    const struct patience* patience) {
  static double times_us[most_repetitions];
  block = (int)(bytes / sizeof *in) / ranks;
  count = (int)(bytes / sizeof *in);
  if (operation->divided && block == 0) return;

  const int calls = patience->calls > 0 ? patience->calls : bytes <= small_bytes ? calls_of_small : 1;
  for (int i = 0; i < patience->warm_up; ++i) operation->call();
  int repetitions = 0;
  const double begin = MPI_Wtime();
  for (int again = 1; again;) {
    sleep_for(patience->pause);
    MPI_Barrier(all);
    const double start_us = patience->together ? start_together() : now_us();
    for (int i = 0; i < calls; ++i) operation->call();
    const double end_us = now_us();
    const double mine[] = {end_us - start_us, end_us, -start_us};
    double most[3];
    MPI_Allreduce(mine, most, 3, MPI_DOUBLE, MPI_MAX, all);
    times_us[repetitions++] = (patience->span ? most[1] + most[2] : most[0]) / (calls * operation->messages);
    const int enough = repetitions >= patience->least_repetitions && MPI_Wtime() - begin >= patience->seconds;
    again = repetitions < most_repetitions && !enough;
    MPI_Bcast(&again, 1, MPI_INT, 0, all);
  }
  if (rank != 0) return;
  qsort(times_us, (size_t)repetitions, sizeof *times_us, ascending);
  printf("%s\t%s\t%d\t%zu\t%d\t%.2f\t%.2f\t-\n", name, operation->name, ranks, bytes, repetitions, times_us[0],
         times_us[repetitions / 2]);
  fflush(stdout);
}

static const struct operation* find(const char* name) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    if (strcmp(operations[i].name, name) == 0) return &operations[i];
  }
  if (rank == 0) fprintf(stderr, "mpi: there is no operation '%s'\n", name);
  MPI_Finalize();
  exit(2);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &ranks);
  MPI_Op_create(add, 0, &ordered_sum);
  last = ranks - 1;
  half = ranks / 2;

  size_t least = 8, most = 1 << 20;
  struct patience patience = {.seconds = 1, .least_repetitions = 5, .warm_up = 2};
  int word = 2;
  for (; word < argc && strncmp(argv[word], "--", 2) == 0; ++word) {
    sscanf(argv[word], "--min=%zu", &least);
    sscanf(argv[word], "--max=%zu", &most);
    sscanf(argv[word], "--seconds=%lf", &patience.seconds);
    sscanf(argv[word], "--repetitions=%d", &patience.least_repetitions);
    sscanf(argv[word], "--warm-up=%d", &patience.warm_up);
    sscanf(argv[word], "--calls=%d", &patience.calls);
    sscanf(argv[word], "--pause=%lf", &patience.pause);
    if (strcmp(argv[word], "--span") == 0) patience.span = 1;
    if (strcmp(argv[word], "--together") == 0) patience.span = patience.together = 1;
  }
  in = malloc(most);
  out = malloc(most);
  if (in == NULL || out == NULL) MPI_Abort(all, 1);
  for (size_t i = 0; i < most / sizeof *in; ++i) in[i] = 1, out[i] = 0;  // the pages are there before the clock runs

  for (; word < argc; ++word) {
    const struct operation* operation = find(argv[word]);
    if (operation->call == sync_all) {
      measure(argv[1], operation, 0, &patience);
      continue;
    }
    for (size_t bytes = least; bytes <= most; bytes *= 4) {
      measure(argv[1], operation, bytes, &patience);
    }
  }
  MPI_Finalize();
  return 0;
}
