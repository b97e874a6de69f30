// SPDX-License-Identifier: Apache-2.0
// Attributes and their callbacks, hints, and error codes.
#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <string>
#include <vector>

#include "mpi/core/attributes.hpp"
#include "mpi/core/errors.hpp"
#include "mpi/core/info_functions.hpp"
#include "tests/mpi/code_of.hpp"

namespace cohort::mpi {
namespace {

// The objects here are of another kind than MPI's, which the keys do not mind.

struct Log {
  std::vector<std::string> lines;
  int copy_code = abi::success;
  int delete_code = abi::success;
  bool copies = true;

  static int copy(void* function, Object& /*object*/, int /*keyval*/, void* extra_state, std::intptr_t value,
                  std::intptr_t& new_value, bool& copied) {
    Log& log = *static_cast<Log*>(function);
    EXPECT_EQ(extra_state, &log);
    log.lines.push_back("copy " + std::to_string(value));
    new_value = value + 100;
    copied = log.copies;
    return log.copy_code;
  }
  static int remove(void* function, Object& /*object*/, int /*keyval*/, std::intptr_t value, void* extra_state) {
    Log& log = *static_cast<Log*>(function);
    EXPECT_EQ(extra_state, &log);
    log.lines.push_back("delete " + std::to_string(value));
    return log.delete_code;
  }
  int make_key() { return make_keyval(Kind::info, {this, copy}, {this, remove}, this); }
  std::vector<std::string> take() { return std::exchange(lines, {}); }
};

using Lines = std::vector<std::string>;

TEST(Attributes, CallTheirFunctionsInOrder) {
  Log log;
  Info object, duplicate;
  Attributes attributes, copies;
  std::vector<int> keys;
  for (int i = 0; i < 4; ++i) keys.push_back(log.make_key());
  for (const int i : {2, 0, 3, 1}) attributes.set(object, keys[static_cast<std::size_t>(i)], {i});
  EXPECT_EQ(log.take(), Lines{});
  attributes.set(object, keys[0], {10});  // is the latest now
  EXPECT_EQ(log.take(), Lines{"delete 0"});
  attributes.copy_to(object, copies);
  EXPECT_EQ(log.take(), (Lines{"copy 2", "copy 3", "copy 1", "copy 10"}));
  EXPECT_EQ(copies.get(keys[3])->value, 103);
  attributes.remove_all(object);
  EXPECT_EQ(log.take(), (Lines{"delete 10", "delete 1", "delete 3", "delete 2"}));
  EXPECT_EQ(attributes.get(keys[0]), nullptr);
  attributes.remove_all(object);
  copies.remove(duplicate, keys[1]);
  copies.remove(duplicate, keys[1]);
  EXPECT_EQ(log.take(), Lines{"delete 101"});
  copies.remove_all(duplicate);
}

TEST(Attributes, StayIfTheirFunctionsFail) {
  Log log;
  Info object;
  Attributes attributes, copies;
  const int key = log.make_key();
  attributes.set(object, key, {1});
  log.delete_code = abi::err_other;
  EXPECT_EQ(code_of([&] { attributes.set(object, key, {2}); }), abi::err_other);
  EXPECT_EQ(code_of([&] { attributes.remove(object, key); }), abi::err_other);
  EXPECT_EQ(code_of([&] { attributes.remove_all(object); }), abi::err_other);
  EXPECT_EQ(attributes.get(key)->value, 1);
  log.copy_code = abi::err_no_mem;
  EXPECT_EQ(code_of([&] { attributes.copy_to(object, copies); }), abi::err_no_mem);
  EXPECT_EQ(copies.get(key), nullptr);
  log = Log();
  log.copies = false;
  attributes.copy_to(object, copies);
  EXPECT_EQ(copies.get(key), nullptr);
  attributes.remove_all(object);
}

TEST(Attributes, WithoutFunctionsAreNotCopied) {
  Info object;
  Attributes attributes, copies;
  const int key = make_keyval(Kind::info, {}, {}, nullptr);
  attributes.set(object, key, {1});
  attributes.copy_to(object, copies);
  EXPECT_EQ(copies.get(key), nullptr);
  attributes.remove_all(object);
}

TEST(Attributes, OutliveTheProgramsKey) {
  Log log;
  Info object, other;
  Attributes attributes, others;
  const int key = log.make_key();
  attributes.set(object, key, {1});
  int freed = key;
  free_keyval(Kind::info, freed);
  EXPECT_EQ(freed, abi::keyval_invalid);
  EXPECT_EQ(attributes.get(key)->value, 1);
  attributes.copy_to(object, others);
  attributes.remove(object, key);
  others.remove(other, key);
  EXPECT_EQ(log.take(), (Lines{"copy 1", "delete 1", "delete 101"}));
  EXPECT_EQ(code_of([&] { attributes.set(object, key, {1}); }), abi::err_keyval);
}

TEST(Attributes, RefuseKeysOfOthers) {
  Info object;
  Attributes attributes;
  int of_types = make_keyval(Kind::datatype, {}, {}, nullptr);
  for (int key : {of_types, abi::keyval_invalid, abi::tag_ub, abi::win_base, 123456789}) {
    EXPECT_EQ(code_of([&] { attributes.set(object, key, {}); }), abi::err_keyval);
    EXPECT_EQ(code_of([&] { attributes.remove(object, key); }), abi::err_keyval);
    EXPECT_EQ(code_of([&] { check_keyval(Kind::info, key); }), abi::err_keyval);
    EXPECT_EQ(code_of([&] { free_keyval(Kind::info, key); }), abi::err_keyval);
  }
  free_keyval(Kind::datatype, of_types);
}

// Hints.

TEST(Info, KeepsTheOrderOfItsKeys) {
  Info* info = nullptr;
  info_create(info);
  for (const char* key : {"b", "a", "c"}) info_set(*info, key, key);
  info_set(*info, "a", "other");
  Info* copy = nullptr;
  info_dup(*info, copy);
  info_delete(*info, "b");
  EXPECT_EQ(code_of([&] { info_delete(*info, "b"); }), abi::err_info_nokey);
  int number = 0, flag = 1, length = 0;
  info_get_nkeys(*copy, number);
  EXPECT_EQ(number, 3);
  std::string key, value = "untouched";
  info_get_nthkey(*info, 0, key);
  EXPECT_EQ(key, "a");
  EXPECT_EQ(code_of([&] { info_get_nthkey(*info, 2, key); }), abi::err_arg);
  info_get(*info, "b", 10, value, flag);
  EXPECT_EQ(flag, 0);
  EXPECT_EQ(value, "untouched");
  info_get(*copy, "a", 3, value, flag);
  EXPECT_EQ(value, "oth");
  info_get_valuelen(*copy, "a", length, flag);
  EXPECT_EQ(length, 5);
  for (int room = 0; room <= 7; ++room) {
    int needed = room;
    value = "untouched";
    info_get_string(*copy, "a", needed, value, flag);
    EXPECT_EQ(needed, 6);
    EXPECT_EQ(value, room == 0 ? "untouched" : std::string("other").substr(0, static_cast<std::size_t>(room) - 1));
  }
  info_free(info);
  info_free(copy);
  EXPECT_EQ(info, nullptr);
}

TEST(Info, RefusesWrongKeysAndValues) {
  Info info;
  std::string value;
  int flag = 0;
  info_set(info, std::string(abi::max_info_key - 1, 'k'), std::string(abi::max_info_val - 1, 'v'));
  for (const std::string& key : {std::string(), std::string(abi::max_info_key, 'k')}) {
    EXPECT_EQ(code_of([&] { info_set(info, key, "value"); }), abi::err_info_key);
    EXPECT_EQ(code_of([&] { info_get(info, key, 1, value, flag); }), abi::err_info_key);
    EXPECT_EQ(code_of([&] { info_delete(info, key); }), abi::err_info_key);
  }
  EXPECT_EQ(code_of([&] { info_set(info, "key", std::string(abi::max_info_val, 'v')); }), abi::err_info_value);
}

TEST(Info, OfTheEnvironmentCantBeChanged) {
  Info* info = &Info::environment();
  std::string value;
  int flag = 0;
  info_get(*info, "command", 1000, value, flag);
  EXPECT_EQ(flag, 1);
  EXPECT_EQ(value, program_invocation_name);
  EXPECT_EQ(code_of([&] { info_set(*info, "command", "other"); }), abi::err_info);
  EXPECT_EQ(code_of([&] { info_free(info); }), abi::err_info);
  Info* copy = nullptr;
  info_create_env(0, nullptr, copy);
  info_set(*copy, "command", "other");
  info_free(copy);
}

// Error codes.

TEST(Errors, EveryClassOfTheStandardHasATextOfItsOwn) {
  std::set<std::string> texts;
  std::vector<int> classes{abi::err_proc_failed, abi::err_proc_failed_pending, abi::err_revoked, abi::err_lastcode};
  for (int code = abi::success; code <= abi::err_abi; ++code) classes.push_back(code);
  for (int code = abi::t_err_cannot_init; code <= abi::t_err_pvar_no_atomic; ++code) classes.push_back(code);
  for (const int code : classes) {
    std::string text;
    int error_class_of_it = -1;
    error_string(code, text);
    error_class(code, error_class_of_it);
    EXPECT_EQ(error_class_of_it, code);
    EXPECT_TRUE(text.starts_with("MPI")) << code;
    EXPECT_LT(text.size(), 256u);
    EXPECT_TRUE(texts.insert(text).second) << text;
    EXPECT_EQ(code_of([&] { add_error_string(code, "mine"); }), abi::err_arg);
  }
  std::string text;
  EXPECT_EQ(code_of([&] { error_string(-1, text); }), abi::err_arg);
  EXPECT_EQ(code_of([&] { error_string(70, text); }), abi::err_arg);
}

TEST(Errors, LatestTextOfAClassIsRemembered) {
  remember(abi::err_truncate, "first");
  remember(abi::err_truncate, std::string(1000, 'x'));
  std::string text;
  error_string(abi::err_truncate, text);
  EXPECT_EQ(text, std::string(255, 'x'));
  error_string(abi::err_rank, text);
  EXPECT_NE(text, std::string(255, 'x'));
}

TEST(Errors, ProgramAddsClassesAndCodes) {
  EXPECT_EQ(last_used_code(), abi::err_lastcode);
  int added_class = 0, code = 0, code_of_standard = 0, result = 0;
  add_error_class(added_class);
  add_error_code(added_class, code);
  add_error_code(abi::err_io, code_of_standard);
  EXPECT_GT(added_class, abi::err_lastcode);
  EXPECT_EQ(last_used_code(), code_of_standard);
  error_class(code, result);
  EXPECT_EQ(result, added_class);
  error_class(added_class, result);
  EXPECT_EQ(result, added_class);
  error_class(code_of_standard, result);
  EXPECT_EQ(result, abi::err_io);
  std::string text = "untouched";
  error_string(code, text);
  EXPECT_EQ(text, "");
  add_error_string(code, "the reactor is hot");
  error_string(code, text);
  EXPECT_EQ(text, "the reactor is hot");
  remove_error_string(code);
  error_string(code, text);
  EXPECT_EQ(text, "");

  EXPECT_EQ(code_of([&] { add_error_code(code, result); }), abi::err_arg);
  EXPECT_EQ(code_of([&] { remove_error_class(added_class); }), abi::err_arg);
  EXPECT_EQ(code_of([&] { remove_error_class(code); }), abi::err_arg);
  EXPECT_EQ(code_of([&] { remove_error_code(added_class); }), abi::err_arg);
  EXPECT_EQ(code_of([&] { remove_error_class(abi::err_io); }), abi::err_arg);
  remove_error_code(code);
  remove_error_class(added_class);
  remove_error_code(code_of_standard);
  EXPECT_EQ(code_of([&] { error_class(code, result); }), abi::err_arg);
  EXPECT_EQ(last_used_code(), abi::err_lastcode);
}

}  // namespace
}  // namespace cohort::mpi
