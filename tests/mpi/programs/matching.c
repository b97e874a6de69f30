// SPDX-License-Identifier: Apache-2.0
// Which message a receive gets. With one sender that is determined, whatever the wildcards and the timing: each
// receive, in the order in which they are posted, gets the first message that it matches and that no receive before it
// got. Each rank sends to the rank `shift` further on, so to itself, too; both know the plan. Receives that the model
// gives no message are cancelled, messages that it gives to no receive are received at the end.
#include "waits.h"

enum { MOST = 12, LARGEST = 200000, BARE_RECEIVES = 2, RECEIVE_FORMS = 7 };

struct Message {
  int tag, bytes;
  int mode;  // standard, synchronous, buffered, ready
  int how;   // blocking, non-blocking, persistent
  int receive;
};

struct Receive {
  bool any_source, any_tag;
  int tag, form, room, message;
};

struct Plan {
  int from, to, messages, receives;
  struct Message message[MOST];
  struct Receive receive[MOST];
};

static bool posted_first;  // all receives, before any message is sent

static int draw_bytes_of_message(struct Dice* dice) {
  switch (below(dice, 8)) {
    case 0:
      return 0;
    case 1:
      return between(dice, 20000, LARGEST);
    case 2:
    case 3:
      return between(dice, 65, 9000);
    default:
      return between(dice, 1, 64);
  }
}

static void match(struct Plan* plan) {
  for (int m = 0; m < plan->messages; ++m) plan->message[m].receive = -1;
  for (int r = 0; r < plan->receives; ++r) {
    struct Receive* receive = &plan->receive[r];
    receive->message = -1;
    for (int m = 0; m < plan->messages && receive->message < 0; ++m) {
      struct Message* message = &plan->message[m];
      if (message->receive >= 0 || !(receive->any_tag || receive->tag == message->tag)) continue;
      receive->message = m;
      message->receive = r;
    }
  }
}

static struct Plan plan_of(int from, int to) {
  struct Dice dice = dice_of((uint64_t)from + 1, (uint64_t)to + 1);
  struct Plan plan = {from, to, below(&dice, MOST + 1), below(&dice, MOST + 1), {{0}}, {{0}}};
  for (int at = 0; at < plan.messages; ++at) {
    const int bytes = draw_bytes_of_message(&dice);
    plan.message[at] = (struct Message){below(&dice, 4), bytes, below(&dice, 4), below(&dice, 3), -1};
  }
  for (int at = 0; at < plan.receives; ++at) {
    struct Receive* receive = &plan.receive[at];
    receive->any_source = below(&dice, 2);
    receive->any_tag = below(&dice, 3) == 0;
    receive->tag = below(&dice, 4);
    receive->form = below(&dice, posted_first ? BARE_RECEIVES : RECEIVE_FORMS);
  }
  match(&plan);
  for (int at = 0; at < plan.receives; ++at) {
    struct Receive* receive = &plan.receive[at];
    // Only what is not blocking can be without a message.
    if (receive->message < 0) receive->form = below(&dice, BARE_RECEIVES);
    receive->room = receive->message < 0 ? 8 : plan.message[receive->message].bytes + below(&dice, 2) * 100;
  }
  return plan;
}

static uint8_t* contents_of(const struct Plan* plan, int message) {
  struct Dice dice = dice_of((uint64_t)plan->from + 1000, (uint64_t)message);
  const size_t bytes = (size_t)plan->message[message].bytes;
  uint8_t* data = allocate(bytes);
  draw_bytes(&dice, data, bytes);
  return data;
}

