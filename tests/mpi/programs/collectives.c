// SPDX-License-Identifier: Apache-2.0
// Every collective that moves data, in all its forms, of random derived types: what each rank finds in its memory, gaps
// included, is what a sequential model puts there. Several may be in flight at once. All ranks know all draws, so each
// computes its own result: block (from, to) of a call holds the same bytes wherever it is.
#include "forms.h"
#include "types.h"

enum {
  BCAST,
  GATHER,
  GATHERV,
  SCATTER,
  SCATTERV,
  ALLGATHER,
  ALLGATHERV,
  ALLTOALL,
  ALLTOALLV,
  ALLTOALLW,
  BARRIER,
  KINDS
};
enum { IN_FLIGHT = 4, MOST_ENTRIES_HERE = 512 };

// One call in flight at this rank.
struct Flight {
  enum Form form;
  int kind, root;
  struct Dice dice;  // the same at all ranks
  struct Type type;  // of all data, at some ranks as its basic types without gaps
  struct Type flat;
  struct Memory in, in_before, out, expected;
  int* counts[2];  // of what is sent and of what is received, for each rank
  int* places[2];
  MPI_Datatype* types[2];
  const struct Type *sent, *received;
  MPI_Request request;
};

static int count_of(const struct Flight* flight, int from, int to) {
  struct Dice dice = flight->dice;
  dice.state += (uint64_t)(from * 1000 + to);
  const uint64_t drawn = draw(&dice);
  return drawn % 4 == 0 ? 0 : (int)(drawn % 5);
}

static void fill_block(const struct Flight* flight, int from, int to, uint8_t* packed, size_t bytes) {
  struct Dice dice = flight->dice;
  dice.state += (uint64_t)(from * 100000 + to * 77 + 5);
  draw_bytes(&dice, packed, bytes);
}

// Which of both types a rank uses for what it sends and for what it receives.
static bool is_flat(const struct Flight* flight, int rank, int way) {
  struct Dice dice = flight->dice;
  dice.state += (uint64_t)(rank * 2 + way + 999);
  return below(&dice, 2);
}

// Puts block (from, to) into memory of a type, behind `place` extents.
static void put_block(const struct Flight* flight, const struct Type* type, struct Memory* memory, MPI_Aint place,
                      int from, int to, int count) {
  const size_t bytes = size_of(type) * (size_t)count;
  uint8_t* packed = allocate(bytes);
  fill_block(flight, from, to, packed, bytes);
  unpack(type, count, packed, memory->base + place * extent_of(type), -1);
  free(packed);
}

// What a rank sends to the others: one block for all, or one each.
struct Shape {
  bool each_sends, each_receives;  // else the root alone
  bool own_block;                  // for each receiver, else the same one
  bool varying;                    // counts and places per rank
};

static struct Shape shape_of(int kind) {
  static const struct Shape shapes[KINDS] = {
      {false, true, false, false},   // bcast
      {true, false, false, false},   // gather
      {true, false, false, true},    // gatherv
      {false, true, true, false},    // scatter
      {false, true, true, true},     // scatterv
      {true, true, false, false},    // allgather
      {true, true, false, true},     // allgatherv
      {true, true, true, false},     // alltoall
      {true, true, true, true},      // alltoallv
      {true, true, true, true},      // alltoallw
      {false, false, false, false},  // barrier
  };
  return shapes[kind];
}

static int blocks_count(const struct Flight* flight, int from, int to) {
  const struct Shape shape = shape_of(flight->kind);
  if (!shape.varying) return count_of(flight, 0, 0) + 1;
  return count_of(flight, from, shape.own_block ? to : 0);
}

// Places with gaps, in an order of their own.
static int lay_out(struct Dice* dice, int* counts, int* places, bool varying) {
  int next = 0;
  for (int at = 0; at < ranks; ++at) {
    const int rank = varying ? ranks - 1 - at : at;
    places[rank] = next;
    next += counts[rank] + (varying ? below(dice, 3) : 0);
  }
  return next;
}

static void prepare(struct Flight* flight, struct Dice* dice) {
  *flight =
      (struct Flight){.form = (enum Form)below(dice, FORMS), .kind = below(dice, KINDS), .root = below(dice, ranks)};
  do {
    if (flight->type.entry) free_type(&flight->type);
    flight->type = random_type(dice, 2);
  } while (flight->type.entries > MOST_ENTRIES_HERE || overlaps(&flight->type, 3));
  flight->flat = flat_type(&flight->type);
  flight->dice = (struct Dice){draw(dice)};
  const struct Shape shape = shape_of(flight->kind);
  flight->sent = is_flat(flight, me, 0) ? &flight->flat : &flight->type;
  flight->received = is_flat(flight, me, flight->kind == BCAST ? 0 : 1) ? &flight->flat : &flight->type;
  int total[2];
  for (int way = 0; way < 2; ++way) {
    flight->counts[way] = allocate(sizeof(int) * (size_t)ranks);
    flight->places[way] = allocate(sizeof(int) * (size_t)ranks);
    flight->types[way] = allocate(sizeof(MPI_Datatype) * (size_t)ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      flight->counts[way][rank] = way == 0 ? blocks_count(flight, me, rank) : blocks_count(flight, rank, me);
      flight->types[way][rank] = (way == 0 ? flight->sent : flight->received)->handle;
    }
    struct Dice own = {flight->dice.state + (uint64_t)(me * 3 + way)};
    total[way] = lay_out(&own, flight->counts[way], flight->places[way], shape.varying);
  }
  struct Dice own = {flight->dice.state + (uint64_t)(me * 3 + 2)};
  flight->in = memory_for(flight->sent, total[0], &own);
  flight->out = memory_for(flight->received, total[1], &own);
}

