// SPDX-License-Identifier: Apache-2.0
// MPI_THREAD_MULTIPLE: threads that exchange messages at the same time, each on its tag, on its communicator, or with
// wildcards on its communicator; collectives of several communicators at once; and a buffer that all threads fill.
#include <pthread.h>

#include "check.h"

enum { THREADS = 4, MESSAGES = 60, MOST = 3000, ROUNDS = 20, HELD = 4, LARGE = 100000 };

struct Task {
  pthread_t thread;
  int number;
  MPI_Comm comm;  // its own
};

static int value_of(int from, int thread, int message) { return from * 100000 + thread * 1000 + message; }

static int size_of(int thread, int message) { return message % 7 == 0 ? MOST : 1 + (thread + message) % 50; }

static void expect_values(const int* data, int count, int expected) {
  for (int at = 0; at < count; ++at) EXPECT_EQ(data[at], expected);
}

static void fill(int* data, int count, int value) {
  for (int at = 0; at < count; ++at) data[at] = value;
}

// A ring of messages. On the shared communicator threads are told apart by their tags, on their own by nothing.
static void ring(const struct Task* task, MPI_Comm comm, bool shared) {
  const int to = (me + 1) % ranks, from = (me - 1 + ranks) % ranks;
  int* out = allocate(sizeof(int) * MOST);
  int* in = allocate(sizeof(int) * MOST);
  for (int message = 0; message < MESSAGES; ++message) {
    const int count = size_of(task->number, message), tag = shared ? task->number : message;
    MPI_Request request;
    MPI_Status status;
    fill(out, count, value_of(me, task->number, message));
    if (message % 2) {
      MPI_Irecv(in, MOST, MPI_INT, shared ? from : MPI_ANY_SOURCE, shared ? tag : MPI_ANY_TAG, comm, &request);
      MPI_Send(out, count, MPI_INT, to, tag, comm);
      MPI_Wait(&request, &status);
    } else {
      MPI_Isend(out, count, MPI_INT, to, tag, comm, &request);
      MPI_Recv(in, MOST, MPI_INT, shared ? from : MPI_ANY_SOURCE, shared ? tag : MPI_ANY_TAG, comm, &status);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    int found = -1;
    MPI_Get_count(&status, MPI_INT, &found);
    EXPECT_EQ(found, count);
    EXPECT_EQ(status.MPI_TAG, tag);
    expect_values(in, count, value_of(from, task->number, message));
  }
  free(in);
  free(out);
}

static void collectives(const struct Task* task) {
  for (int turn = 0; turn < 20; ++turn) {
    const int mine = me * (task->number + 1) + turn;
    int sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, task->comm);
    EXPECT_EQ(sum, (task->number + 1) * ranks * (ranks - 1) / 2 + turn * ranks);
    MPI_Barrier(task->comm);
  }
}

// Each message is taken by the thread that has found it, whichever that is.
static void matched_probes(const struct Task* task) {
  const int to = (me + 1) % ranks;
  int data = value_of(me, task->number, 0), found[2] = {-1, -1};
  MPI_Request request;
  MPI_Isend(&data, 1, MPI_INT, to, 1000, MPI_COMM_WORLD, &request);
  MPI_Message message;
  MPI_Status status;
  MPI_Mprobe(MPI_ANY_SOURCE, 1000, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv(found, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  EXPECT_EQ(found[0] / 100000, (me - 1 + ranks) % ranks);
  EXPECT_EQ(found[1], -1);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// From the first to the last of each pair. The attached buffer has room for one round's messages of all threads. The
// next round starts when they have arrived: then all threads want the room at once that the messages still take.
static pthread_barrier_t together;
static MPI_Comm pair;

static void buffered_sends(const struct Task* task) {
  int mine = -1, both = -1;
  MPI_Comm_rank(pair, &mine);
  MPI_Comm_size(pair, &both);
  const int last = both - 1, first_of_world = me - mine, tag = task->number;
  int* data = allocate(sizeof(int) * LARGE);
  for (int round = 0; round < ROUNDS; ++round) {
    fill(data, LARGE, value_of(me, task->number, round));
    pthread_barrier_wait(&together);
    for (int held = 0; mine == 0 && held < HELD; ++held) {
      EXPECT_EQ(MPI_Bsend(data, LARGE, MPI_INT, last, tag, pair), MPI_SUCCESS);
    }
    for (int held = 0; mine == last && held < HELD; ++held) {
      data[LARGE - 1] = -1;
      MPI_Recv(data, LARGE, MPI_INT, 0, tag, pair, MPI_STATUS_IGNORE);
      EXPECT_EQ(data[LARGE - 1], value_of(first_of_world, task->number, round));
    }
    if (pthread_barrier_wait(&together) == PTHREAD_BARRIER_SERIAL_THREAD) MPI_Barrier(pair);
  }
  free(data);
}

static void* run(void* argument) {
  const struct Task* task = argument;
  int main_thread = -1;
  MPI_Is_thread_main(&main_thread);
  EXPECT_EQ(main_thread, 0);
  ring(task, MPI_COMM_WORLD, true);
  ring(task, task->comm, false);
  collectives(task);
  matched_probes(task);
  buffered_sends(task);
  return NULL;
}

int main(int argc, char** argv) {
  begin_with_threads(argc, argv, "threads", 1, MPI_THREAD_MULTIPLE);
  int level = -1, main_thread = -1;
  MPI_Query_thread(&level);
  EXPECT_EQ(level, MPI_THREAD_MULTIPLE);
  MPI_Is_thread_main(&main_thread);
  EXPECT_EQ(main_thread, 1);
  struct Task tasks[THREADS];
  for (int at = 0; at < THREADS; ++at) {
    tasks[at].number = at;
    MPI_Comm_dup(MPI_COMM_WORLD, &tasks[at].comm);
  }
  const int room = THREADS * HELD * ((int)sizeof(int) * LARGE + MPI_BSEND_OVERHEAD);
  void* buffer = allocate(room);
  MPI_Buffer_attach(buffer, room);
  MPI_Comm_split(MPI_COMM_WORLD, me / 2, me, &pair);
  pthread_barrier_init(&together, NULL, THREADS);
  for (int at = 0; at < THREADS; ++at) pthread_create(&tasks[at].thread, NULL, run, &tasks[at]);
  for (int at = 0; at < THREADS; ++at) pthread_join(tasks[at].thread, NULL);
  for (int at = 0; at < THREADS; ++at) MPI_Comm_free(&tasks[at].comm);
  int detached = 0;
  MPI_Buffer_detach(&buffer, &detached);
  free(buffer);
  MPI_Comm_free(&pair);
  return finish();
}
