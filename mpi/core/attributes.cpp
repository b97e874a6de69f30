// SPDX-License-Identifier: Apache-2.0
// A key lives while the program has it or an attribute holds it: a program may free a key that is in use.
#include "mpi/core/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "mpi/core/mistake.hpp"

namespace cohort::mpi {

struct Keyval {
  Kind of;
  CopyAttribute copy;
  DeleteAttribute remove;
  void* extra_state;
};

namespace {

constexpr int first_keyval = 1024;  // above the predefined ones

// Guards what follows, and the attributes of all objects. Not held while a callback runs.
std::mutex attributes_mutex;
std::uint64_t settings = 0;
int next_keyval = first_keyval;

struct Registered {
  std::weak_ptr<const Keyval> key;
  std::shared_ptr<const Keyval> of_program;  // null after the program has freed it
};

// Never destroyed: the program's own static objects may still use attributes at its end.
std::map<int, Registered>& keyvals() {
  static auto& all = *new std::map<int, Registered>;
  return all;
}

const char* name_of(Kind of) { return of == Kind::datatype ? "MPI_Type_create_keyval" : "MPI_Comm_create_keyval"; }

// The caller holds the mutex.
std::shared_ptr<const Keyval> find(Kind of, int keyval) {
  const auto found = keyvals().find(keyval);
  if (auto key = found == keyvals().end() ? nullptr : found->second.key.lock(); key && key->of == of) return key;
  if (keyval == abi::keyval_invalid) throw Mistake(abi::err_keyval, "the key is MPI_KEYVAL_INVALID");
  if (keyval > 0 && keyval < first_keyval) {
    throw Mistake(abi::err_keyval, "the key is predefined: a program can't change or free it, only get its attribute");
  }
  throw Mistake(abi::err_keyval, fmt::format("the key {} is none that {} made", keyval, name_of(of)));
}

void call_delete(Object& object, int keyval, const Keyval& key, const AttributeValue& value) {
  if (key.remove.call == nullptr) return;
  const int code = key.remove.call(key.remove.function, object, keyval, value.value, key.extra_state);
  if (code != abi::success) throw Mistake(code, fmt::format("the delete function of the attribute {} failed", keyval));
}

}  // namespace

void Attributes::put(int keyval, AttributeValue value, std::shared_ptr<const Keyval> key) {
  const std::lock_guard lock(attributes_mutex);
  entries_[keyval] = {value, ++settings, std::move(key)};
}

void Attributes::set(Object& object, int keyval, AttributeValue value) {
  std::shared_ptr<const Keyval> key;
  {
    const std::lock_guard lock(attributes_mutex);
    key = find(object.kind, keyval);
  }
  if (const AttributeValue* before = get(keyval)) call_delete(object, keyval, *key, *before);
  put(keyval, value, std::move(key));
}

const AttributeValue* Attributes::get(int keyval) const {
  const std::lock_guard lock(attributes_mutex);
  const auto found = entries_.find(keyval);
  return found == entries_.end() ? nullptr : &found->second.value;
}

void Attributes::remove(Object& object, int keyval) {
  Entry entry;
  {
    const std::lock_guard lock(attributes_mutex);
    const auto found = entries_.find(keyval);
    if (found == entries_.end()) {
      find(object.kind, keyval);  // throws if there is no such key
      return;
    }
    entry = found->second;
  }
  call_delete(object, keyval, *entry.key, entry.value);
  const std::lock_guard lock(attributes_mutex);
  const auto found = entries_.find(keyval);
  // The delete function may have set the attribute again.
  if (found != entries_.end() && found->second.set == entry.set) entries_.erase(found);
}

std::vector<Attributes::Attribute> Attributes::in_order() const {
  std::vector<Attribute> all;
  {
    const std::lock_guard lock(attributes_mutex);
    for (const auto& [keyval, entry] : entries_) all.push_back({keyval, entry});
  }
  std::ranges::sort(all, {}, [](const Attribute& attribute) { return attribute.entry.set; });
  return all;
}

void Attributes::copy_to(Object& object, Attributes& copies) const {
  for (const auto& [keyval, entry] : in_order()) {
    const CopyAttribute& copy = entry.key->copy;
    if (copy.call == nullptr) continue;
    AttributeValue value = entry.value;
    bool copied = false;
    const int code =
        copy.call(copy.function, object, keyval, entry.key->extra_state, entry.value.value, value.value, copied);
    if (code != abi::success) throw Mistake(code, fmt::format("the copy function of the attribute {} failed", keyval));
    if (copied) copies.put(keyval, value, entry.key);
  }
}

void Attributes::remove_all(Object& object) {
  // A delete function may set further attributes.
  for (auto all = in_order(); !all.empty(); all = in_order()) {
    remove(object, all.back().keyval);
  }
}

int make_keyval(Kind of, CopyAttribute copy, DeleteAttribute remove, void* extra_state) {
  auto key = std::make_shared<const Keyval>(Keyval{of, copy, remove, extra_state});
  const std::lock_guard lock(attributes_mutex);
  std::erase_if(keyvals(), [](const auto& entry) { return entry.second.key.expired(); });
  keyvals()[next_keyval] = {key, key};
  return next_keyval++;
}

void free_keyval(Kind of, int& keyval) {
  const std::lock_guard lock(attributes_mutex);
  find(of, keyval);
  keyvals()[keyval].of_program.reset();
  keyval = abi::keyval_invalid;
}

void check_keyval(Kind of, int keyval) {
  const std::lock_guard lock(attributes_mutex);
  find(of, keyval);
}

}  // namespace cohort::mpi
