// SPDX-License-Identifier: Apache-2.0
// Neighbourhood collectives on random distributed graphs, on rings and on grids with ends, in all their forms: block
// `at` comes from neighbour `at`, and to null processes nothing goes.
#include "forms.h"

enum { MOST = 4, GAP = -99 };

struct Place {
  MPI_Comm comm;
  int sources, targets;        // how many
  int *source, *target;        // null processes are among those of grids
  int* back;                   // which block of the source's is for me
  int *counts[2], *places[2];  // of what is received, sent
  MPI_Aint* bytes[2];
  MPI_Datatype* types[2];
  int *in, *out;
};

// How much goes along an edge; both ends know.
static int count_of(int from, int to) { return (from * 3 + to * 5 + (int)seed) % MOST; }

static int value_of(int from, int block, int at) { return from * 10000 + block * 100 + at; }

static void prepare(struct Place* place) {
  const int degrees[2] = {place->sources, place->targets};
  for (int way = 0; way < 2; ++way) {
    const size_t edges = (size_t)degrees[way];
    place->counts[way] = allocate(sizeof(int) * edges);
    place->places[way] = allocate(sizeof(int) * edges);
    place->bytes[way] = allocate(sizeof(MPI_Aint) * edges);
    place->types[way] = allocate(sizeof(MPI_Datatype) * edges);
    for (int at = 0; at < degrees[way]; ++at) {
      const int peer = way ? place->target[at] : place->source[at];
      const int from = way ? me : peer, to = way ? peer : me;
      place->counts[way][at] = peer == MPI_PROC_NULL ? 1 : count_of(from, to);
      place->places[way][at] = (degrees[way] - 1 - at) * MOST;
      place->bytes[way][at] = place->places[way][at] * (MPI_Aint)sizeof(int);
      place->types[way][at] = MPI_INT;
    }
  }
  place->out = allocate(sizeof(int) * MOST * (size_t)place->targets);
  place->in = allocate(sizeof(int) * MOST * (size_t)place->sources);
}

static void release(struct Place* place) {
  for (int way = 0; way < 2; ++way) {
    free(place->counts[way]);
    free(place->places[way]);
    free(place->bytes[way]);
    free(place->types[way]);
  }
  free(place->out);
  free(place->in);
  free(place->source);
  free(place->target);
  free(place->back);
  MPI_Comm_free(&place->comm);
}

static void clear(struct Place* place) {
  for (int at = 0; at < place->sources * MOST; ++at) place->in[at] = GAP;
}

// Block of neighbour `at`: `count` values of its block `block`, at `where`.
static void expect_block(const struct Place* place, int at, int where, int count, int block) {
  for (int i = 0; i < count; ++i) {
    const int expected = place->source[at] == MPI_PROC_NULL ? GAP : value_of(place->source[at], block, i);
    EXPECT_EQ(place->in[where + i], expected);
  }
}

static void gather(struct Place* p, enum Form form) {
  MPI_Request request;
  int data[MOST], *counts = allocate(sizeof(int) * (size_t)p->sources);
  for (int at = 0; at < MOST; ++at) data[at] = value_of(me, 0, at);
  clear(p);
  CALL(form, &request, Neighbor_allgather, neighbor_allgather, data, MOST, MPI_INT, p->in, MOST, MPI_INT, p->comm);
  finish_call(&request);
  for (int at = 0; at < p->sources; ++at) expect_block(p, at, at * MOST, MOST, 0);
  clear(p);
  for (int at = 0; at < p->sources; ++at) counts[at] = p->source[at] == MPI_PROC_NULL ? 2 : count_of(p->source[at], 0);
  CALL(form, &request, Neighbor_allgatherv, neighbor_allgatherv, data, count_of(me, 0), MPI_INT, p->in, counts,
       p->places[0], MPI_INT, p->comm);
  finish_call(&request);
  for (int at = 0; at < p->sources; ++at) expect_block(p, at, p->places[0][at], counts[at], 0);
  free(counts);
}

