// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/attribute_functions.hpp"

#include <limits>
#include <mutex>

#include "mpi/core/errors.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

void get_attribute(const Attributes& attributes, Kind of, int keyval, AttributeValue& value, int& flag) {
  const AttributeValue* const kept = attributes.get(keyval);
  flag = kept != nullptr ? 1 : 0;
  if (kept == nullptr) return check_keyval(of, keyval);
  value = *kept;
  value.kept_at = &kept->value;
}

struct Predefined {
  int keyval;
  std::intptr_t (*now)();
  std::intptr_t value = 0;
};

// Returns null if there is no such attribute. The number stays where it is, for C's pointers to it.
const std::intptr_t* predefined_attribute(int keyval) {
  static std::mutex mutex;
  static Predefined all[] = {
      {abi::tag_ub, [] { return std::intptr_t{std::numeric_limits<int>::max()}; }},
      {abi::wtime_is_global, [] { return std::intptr_t{0}; }},
      {abi::host, [] { return std::intptr_t{abi::proc_null}; }},
      {abi::io, [] { return std::intptr_t{abi::any_source}; }},  // every process can use the language's files
      {abi::universe_size, [] { return std::intptr_t{Communicator::world().size}; }},
      {abi::appnum, [] { return std::intptr_t{0}; }},
      {abi::lastusedcode, [] { return std::intptr_t{last_used_code()}; }},
  };
  for (Predefined& attribute : all) {
    if (attribute.keyval != keyval) continue;
    const std::intptr_t now = attribute.now();
    const std::lock_guard lock(mutex);
    if (attribute.value != now) attribute.value = now;
    return &attribute.value;
  }
  return nullptr;
}

}  // namespace

void comm_create_keyval(CopyAttribute copy, DeleteAttribute remove, int& keyval, void* extra_state) {
  keyval = make_keyval(Kind::communicator, copy, remove, extra_state);
}

void comm_free_keyval(int& keyval) { free_keyval(Kind::communicator, keyval); }

void comm_set_attr(Communicator& communicator, int keyval, AttributeValue value) {
  communicator.attributes.set(communicator, keyval, value);
}

void comm_get_attr(Communicator& communicator, int keyval, AttributeValue& value, int& flag) {
  if (const std::intptr_t* const number = predefined_attribute(keyval)) {
    value = {*number, true, number};
    flag = 1;
    return;
  }
  get_attribute(communicator.attributes, Kind::communicator, keyval, value, flag);
}

void comm_delete_attr(Communicator& communicator, int keyval) { communicator.attributes.remove(communicator, keyval); }

void type_create_keyval(CopyAttribute copy, DeleteAttribute remove, int& keyval, void* extra_state) {
  keyval = make_keyval(Kind::datatype, copy, remove, extra_state);
}

void type_free_keyval(int& keyval) { free_keyval(Kind::datatype, keyval); }

void type_set_attr(Datatype& type, int keyval, AttributeValue value) { type.attributes.set(type, keyval, value); }

void type_get_attr(Datatype& type, int keyval, AttributeValue& value, int& flag) {
  get_attribute(type.attributes, Kind::datatype, keyval, value, flag);
}

void type_delete_attr(Datatype& type, int keyval) { type.attributes.remove(type, keyval); }

int copy_always(void* /*function*/, Object& /*object*/, int /*keyval*/, void* /*extra_state*/, std::intptr_t value,
                std::intptr_t& new_value, bool& copied) {
  new_value = value;
  copied = true;
  return abi::success;
}

}  // namespace cohort::mpi
