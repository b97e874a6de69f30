// SPDX-License-Identifier: Apache-2.0
// Error handlers: which is called, with what, and what is inherited. Error classes, codes and strings, of MPI and of
// the program.
#include "check.h"

static int called, last_code;
static MPI_Comm last_comm;

static void handler(MPI_Comm* comm, int* code, ...) {
  ++called;
  last_comm = *comm;
  last_code = *code;
}

static void other_handler(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  called += 100;
}

static void handlers(void) {
  MPI_Errhandler mine, other, found;
  MPI_Comm comm, copy;
  int data = 0;
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_create_errhandler(other_handler, &other);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
  EXPECT(found == MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&found);
  MPI_Comm_set_errhandler(comm, mine);
  MPI_Comm_get_errhandler(comm, &found);
  EXPECT(found == mine);
  MPI_Errhandler_free(&found);
  MPI_Errhandler_free(&mine);  // the communicator has it still
  EXPECT(mine == MPI_ERRHANDLER_NULL);

  called = 0;
  EXPECT_CLASS(MPI_Send(&data, 1, MPI_INT, ranks + 5, 0, comm), MPI_ERR_RANK);
  EXPECT_EQ(called, 1);
  EXPECT(last_comm == comm);
  EXPECT_EQ(class_of(last_code), MPI_ERR_RANK);
  EXPECT_CLASS(MPI_Bcast(&data, 1, MPI_INT, -7, comm), MPI_ERR_ROOT);
  EXPECT_EQ(called, 2);
  EXPECT_CLASS(MPI_Send(&data, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
  EXPECT_EQ(called, 3);

  MPI_Comm_dup(comm, &copy);  // inherits
  EXPECT_CLASS(MPI_Send(&data, 1, MPI_INT, ranks + 5, 0, copy), MPI_ERR_RANK);
  EXPECT_EQ(called, 4);
  EXPECT(last_comm == copy);
  MPI_Comm_set_errhandler(copy, other);
  MPI_Send(&data, 1, MPI_INT, ranks + 5, 0, copy);
  EXPECT_EQ(called, 104);
  MPI_Send(&data, 1, MPI_INT, ranks + 5, 0, comm);
  EXPECT_EQ(called, 105);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  EXPECT_CLASS(MPI_Send(&data, 1, MPI_INT, ranks + 5, 0, copy), MPI_ERR_RANK);
  EXPECT_EQ(called, 105);

  MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  EXPECT_EQ(called, 106);
  EXPECT_EQ(class_of(last_code), MPI_ERR_OTHER);
  MPI_Errhandler_free(&other);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
}

// The error of a request is its communicator's.
static void of_requests(void) {
  MPI_Errhandler mine;
  MPI_Comm comm;
  MPI_Request request;
  MPI_Status status;
  char room[2];
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, mine);
  MPI_Errhandler_free(&mine);
  called = 0;
  MPI_Irecv(room, 1, MPI_CHAR, me, 0, comm, &request);
  MPI_Send("ab", 2, MPI_CHAR, me, 0, comm);
  MPI_Wait(&request, &status);
  EXPECT_EQ(called, 1);
  EXPECT_EQ(class_of(last_code), MPI_ERR_TRUNCATE);
  MPI_Comm_free(&comm);
}

static void strings(void) {
  static const int classes[] = {
      MPI_SUCCESS,        MPI_ERR_BUFFER,  MPI_ERR_COUNT,   MPI_ERR_TYPE,     MPI_ERR_TAG,      MPI_ERR_COMM,
      MPI_ERR_RANK,       MPI_ERR_REQUEST, MPI_ERR_ROOT,    MPI_ERR_GROUP,    MPI_ERR_OP,       MPI_ERR_TOPOLOGY,
      MPI_ERR_DIMS,       MPI_ERR_ARG,     MPI_ERR_UNKNOWN, MPI_ERR_TRUNCATE, MPI_ERR_OTHER,    MPI_ERR_INTERN,
      MPI_ERR_IN_STATUS,  MPI_ERR_PENDING, MPI_ERR_KEYVAL,  MPI_ERR_NO_MEM,   MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE,
      MPI_ERR_INFO_NOKEY, MPI_ERR_LASTCODE};
  for (size_t at = 0; at + 1 < sizeof classes / sizeof *classes; ++at) {
    char text[MPI_MAX_ERROR_STRING];
    int length = -1;
    EXPECT_EQ(class_of(classes[at]), classes[at]);
    EXPECT(classes[at] <= MPI_ERR_LASTCODE);
    MPI_Error_string(classes[at], text, &length);
    EXPECT(length > 0);
    EXPECT_EQ(length, strlen(text));
    for (size_t other = 0; other < at; ++other) EXPECT(classes[other] != classes[at]);
  }
}

static void of_the_program(void) {
  int class, code, other, *last, flag = 0, length = -1;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
  EXPECT_EQ(flag, 1);
  EXPECT(*last >= MPI_ERR_LASTCODE);
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Add_error_code(MPI_ERR_OTHER, &other);
  EXPECT(class > MPI_ERR_LASTCODE && code > MPI_ERR_LASTCODE && code != class);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
  EXPECT(*last >= class && *last >= code && *last >= other);
  EXPECT_EQ(class_of(class), class);
  EXPECT_EQ(class_of(code), class);
  EXPECT_EQ(class_of(other), MPI_ERR_OTHER);
  MPI_Add_error_string(class, "a class of mine");
  MPI_Add_error_string(code, "a code of mine");
  MPI_Error_string(class, text, &length);
  EXPECT(strcmp(text, "a class of mine") == 0);
  MPI_Error_string(code, text, &length);
  EXPECT(strcmp(text, "a code of mine") == 0);
  EXPECT_EQ(length, 14);
#if MPI_VERSION >= 5
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  EXPECT(MPI_Remove_error_class(class) != MPI_SUCCESS);  // has a code
  EXPECT(MPI_Remove_error_code(code) != MPI_SUCCESS);    // has a text
  MPI_Remove_error_string(code);
  MPI_Error_string(code, text, &length);
  EXPECT_EQ(length, 0);
  EXPECT(MPI_Remove_error_code(class) != MPI_SUCCESS);
  EXPECT_EQ(MPI_Remove_error_code(code), MPI_SUCCESS);
  EXPECT(MPI_Remove_error_code(code) != MPI_SUCCESS);
  EXPECT(MPI_Remove_error_class(class) != MPI_SUCCESS);  // has a text
  MPI_Remove_error_string(class);
  EXPECT_EQ(MPI_Remove_error_class(class), MPI_SUCCESS);
#endif
}

int main(int argc, char** argv) {
  begin(argc, argv, "errors", 1);
  handlers();
  of_requests();
  strings();
  of_the_program();
  return finish();
}