static void exchange(struct Place* p, enum Form form) {
  MPI_Request request;
  clear(p);
  for (int at = 0; at < p->targets * MOST; ++at) p->out[at] = value_of(me, at / MOST, at % MOST);
  CALL(form, &request, Neighbor_alltoall, neighbor_alltoall, p->out, MOST, MPI_INT, p->in, MOST, MPI_INT, p->comm);
  finish_call(&request);
  for (int at = 0; at < p->sources; ++at) expect_block(p, at, at * MOST, MOST, p->back[at]);

  for (int at = 0; at < p->targets; ++at) {
    for (int i = 0; i < MOST; ++i) p->out[p->places[1][at] + i] = value_of(me, at, i);
  }
  clear(p);
  CALL(form, &request, Neighbor_alltoallv, neighbor_alltoallv, p->out, p->counts[1], p->places[1], MPI_INT, p->in,
       p->counts[0], p->places[0], MPI_INT, p->comm);
  finish_call(&request);
  for (int at = 0; at < p->sources; ++at) expect_block(p, at, p->places[0][at], p->counts[0][at], p->back[at]);
  clear(p);
  CALL(form, &request, Neighbor_alltoallw, neighbor_alltoallw, p->out, p->counts[1], p->bytes[1], p->types[1], p->in,
       p->counts[0], p->bytes[0], p->types[0], p->comm);
  finish_call(&request);
  for (int at = 0; at < p->sources; ++at) expect_block(p, at, p->places[0][at], p->counts[0][at], p->back[at]);
}

static void run(struct Place* place) {
  prepare(place);
  for (int form = 0; form < FORMS; ++form) {
    gather(place, (enum Form)form);
    exchange(place, (enum Form)form);
  }
  release(place);
}

// Any edges, at most one from a rank to another.
static void random_graph(void) {
  struct Dice dice = dice_of(26, 27);
  struct Place place = {.source = allocate(sizeof(int) * (size_t)ranks),
                        .target = allocate(sizeof(int) * (size_t)ranks),
                        .back = allocate(sizeof(int) * (size_t)ranks)};
  for (int from = 0; from < ranks; ++from) {
    int degree = 0;
    for (int to = 0; to < ranks; ++to) {
      if (below(&dice, 2)) continue;
      if (from == me) place.target[place.targets++] = to;
      if (to == me) {
        place.source[place.sources] = from;
        place.back[place.sources++] = degree;
      }
      ++degree;
    }
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, place.sources, place.source, MPI_UNWEIGHTED, place.targets,
                                 place.target, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &place.comm);
  run(&place);
}

// In a grid both neighbours of each dimension are sources and targets, the lower one first. No two are the same here.
static void grid(int dimensions, const int* sizes, int periodic) {
  const int periods[2] = {periodic, periodic}, neighbours = 2 * dimensions;
  struct Place place = {.sources = neighbours,
                        .targets = neighbours,
                        .source = allocate(4 * sizeof(int)),
                        .target = allocate(4 * sizeof(int)),
                        .back = allocate(4 * sizeof(int))};
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, 0, &place.comm);
  for (int direction = 0; direction < dimensions; ++direction) {
    const int at = 2 * direction;
    MPI_Cart_shift(place.comm, direction, 1, &place.source[at], &place.source[at + 1]);
    place.target[at] = place.source[at], place.target[at + 1] = place.source[at + 1];
    place.back[at] = at + 1, place.back[at + 1] = at;  // to the lower one I am the upper one
  }
  run(&place);
}

int main(int argc, char** argv) {
  begin(argc, argv, "neighbourhoods", 8);
  while (next_round()) random_graph();
  const int rows = ranks % 2 ? 1 : 2;
  grid(2, (int[]){rows, ranks / rows}, 0);
  if (ranks > 2) grid(1, &ranks, 1);
  return finish();
}
