// SPDX-License-Identifier: Apache-2.0
// Many senders and wildcards for the source: which message comes next is open, but no message overtakes another from
// the same sender, and each comes once. A message carries its sender and its number. Two communicators do not mix.
#include "waits.h"

enum { MOST = 10, KINDS = 4, FORMS = 5, WORDS = 4000, TAGS = 3 };

static MPI_Comm comms[2];

// What rank `from` sends to rank `to` on a communicator: all ranks know.
struct Stream {
  int messages, tags[MOST], words[MOST];
};

static struct Stream stream_of(int comm, int from, int to) {
  struct Dice dice = dice_of((uint64_t)(comm * 1000 + from), (uint64_t)to);
  struct Stream stream = {below(&dice, MOST + 1), {0}, {0}};
  for (int at = 0; at < stream.messages; ++at) {
    stream.tags[at] = below(&dice, TAGS);
    stream.words[at] = between(&dice, 3, below(&dice, 5) ? 40 : WORDS);
  }
  return stream;
}

static void send_all(MPI_Request* requests, int* count, int** data) {
  for (int at = 0; at < MOST; ++at) {
    for (int to = 0; to < ranks; ++to) {
      for (int comm = 0; comm < 2; ++comm) {
        const struct Stream stream = stream_of(comm, me, to);
        if (at >= stream.messages) continue;
        int* words = allocate(sizeof(int) * (size_t)stream.words[at]);
        for (int word = 0; word < stream.words[at]; ++word) words[word] = me + at * word;
        words[0] = me, words[1] = at, words[2] = comm;
        data[*count] = words;
        (at % 2 ? MPI_Isend : MPI_Issend)(words, stream.words[at], MPI_INT, to, stream.tags[at], comms[comm],
                                          &requests[(*count)++]);
      }
    }
  }
}

// The next message of one kind of pattern, in one of the forms. Returns its words.
static int receive(int form, int comm, int source, int tag, int* words, MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  int done = 0, count = -1, probed = -1;
  switch (form) {
    case 0:
      MPI_Recv(words, WORDS, MPI_INT, source, tag, comms[comm], status);
      break;
    case 1:
      MPI_Irecv(words, WORDS, MPI_INT, source, tag, comms[comm], &request);
      while (!done) MPI_Test(&request, &done, status);
      break;
    case 2:
      MPI_Probe(source, tag, comms[comm], status);
      MPI_Get_count(status, MPI_INT, &probed);
      MPI_Recv(words, probed, MPI_INT, status->MPI_SOURCE, status->MPI_TAG, comms[comm], status);
      break;
    case 3:
      MPI_Mprobe(source, tag, comms[comm], &message, status);
      MPI_Get_count(status, MPI_INT, &probed);
      MPI_Mrecv(words, probed, MPI_INT, &message, status);
      break;
    default:
      while (!done) MPI_Improbe(source, tag, comms[comm], &done, &message, MPI_STATUS_IGNORE);
      MPI_Imrecv(words, WORDS, MPI_INT, &message, &request);
      MPI_Wait(&request, status);
  }
  MPI_Get_count(status, MPI_INT, &count);
  if (probed >= 0) EXPECT_EQ(count, probed);
  return count;
}

// The first message of this sender that has not come yet, of this tag if one was asked for, must be this one.
static void expect_next(int comm, const struct Stream* stream, bool* came, int tag, int count, const int* words,
                        const MPI_Status* status) {
  int next = 0;
  while (next < stream->messages && (came[next] || (tag != MPI_ANY_TAG && stream->tags[next] != tag))) ++next;
  if (next == stream->messages) FAIL("a message too many from rank %d", status->MPI_SOURCE);
  if (words[0] != status->MPI_SOURCE || words[1] != next || words[2] != comm || count != stream->words[next] ||
      status->MPI_TAG != stream->tags[next]) {
    FAIL(
        "found message %d of rank %d on communicator %d, %d words, tag %d; expected message %d of rank %d, %d words, "
        "tag %d",
        words[1], words[0], words[2], count, status->MPI_TAG, next, status->MPI_SOURCE, stream->words[next],
        stream->tags[next]);
  }
  for (int word = 3; word < count; ++word) EXPECT_EQ(words[word], status->MPI_SOURCE + next * word);
  came[next] = true;
}

// Receives all that comes on a communicator by patterns of one kind, so that no pattern takes another's message.
static void receive_all(int comm, struct Dice* dice) {
  struct Stream* streams = allocate(sizeof(struct Stream) * (size_t)ranks);
  bool* came = allocate(sizeof(bool) * MOST * (size_t)ranks);
  int* left = allocate(sizeof(int) * (size_t)ranks * TAGS);  // by source and tag
  int* words = allocate(sizeof(int) * WORDS);
  int total = 0;
  for (int from = 0; from < ranks; ++from) {
    streams[from] = stream_of(comm, from, me);
    total += streams[from].messages;
    for (int at = 0; at < streams[from].messages; ++at) ++left[from * TAGS + streams[from].tags[at]];
  }
  const int kind = below(dice, KINDS);
  for (; total > 0; --total) {
    int pick = below(dice, ranks * TAGS);
    while (left[pick] == 0) pick = (pick + 1) % (ranks * TAGS);
    const int source = kind & 1 ? MPI_ANY_SOURCE : pick / TAGS;
    const int tag = kind & 2 ? MPI_ANY_TAG : pick % TAGS;
    MPI_Status status;
    const int count = receive(below(dice, FORMS), comm, source, tag, words, &status);
    const int from = status.MPI_SOURCE;
    EXPECT(from >= 0 && from < ranks && (source == MPI_ANY_SOURCE || source == from));
    expect_next(comm, &streams[from], came + from * MOST, tag, count, words, &status);
    --left[from * TAGS + status.MPI_TAG];
  }
  free(words);
  free(left);
  free(came);
  free(streams);
}

int main(int argc, char** argv) {
  begin(argc, argv, "matching_any", 15);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  const size_t most = (size_t)(2 * MOST * ranks);
  MPI_Request* requests = allocate(sizeof(MPI_Request) * most);
  int** data = allocate(sizeof(int*) * most);
  while (next_round()) {
    struct Dice dice = dice_of(77, (uint64_t)me);
    int count = 0;
    send_all(requests, &count, data);
    const int first = below(&dice, 2);
    receive_all(first, &dice);
    receive_all(1 - first, &dice);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    while (count > 0) free(data[--count]);
    MPI_Barrier(comms[0]);
  }
  free(data);
  free(requests);
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
  return finish();
}