static void model(struct Flight* flight) {
  const struct Shape shape = shape_of(flight->kind);
  flight->expected = copy_of(&flight->out);
  for (int rank = 0; rank < ranks && flight->kind != BARRIER; ++rank) {
    const int column = shape.own_block ? rank : 0, mine = shape.own_block ? me : 0;
    if (shape.each_sends || me == flight->root) {
      const int place = shape.own_block ? flight->places[0][column] : 0;
      put_block(flight, flight->sent, &flight->in, place, me, column, flight->counts[0][column]);
    }
    const bool from_it = shape.each_sends || rank == flight->root;
    if (from_it && (shape.each_receives || me == flight->root)) {
      const int place = shape.each_sends ? flight->places[1][rank] : 0;
      put_block(flight, flight->received, &flight->expected, place, rank, mine, blocks_count(flight, rank, me));
    }
  }
  flight->in_before = copy_of(&flight->in);
}

static void scale(const struct Flight* flight) {  // alltoallw has its places in bytes
  for (int rank = 0; rank < ranks; ++rank) {
    flight->places[0][rank] *= (int)extent_of(flight->sent);
    flight->places[1][rank] *= (int)extent_of(flight->received);
  }
}

static void start(struct Flight* f, MPI_Comm comm) {
  const void* in = f->in.base;
  void* out = f->out.base;
  const MPI_Datatype sent = f->sent->handle, received = f->received->handle;
  const int one = blocks_count(f, me, 0), mine = blocks_count(f, f->root, me), root = f->root;
  int *counts = f->counts[0], *places = f->places[0], *in_counts = f->counts[1], *in_places = f->places[1];
  switch (f->kind) {
    case BCAST:
      if (me == root) memcpy(f->out.memory, f->expected.memory, f->out.bytes);
      CALL(f->form, &f->request, Bcast, bcast, out, one, received, root, comm);
      break;
    case GATHER:
      CALL(f->form, &f->request, Gather, gather, in, one, sent, out, one, received, root, comm);
      break;
    case GATHERV:
      CALL(f->form, &f->request, Gatherv, gatherv, in, one, sent, out, in_counts, in_places, received, root, comm);
      break;
    case SCATTER:
      CALL(f->form, &f->request, Scatter, scatter, in, one, sent, out, one, received, root, comm);
      break;
    case SCATTERV:
      CALL(f->form, &f->request, Scatterv, scatterv, in, counts, places, sent, out, mine, received, root, comm);
      break;
    case ALLGATHER:
      CALL(f->form, &f->request, Allgather, allgather, in, one, sent, out, one, received, comm);
      break;
    case ALLGATHERV:
      CALL(f->form, &f->request, Allgatherv, allgatherv, in, one, sent, out, in_counts, in_places, received, comm);
      break;
    case ALLTOALL:
      CALL(f->form, &f->request, Alltoall, alltoall, in, one, sent, out, one, received, comm);
      break;
    case ALLTOALLV:
      CALL(f->form, &f->request, Alltoallv, alltoallv, in, counts, places, sent, out, in_counts, in_places, received,
           comm);
      break;
    case ALLTOALLW:
      scale(f);
      CALL(f->form, &f->request, Alltoallw, alltoallw, in, counts, places, f->types[0], out, in_counts, in_places,
           f->types[1], comm);
      break;
    default:
      CALL(f->form, &f->request, Barrier, barrier, comm);
  }
}

static void check(struct Flight* flight) {
  static const char* const names[] = {"bcast",      "gather",   "gatherv",   "scatter",   "scatterv", "allgather",
                                      "allgatherv", "alltoall", "alltoallv", "alltoallw", "barrier"};
  char text[100];
  snprintf(text, sizeof text, "%s in form %d from root %d", names[flight->kind], flight->form, flight->root);
  expect_bytes(__FILE__, __LINE__, text, flight->out.memory, flight->expected.memory, flight->expected.bytes);
  EXPECT_MEMORY(flight->in, flight->in_before);
}

static void release(struct Flight* flight) {
  free_memory(&flight->in);
  free_memory(&flight->in_before);
  free_memory(&flight->out);
  free_memory(&flight->expected);
  for (int way = 0; way < 2; ++way) {
    free(flight->counts[way]);
    free(flight->places[way]);
    free(flight->types[way]);
  }
  free_type(&flight->flat);
  free_type(&flight->type);
}

int main(int argc, char** argv) {
  begin(argc, argv, "collectives", 60);
  prepare_types();
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  while (next_round()) {
    struct Dice dice = dice_of(5, 6);
    struct Flight flights[IN_FLIGHT];
    for (int at = 0; at < IN_FLIGHT; ++at) {
      prepare(&flights[at], &dice);
      model(&flights[at]);
      start(&flights[at], comm);
    }
    const int first = below(&dice, IN_FLIGHT);
    for (int at = 0; at < IN_FLIGHT; ++at) finish_call(&flights[(first + at) % IN_FLIGHT].request);
    for (int at = 0; at < IN_FLIGHT; ++at) {
      check(&flights[at]);
      release(&flights[at]);
    }
  }
  MPI_Comm_free(&comm);
  return finish();
}