static void send(const struct Plan* plan, int at, const void* data, MPI_Request* request) {
  const struct Message* message = &plan->message[at];
  const bool awaited = posted_first && message->receive >= 0;
  const int mode = message->mode == 3 && !awaited ? 0 : message->mode;
  const int how = message->how == 0 && !awaited && mode != 2 ? 1 : message->how;
  static int (*const blocking[])(const void*, int, MPI_Datatype, int, int, MPI_Comm) = {MPI_Send, MPI_Ssend, MPI_Bsend,
                                                                                        MPI_Rsend};
  static int (*const started[])(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = {
      MPI_Isend, MPI_Issend, MPI_Ibsend, MPI_Irsend};
  static int (*const kept[])(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = {
      MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init};
  if (how == 0) {
    blocking[mode](data, message->bytes, MPI_BYTE, plan->to, message->tag, MPI_COMM_WORLD);
  } else {
    (how == 1 ? started : kept)[mode](data, message->bytes, MPI_BYTE, plan->to, message->tag, MPI_COMM_WORLD, request);
    if (how == 2) MPI_Start(request);
  }
}

static void expect_status(const struct Plan* plan, int at, const MPI_Status* status) {
  const struct Message* message = &plan->message[at];
  int bytes = -1;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  if (status->MPI_SOURCE != plan->from || status->MPI_TAG != message->tag || bytes != message->bytes) {
    FAIL("message %d: found %d bytes from %d with tag %d, expected %d from %d with tag %d", at, bytes,
         status->MPI_SOURCE, status->MPI_TAG, message->bytes, plan->from, message->tag);
  }
}

static void expect_message(const struct Plan* plan, int at, const MPI_Status* status, const void* data) {
  expect_status(plan, at, status);
  uint8_t* expected = contents_of(plan, at);
  EXPECT_BYTES(data, expected, (size_t)plan->message[at].bytes);
  free(expected);
}

// A receive that is complete before it returns has its message compared at once; otherwise there is a request.
static void receive(const struct Plan* plan, int at, void* data, MPI_Request* request) {
  const struct Receive* receive = &plan->receive[at];
  const int source = receive->any_source ? MPI_ANY_SOURCE : plan->from;
  const int tag = receive->any_tag ? MPI_ANY_TAG : receive->tag;
  MPI_Status status;
  MPI_Message message = MPI_MESSAGE_NULL;
  int there = 0;
  switch (receive->form) {
    case 0:
      MPI_Irecv(data, receive->room, MPI_BYTE, source, tag, MPI_COMM_WORLD, request);
      return;
    case 1:
      MPI_Recv_init(data, receive->room, MPI_BYTE, source, tag, MPI_COMM_WORLD, request);
      MPI_Start(request);
      return;
    case 2:
      MPI_Recv(data, receive->room, MPI_BYTE, source, tag, MPI_COMM_WORLD, &status);
      break;
    case 3:
    case 4:
      if (receive->form == 3) MPI_Probe(source, tag, MPI_COMM_WORLD, &status);
      while (receive->form == 4 && !there) MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, &status);
      MPI_Recv(data, receive->room, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
      break;
    case 5:
      MPI_Mprobe(source, tag, MPI_COMM_WORLD, &message, &status);
      expect_status(plan, receive->message, &status);
      MPI_Mrecv(data, receive->room, MPI_BYTE, &message, &status);
      EXPECT(message == MPI_MESSAGE_NULL);
      break;
    default:
      while (!there) MPI_Improbe(source, tag, MPI_COMM_WORLD, &there, &message, MPI_STATUS_IGNORE);
      MPI_Imrecv(data, receive->room, MPI_BYTE, &message, request);
      EXPECT(message == MPI_MESSAGE_NULL);
      return;
  }
  expect_message(plan, receive->message, &status, data);
}

static void cancel(MPI_Request* request) {
  MPI_Status status;
  int cancelled = 0;
  MPI_Cancel(request);
  MPI_Wait(request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  EXPECT_EQ(cancelled, 1);
}

static void free_kept(MPI_Request* request) {
  if (*request != MPI_REQUEST_NULL) MPI_Request_free(request);
  EXPECT(*request == MPI_REQUEST_NULL);
}

struct Incoming {
  uint8_t* data[MOST];
  MPI_Request requests[MOST];
};

static void post_all(const struct Plan* plan, struct Incoming* incoming) {
  for (int at = 0; at < plan->receives; ++at) {
    incoming->data[at] = allocate((size_t)plan->receive[at].room);
    incoming->requests[at] = MPI_REQUEST_NULL;
    receive(plan, at, incoming->data[at], &incoming->requests[at]);
  }
}

// Completes what the model gives a message, in any of the ways to do so, and takes back the others.
static void complete_receives(const struct Plan* plan, struct Incoming* incoming, int form) {
  MPI_Request requests[MOST];
  MPI_Status statuses[MOST];
  int places[MOST], count = 0;
  for (int at = 0; at < plan->receives; ++at) {
    if (incoming->requests[at] == MPI_REQUEST_NULL || plan->receive[at].message < 0) continue;
    requests[count] = incoming->requests[at];
    places[count++] = at;
  }
  complete(form, count, requests, statuses);
  for (int at = 0; at < count; ++at) {
    expect_message(plan, plan->receive[places[at]].message, &statuses[at], incoming->data[places[at]]);
    free_kept(&requests[at]);
  }
  for (int at = 0; at < plan->receives; ++at) {
    if (plan->receive[at].message < 0) {
      cancel(&incoming->requests[at]);
      free_kept(&incoming->requests[at]);
    }
    free(incoming->data[at]);
  }
}

static void receive_the_rest(const struct Plan* plan) {
  for (int at = 0; at < plan->messages; ++at) {
    if (plan->message[at].receive >= 0) continue;
    uint8_t* data = allocate(LARGEST);
    MPI_Status status;
    MPI_Recv(data, LARGEST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    expect_message(plan, at, &status, data);
    free(data);
  }
  int there = -1;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  EXPECT_EQ(there, 0);
}

static void run_round(void) {
  struct Dice dice = dice_of(0, 0);
  const int shift = below(&dice, ranks);
  posted_first = below(&dice, 2);
  const struct Plan out = plan_of(me, (me + shift) % ranks);
  const struct Plan in = plan_of((me - shift + ranks) % ranks, me);

  struct Incoming incoming;
  if (posted_first) {
    post_all(&in, &incoming);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  uint8_t* data[MOST];
  MPI_Request requests[MOST];
  MPI_Status statuses[MOST];
  for (int at = 0; at < out.messages; ++at) {
    requests[at] = MPI_REQUEST_NULL;
    data[at] = contents_of(&out, at);
    send(&out, at, data[at], &requests[at]);
  }
  if (!posted_first) post_all(&in, &incoming);
  complete_receives(&in, &incoming, below(&dice, WAIT_FORMS));
  receive_the_rest(&in);
  MPI_Waitall(out.messages, requests, statuses);
  for (int at = 0; at < out.messages; ++at) {
    free_kept(&requests[at]);
    free(data[at]);
  }
  MPI_Barrier(MPI_COMM_WORLD);  // a wildcard is for this round's sender only
}

int main(int argc, char** argv) {
  begin(argc, argv, "matching", 60);
  int bytes = 2 * MOST * (LARGEST + MPI_BSEND_OVERHEAD);
  void* buffer = allocate((size_t)bytes);
  MPI_Buffer_attach(buffer, bytes);
  while (next_round()) run_round();
  void* detached = NULL;
  int found = 0;
  MPI_Buffer_detach(&detached, &found);
  EXPECT(detached == buffer);
  EXPECT_EQ(found, bytes);
  free(buffer);
  return finish();
}
