// SPDX-License-Identifier: Apache-2.0
// Grids, graphs and distributed graphs: coordinates, neighbours, parts, against their arithmetic.
#include "check.h"

static void dims(void) {
  struct Dice dice = dice_of(20, 21);
  int sizes[3] = {0, 0, 0};
  MPI_Dims_create(ranks, 3, sizes);
  EXPECT_EQ(sizes[0] * sizes[1] * sizes[2], ranks);
  EXPECT(sizes[0] >= sizes[1] && sizes[1] >= sizes[2]);
  int fixed[2] = {0, 1 + below(&dice, 3)};
  const int kept = fixed[1];
  MPI_Dims_create(kept * 5, 2, fixed);
  EXPECT_EQ(fixed[0], 5);
  EXPECT_EQ(fixed[1], kept);
}

static void grid(void) {
  struct Dice dice = dice_of(22, 23);
  const int rows = between(&dice, 1, ranks), columns = ranks / rows;
  const int sizes[2] = {rows, columns}, periods[2] = {below(&dice, 2), below(&dice, 2)};
  MPI_Comm comm;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &comm);
  EXPECT_EQ(comm == MPI_COMM_NULL, me >= rows * columns);
  if (comm == MPI_COMM_NULL) return;
  int kind = -1, dimensions = -1, found[2], wraps[2], here[2], rank = -1;
  MPI_Topo_test(comm, &kind);
  EXPECT_EQ(kind, MPI_CART);
  MPI_Cartdim_get(comm, &dimensions);
  EXPECT_EQ(dimensions, 2);
  MPI_Cart_get(comm, 2, found, wraps, here);
  EXPECT_BYTES(found, sizes, sizeof sizes);
  for (int at = 0; at < 2; ++at) EXPECT_EQ(wraps[at] != 0, periods[at]);
  EXPECT_EQ(here[0], me / columns);
  EXPECT_EQ(here[1], me % columns);
  for (int other = 0; other < rows * columns; ++other) {
    int place[2];
    MPI_Cart_coords(comm, other, 2, place);
    EXPECT_EQ(place[0] * columns + place[1], other);
    for (int at = 0; at < 2; ++at) {
      if (periods[at]) place[at] += sizes[at] * between(&dice, -1, 1);
    }
    MPI_Cart_rank(comm, place, &rank);
    EXPECT_EQ(rank, other);
  }
  for (int direction = 0; direction < 2; ++direction) {
    for (int step = -2; step <= 2; ++step) {
      int from = -5, to = -5, expected[2];
      MPI_Cart_shift(comm, direction, step, &from, &to);
      for (int sign = 0; sign < 2; ++sign) {
        int place[2] = {here[0], here[1]};
        place[direction] += sign ? step : -step;
        const bool outside = place[direction] < 0 || place[direction] >= sizes[direction];
        place[direction] = (place[direction] + 2 * sizes[direction]) % sizes[direction];
        expected[sign] = outside && !periods[direction] ? MPI_PROC_NULL : place[0] * columns + place[1];
      }
      EXPECT_EQ(from, expected[0]);
      EXPECT_EQ(to, expected[1]);
    }
  }
  // Rows: the second dimension remains.
  MPI_Comm row;
  int sum = -1;
  MPI_Cart_sub(comm, (int[]){0, 1}, &row);
  MPI_Comm_rank(row, &rank);
  EXPECT_EQ(rank, here[1]);
  MPI_Cart_get(row, 1, found, wraps, here);
  EXPECT_EQ(found[0], columns);
  EXPECT_EQ(wraps[0] != 0, periods[1]);
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, row);
  EXPECT_EQ(sum, columns * (me / columns * columns) + columns * (columns - 1) / 2);
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  MPI_Topo_test(copy, &kind);
  EXPECT_EQ(kind, MPI_CART);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&row);
  MPI_Comm_free(&comm);
}

// A star: rank 0 with all others.
static void graph(void) {
  MPI_Comm comm;
  int* ends = allocate(sizeof(int) * (size_t)ranks);
  int* edges = allocate(sizeof(int) * (size_t)(2 * ranks));
  int* found_ends = allocate(sizeof(int) * (size_t)ranks);
  int* found_edges = allocate(sizeof(int) * (size_t)(2 * ranks));
  for (int rank = 0; rank < ranks; ++rank) ends[rank] = ranks - 1 + rank;
  for (int edge = 0; edge < ranks - 1; ++edge) edges[edge] = edge + 1;
  int kind = -1, nodes = -1, count = -1;
  MPI_Graph_create(MPI_COMM_WORLD, ranks, ends, edges, 0, &comm);
  MPI_Topo_test(comm, &kind);
  EXPECT_EQ(kind, MPI_GRAPH);
  MPI_Graphdims_get(comm, &nodes, &count);
  EXPECT_EQ(nodes, ranks);
  EXPECT_EQ(count, 2 * (ranks - 1));
  MPI_Graph_get(comm, nodes, count, found_ends, found_edges);
  EXPECT_BYTES(found_ends, ends, sizeof(int) * (size_t)ranks);
  EXPECT_BYTES(found_edges, edges, sizeof(int) * (size_t)count);
  MPI_Graph_neighbors_count(comm, 0, &count);
  EXPECT_EQ(count, ranks - 1);
  MPI_Graph_neighbors(comm, 0, ranks, found_edges);
  for (int at = 0; at < count; ++at) EXPECT_EQ(found_edges[at], at + 1);
  if (ranks > 1) {
    MPI_Graph_neighbors_count(comm, ranks - 1, &count);
    EXPECT_EQ(count, 1);
  }
  MPI_Comm_free(&comm);
  free(found_edges);
  free(found_ends);
  free(edges);
  free(ends);
}

