// SPDX-License-Identifier: Apache-2.0
// How heat spreads over a square plate with one hot edge, up to the steady state.
//
// The processes form a grid, and each has one tile of the plate with a border of one point around it. In each step a
// point's temperature becomes the mean of its four neighbours' (Jacobi iteration), so it needs the points beside the
// tile: neighbours exchange the edges of their tiles. The columns of a tile do not lie together in memory; a datatype
// describes them. At the edges of the plate the neighbour is MPI_PROC_NULL, and the border keeps its temperature.
//
//   cohort-mpicc mpi_heat.c -o mpi_heat -lm
//   mpi_heat [POINTS [TOLERANCE]]     points of an edge; 64. Steady is when no point changes more in a step; 1e-4
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows, columns };

typedef struct {
  int height, width;    // of the tile
  int stride;           // from one row to the next: the width and the border
  double *now, *next;   // temperatures, with the border
  MPI_Comm grid;        // the processes, as their tiles lie
  MPI_Datatype column;  // the points of one column of the tile
} Plate;

// The part of `length` points that the process at `place` of `places` has.
static int share(int length, int place, int places) { return length / places + (place < length % places ? 1 : 0); }

static double* at(double* points, const Plate* plate, int row, int column) {
  return points + (size_t)row * (size_t)plate->stride + (size_t)column;
}

static double* new_points(const Plate* plate) {
  double* points = calloc((size_t)(plate->height + 2) * (size_t)plate->stride, sizeof(double));
  if (points == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return points;
}

static Plate make_plate(int points) {
  int processes;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  int sides[2] = {0, 0}, around[2] = {0, 0}, place[2];
  Plate plate;
  MPI_Dims_create(processes, 2, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, around, /*reorder*/ 1, &plate.grid);
  MPI_Cart_get(plate.grid, 2, sides, around, place);

  plate.height = share(points, place[rows], sides[rows]);
  plate.width = share(points, place[columns], sides[columns]);
  plate.stride = plate.width + 2;
  plate.now = new_points(&plate);
  plate.next = new_points(&plate);
  if (place[rows] == 0) {  // the hot edge lies above
    for (int column = 1; column <= plate.width; ++column) {
      *at(plate.now, &plate, 0, column) = *at(plate.next, &plate, 0, column) = 1;
    }
  }
  MPI_Type_vector(plate.height, 1, plate.stride, MPI_DOUBLE, &plate.column);
  MPI_Type_commit(&plate.column);
  return plate;
}

static void free_plate(Plate* plate) {
  MPI_Type_free(&plate->column);
  MPI_Comm_free(&plate->grid);
  free(plate->now);
  free(plate->next);
}

// Each edge goes to the neighbour on its side, while the opposite border comes from the neighbour there.
static void exchange_edges(const Plate* plate) {
  int above, below, left, right;
  MPI_Cart_shift(plate->grid, rows, 1, &above, &below);
  MPI_Cart_shift(plate->grid, columns, 1, &left, &right);
  double* points = plate->now;
  const int height = plate->height, width = plate->width;
  MPI_Sendrecv(at(points, plate, 1, 1), width, MPI_DOUBLE, above, 0, at(points, plate, height + 1, 1), width,
               MPI_DOUBLE, below, 0, plate->grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(at(points, plate, height, 1), width, MPI_DOUBLE, below, 0, at(points, plate, 0, 1), width, MPI_DOUBLE,
               above, 0, plate->grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(at(points, plate, 1, 1), 1, plate->column, left, 0, at(points, plate, 1, width + 1), 1, plate->column,
               right, 0, plate->grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(at(points, plate, 1, width), 1, plate->column, right, 0, at(points, plate, 1, 0), 1, plate->column, left,
               0, plate->grid, MPI_STATUS_IGNORE);
}

// One step. Returns the largest change of a point of this tile.
static double relax(Plate* plate) {
  double change = 0;
  for (int row = 1; row <= plate->height; ++row) {
    for (int column = 1; column <= plate->width; ++column) {
      const double mean = (*at(plate->now, plate, row - 1, column) + *at(plate->now, plate, row + 1, column) +
                           *at(plate->now, plate, row, column - 1) + *at(plate->now, plate, row, column + 1)) /
                          4;
      change = fmax(change, fabs(mean - *at(plate->now, plate, row, column)));
      *at(plate->next, plate, row, column) = mean;
    }
  }
  double* const before = plate->now;
  plate->now = plate->next;
  plate->next = before;
  return change;
}

static double sum_of(const Plate* plate) {
  double sum = 0;
  for (int row = 1; row <= plate->height; ++row) {
    for (int column = 1; column <= plate->width; ++column) sum += *at(plate->now, plate, row, column);
  }
  return sum;
}

static void compute(int points, double tolerance) {
  Plate plate = make_plate(points);
  int steps = 0;
  double change;
  do {
    exchange_edges(&plate);
    change = relax(&plate);
    MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, plate.grid);
    ++steps;
  } while (change > tolerance);

  const double mine = sum_of(&plate);
  double sum;
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, plate.grid);
  int rank;
  MPI_Comm_rank(plate.grid, &rank);
  if (rank == 0) printf("steady after %d steps; mean temperature %.9f\n", steps, sum / points / points);

  free_plate(&plate);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int points = argc > 1 ? atoi(argv[1]) : 64;
  const double tolerance = argc > 2 ? atof(argv[2]) : 1e-4;
  const int usable = points > 0 && tolerance > 0;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (usable) compute(points, tolerance);
  if (!usable && rank == 0) fprintf(stderr, "mpi_heat: POINTS and TOLERANCE must be numbers above 0\n");
  MPI_Finalize();
  return usable ? 0 : 2;
}
