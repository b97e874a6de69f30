// SPDX-License-Identifier: Apache-2.0
// Attributes of communicators and datatypes: the callbacks that copy and delete them, how often, in which order, with
// what, and what their errors do. And info objects.
#include "check.h"

enum { MOST = 16 };

static int copies, deletes, last_deleted[MOST];
static int fail_copy, fail_delete;
static int state_of_copy = 11, state_of_delete = 12;

static int copy_comm(MPI_Comm comm, int key, void* state, void* value, void* copy, int* flag) {
  (void)comm, (void)key;
  ++copies;
  EXPECT(state == &state_of_copy || state == &state_of_delete);
  *(void**)copy = (char*)value + 1;
  *flag = value != NULL;
  return fail_copy ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int delete_comm(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)value, (void)state;
  if (deletes < MOST) last_deleted[deletes] = key;
  ++deletes;
  return fail_delete ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int copy_type(MPI_Datatype type, int key, void* state, void* value, void* copy, int* flag) {
  (void)type;
  return copy_comm(MPI_COMM_NULL, key, state, value, copy, flag);
}

static int delete_type(MPI_Datatype type, int key, void* value, void* state) {
  (void)type;
  return delete_comm(MPI_COMM_NULL, key, value, state);
}

static void expect_attribute(MPI_Comm comm, int key, const void* expected) {
  void* value = NULL;
  int flag = -1;
  MPI_Comm_get_attr(comm, key, &value, &flag);
  EXPECT_EQ(flag != 0, expected != NULL);
  if (flag) EXPECT(value == expected);
}

static void copied_and_deleted(void) {
  static char data[8];
  int own, shared, unset, none;
  MPI_Comm comm, copy;
  copies = deletes = 0;
  MPI_Comm_create_keyval(copy_comm, delete_comm, &own, &state_of_copy);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete_comm, &shared, NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &none, NULL);
  MPI_Comm_create_keyval(copy_comm, delete_comm, &unset, &state_of_copy);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  expect_attribute(comm, own, NULL);
  MPI_Comm_set_attr(comm, own, data);
  MPI_Comm_set_attr(comm, shared, data + 4);
  MPI_Comm_set_attr(comm, none, data + 5);
  expect_attribute(comm, own, data);
  EXPECT_EQ(deletes, 0);
  MPI_Comm_set_attr(comm, own, data + 2);  // deletes the one before
  EXPECT_EQ(deletes, 1);

  MPI_Comm_dup(comm, &copy);
  EXPECT_EQ(copies, 1);
  expect_attribute(copy, own, data + 3);
  expect_attribute(copy, shared, data + 4);
  expect_attribute(copy, none, NULL);
  expect_attribute(copy, unset, NULL);
  expect_attribute(comm, own, data + 2);

  MPI_Comm_delete_attr(copy, own);
  EXPECT_EQ(deletes, 2);
  expect_attribute(copy, own, NULL);
  MPI_Comm_free(&copy);
  EXPECT_EQ(deletes, 3);

  // A key that is freed stays as long as an attribute has it.
  MPI_Comm_free_keyval(&own);
  EXPECT_EQ(own, MPI_KEYVAL_INVALID);
  MPI_Comm_free(&comm);
  EXPECT_EQ(deletes, 5);
  MPI_Comm_free_keyval(&shared);
  MPI_Comm_free_keyval(&unset);
  MPI_Comm_free_keyval(&none);
}

// A copy function may say that there is to be no copy, and an attribute may be a null pointer.
static void not_copied(void) {
  int key, flag = 0;
  void* value = &key;
  MPI_Comm comm, copy;
  copies = deletes = 0;
  MPI_Comm_create_keyval(copy_comm, delete_comm, &key, &state_of_copy);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, key, NULL);
  MPI_Comm_get_attr(comm, key, &value, &flag);
  EXPECT(flag && value == NULL);
  MPI_Comm_dup(comm, &copy);
  EXPECT_EQ(copies, 1);
  MPI_Comm_get_attr(copy, key, &value, &flag);
  EXPECT_EQ(flag, 0);
  MPI_Comm_free(&copy);
  EXPECT_EQ(deletes, 0);
  MPI_Comm_free(&comm);
  EXPECT_EQ(deletes, 1);
  MPI_Comm_free_keyval(&key);
}

