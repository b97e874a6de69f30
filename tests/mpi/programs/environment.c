// SPDX-License-Identifier: Apache-2.0
// What a program may ask about MPI, before MPI_Init, within, and after MPI_Finalize.
#include "check.h"

static void versions(void) {
  int version = -1, subversion = -1, length = -1;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Get_version(&version, &subversion);
  EXPECT_EQ(version, MPI_VERSION);
  EXPECT_EQ(subversion, MPI_SUBVERSION);
  MPI_Get_library_version(text, &length);
  EXPECT_EQ(strlen(text), length);
  EXPECT(length > 0);
}

static void states(bool initialized, bool finalized) {
  int flag = -1;
  MPI_Initialized(&flag);
  EXPECT_EQ(flag != 0, initialized);
  MPI_Finalized(&flag);
  EXPECT_EQ(flag != 0, finalized);
}

static int* attribute(int key) {
  void* value = NULL;
  int flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
  EXPECT_EQ(flag, 1);
  return value;
}

static void attributes(void) {
  EXPECT(*attribute(MPI_TAG_UB) >= 32767);
  EXPECT(*attribute(MPI_WTIME_IS_GLOBAL) == 0 || *attribute(MPI_WTIME_IS_GLOBAL) == 1);
  const int host = *attribute(MPI_HOST), io = *attribute(MPI_IO);
  EXPECT(host == MPI_PROC_NULL || (host >= 0 && host < ranks));
  EXPECT(io == MPI_PROC_NULL || io == MPI_ANY_SOURCE || (io >= 0 && io < ranks));
  // How many processes there may be, which a launcher knows.
  int* size = NULL;
  int flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &size, &flag);
  if (flag) EXPECT(*size > 0);
}

static void clock(void) {
  const double before = MPI_Wtime(), tick = MPI_Wtick();
  EXPECT(tick > 0 && tick < 1);
  double last = before;
  while (last < before + 0.01) {
    const double now = MPI_Wtime();
    EXPECT(now >= last);
    last = now;
  }
}

static void names(void) {
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = -1;
  MPI_Get_processor_name(name, &length);
  EXPECT_EQ(strlen(name), length);
  EXPECT(length > 0);
}

static void memory(void) {
  double* data = NULL;
  MPI_Alloc_mem(1000 * (MPI_Aint)sizeof(double), MPI_INFO_NULL, &data);
  EXPECT(data != NULL);
  EXPECT_EQ((uintptr_t)data % sizeof(double), 0);
  for (int at = 0; at < 1000; ++at) data[at] = at;
  MPI_Free_mem(data);
}

static void predefined_communicators(void) {
  int rank = -1, size = -1, result = -1, length = -1, flag = -1;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Comm_rank(MPI_COMM_SELF, &rank);
  MPI_Comm_size(MPI_COMM_SELF, &size);
  EXPECT_EQ(rank, 0);
  EXPECT_EQ(size, 1);
  MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, &result);
  EXPECT_EQ(result, ranks == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  EXPECT(strcmp(name, "MPI_COMM_WORLD") == 0);
  EXPECT_EQ(length, strlen(name));
  MPI_Comm_test_inter(MPI_COMM_WORLD, &flag);
  EXPECT_EQ(flag, 0);
  MPI_Comm parent;
  MPI_Comm_get_parent(&parent);
  EXPECT(parent == MPI_COMM_NULL);
  MPI_Pcontrol(0);
}

// The delete functions of MPI_COMM_SELF's attributes are called first in MPI_Finalize, the last attribute first.
static int deleted[2], deletions;

static int on_delete(MPI_Comm comm, int key, void* value, void* state) {
  int flag = 0;
  (void)comm, (void)key, (void)state;
  MPI_Finalized(&flag);
  if (flag) deleted[0] = -100;
  deleted[deletions++] = *(int*)value;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  versions();
  states(false, false);
  begin(argc, argv, "environment", 1);
  states(true, false);
  versions();
  attributes();
  clock();
  names();
  memory();
  predefined_communicators();
  MPI_Barrier(MPI_COMM_WORLD);
  int keys[2], values[] = {1, 2};
  for (int at = 0; at < 2; ++at) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keys[at], NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keys[at], &values[at]);
  }
  MPI_Finalize();
  states(true, true);
  if (deletions != 2 || deleted[0] != 2 || deleted[1] != 1) {
    printf("rank %d: found deletions %d of %d, %d, expected 2 of 2, 1\n", me, deletions, deleted[0], deleted[1]);
    return 1;
  }
  if (me == 0) printf("ok environment\n");
  return 0;
}