static void expect_set(int count, const int* found, const int* weights, const int* expected) {
  bool* seen = allocate(sizeof(bool) * (size_t)ranks);
  for (int at = 0; at < count; ++at) {
    EXPECT(expected[found[at]] >= 0 && !seen[found[at]]);
    EXPECT_EQ(weights[at], expected[found[at]]);
    seen[found[at]] = true;
  }
  for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(seen[rank], expected[rank] >= 0);
  free(seen);
}

// Each edge is given by any rank. What comes out is the same graph.
static void distributed_graph(void) {
  struct Dice dice = dice_of(24, 25);
  int* in = allocate(sizeof(int) * (size_t)ranks);  // weights of the edges to me; -1: there is none
  int* out = allocate(sizeof(int) * (size_t)ranks);
  int* sources = allocate(sizeof(int) * (size_t)(ranks * ranks));
  int* degrees = allocate(sizeof(int) * (size_t)(ranks * ranks));
  int* targets = allocate(sizeof(int) * (size_t)(ranks * ranks));
  int* weights = allocate(sizeof(int) * (size_t)(ranks * ranks));
  int count = 0;
  for (int from = 0; from < ranks; ++from) {
    for (int to = 0; to < ranks; ++to) {
      const int weight = below(&dice, 2) ? below(&dice, 9) : -1, giver = below(&dice, ranks);
      if (from == me) out[to] = weight;
      if (to == me) in[from] = weight;
      if (weight < 0 || giver != me) continue;
      sources[count] = from, degrees[count] = 1, targets[count] = to, weights[count++] = weight;
    }
  }
  MPI_Comm comm;
  MPI_Dist_graph_create(MPI_COMM_WORLD, count, sources, degrees, targets, weights, MPI_INFO_NULL, 0, &comm);
  int kind = -1, indegree = -1, outdegree = -1, weighted = -1;
  MPI_Topo_test(comm, &kind);
  EXPECT_EQ(kind, MPI_DIST_GRAPH);
  MPI_Dist_graph_neighbors_count(comm, &indegree, &outdegree, &weighted);
  EXPECT_EQ(weighted != 0, 1);
  int* out_weights = degrees;
  MPI_Dist_graph_neighbors(comm, ranks, sources, weights, ranks, targets, out_weights);
  expect_set(indegree, sources, weights, in);
  expect_set(outdegree, targets, out_weights, out);

  // The same again, each rank its own edges; the order is kept.
  MPI_Comm adjacent;
  int* found = allocate(sizeof(int) * (size_t)(4 * ranks));
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, indegree, sources, weights, outdegree, targets, out_weights,
                                 MPI_INFO_NULL, 0, &adjacent);
  MPI_Dist_graph_neighbors(adjacent, ranks, found, found + ranks, ranks, found + 2 * ranks, found + 3 * ranks);
  EXPECT_BYTES(found, sources, sizeof(int) * (size_t)indegree);
  EXPECT_BYTES(found + ranks, weights, sizeof(int) * (size_t)indegree);
  EXPECT_BYTES(found + 2 * ranks, targets, sizeof(int) * (size_t)outdegree);
  EXPECT_BYTES(found + 3 * ranks, out_weights, sizeof(int) * (size_t)outdegree);
  MPI_Comm_free(&adjacent);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, indegree, sources, MPI_UNWEIGHTED, outdegree, targets, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &adjacent);
  MPI_Dist_graph_neighbors_count(adjacent, &indegree, &outdegree, &weighted);
  EXPECT_EQ(weighted, 0);
  MPI_Comm_free(&adjacent);
  MPI_Comm_free(&comm);
  free(found);
  free(weights);
  free(targets);
  free(degrees);
  free(sources);
  free(out);
  free(in);
}

static void errors(void) {
  int kind = -1, data[2];
  MPI_Comm comm;
  MPI_Topo_test(MPI_COMM_WORLD, &kind);
  EXPECT_EQ(kind, MPI_UNDEFINED);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  EXPECT_CLASS(MPI_Cart_coords(MPI_COMM_WORLD, 0, 2, data), MPI_ERR_TOPOLOGY);
  EXPECT(MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){ranks + 1}, (int[]){0}, 0, &comm) != MPI_SUCCESS);
  EXPECT_CLASS(MPI_Dims_create(7, 2, (int[]){2, 0}), MPI_ERR_DIMS);
}

int main(int argc, char** argv) {
  begin(argc, argv, "topologies", 20);
  while (next_round()) {
    dims();
    grid();
    distributed_graph();
  }
  graph();
  errors();
  return finish();
}