static void errors(void) {
  static char data[4];
  int key;
  MPI_Comm comm, copy = MPI_COMM_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(copy_comm, delete_comm, &key, &state_of_copy);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, key, data);
  fail_copy = 1;
  EXPECT(MPI_Comm_dup(comm, &copy) != MPI_SUCCESS);
  fail_copy = 0;
  fail_delete = 1;
  EXPECT(MPI_Comm_delete_attr(comm, key) != MPI_SUCCESS);
  EXPECT(MPI_Comm_free(&comm) != MPI_SUCCESS);
  fail_delete = 0;
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
  EXPECT_CLASS(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, data), MPI_ERR_KEYVAL);
}

// Deleted in any order with MPI_Comm_free; those of one communicator each once.
static void of_types(void) {
  static char data[8];
  int key, flag = 0;
  void* value = NULL;
  MPI_Datatype type, copy;
  copies = deletes = 0;
  MPI_Type_create_keyval(copy_type, delete_type, &key, &state_of_delete);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_set_attr(type, key, data);
  MPI_Type_dup(type, &copy);
  EXPECT_EQ(copies, 1);
  MPI_Type_get_attr(copy, key, &value, &flag);
  EXPECT(flag && value == data + 1);
  MPI_Type_free(&copy);
  EXPECT_EQ(deletes, 1);
  MPI_Type_delete_attr(type, key);
  EXPECT_EQ(deletes, 2);
  MPI_Type_free(&type);
  EXPECT_EQ(deletes, 2);
  MPI_Type_free_keyval(&key);
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  MPI_Type_get_name(MPI_DOUBLE, name, &length);
  EXPECT(strcmp(name, "MPI_DOUBLE") == 0);
  MPI_Type_get_name(MPI_DATATYPE_NULL, name, &length);  // since MPI 4.1
  EXPECT(strcmp(name, "MPI_DATATYPE_NULL") == 0 && length == 17);
  MPI_Type_dup(MPI_INT, &type);
  MPI_Type_set_name(type, "mine");
  MPI_Type_get_name(type, name, &length);
  EXPECT(strcmp(name, "mine") == 0 && length == 4);
  MPI_Type_free(&type);
}

static void infos(void) {
  MPI_Info info, copy;
  char value[8 + 1], key[MPI_MAX_INFO_KEY];
  int flag = -1, keys = -1, length = -1;
  MPI_Info_create(&info);
  MPI_Info_set(info, "one", "1");
  MPI_Info_set(info, "two", "a longer value");
  MPI_Info_set(info, "one", "uno");
  MPI_Info_get_nkeys(info, &keys);
  EXPECT_EQ(keys, 2);
  MPI_Info_get_nthkey(info, 0, key);
  EXPECT(strcmp(key, "one") == 0);
  MPI_Info_get(info, "one", 8, value, &flag);
  EXPECT(flag && strcmp(value, "uno") == 0);
  MPI_Info_get(info, "two", 8, value, &flag);  // cut
  EXPECT(flag && strcmp(value, "a longer") == 0);
  MPI_Info_get_valuelen(info, "two", &length, &flag);
  EXPECT_EQ(length, 14);
  MPI_Info_get(info, "three", 8, value, &flag);
  EXPECT_EQ(flag, 0);
  MPI_Info_dup(info, &copy);
  MPI_Info_delete(info, "one");
  MPI_Info_get_nkeys(info, &keys);
  EXPECT_EQ(keys, 1);
  MPI_Info_get_nkeys(copy, &keys);
  EXPECT_EQ(keys, 2);
  EXPECT_CLASS(MPI_Info_delete(info, "one"), MPI_ERR_INFO_NOKEY);
  MPI_Info_free(&info);
  MPI_Info_free(&copy);
  EXPECT(info == MPI_INFO_NULL);
}

int main(int argc, char** argv) {
  begin(argc, argv, "attributes", 1);
  copied_and_deleted();
  not_copied();
  errors();
  of_types();
  infos();
  return finish();
}
