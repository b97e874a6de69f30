// SPDX-License-Identifier: Apache-2.0
// The three ways to make a call, from one description of it.
#pragma once

#include <optional>

#include "c/guard.hpp"

namespace cohort::c {

// What a call of a channel sends and receives.
struct Messages {
  std::optional<detail::Letter> out{};
  std::optional<detail::Letter> in{};
};

inline const detail::Letter* address_of(const std::optional<detail::Letter>& letter) {
  return letter ? &*letter : nullptr;
}

inline void run(const detail::Handle& handle, detail::Call&& call) { detail::run(handle, std::move(call)); }
inline Request start(const detail::Handle& handle, detail::Call&& call) {
  return detail::start(handle, std::move(call));
}
inline Persistent prepare(const detail::Handle& handle, detail::Call&& call) {
  return detail::prepare(handle, std::move(call));
}

inline detail::Received run(const detail::Handle& handle, const Messages& messages) {
  return detail::run(handle.group, address_of(messages.out), address_of(messages.in));
}
inline Request start(const detail::Handle& handle, const Messages& messages) {
  return detail::start(handle.group, address_of(messages.out), address_of(messages.in));
}
inline Persistent prepare(const detail::Handle& handle, const Messages& messages) {
  return detail::prepare(handle.group, address_of(messages.out), address_of(messages.in));
}

inline const detail::Handle& handle_of(const cohort_group* group, const Where& where) {
  return existing(group, "the group", where).handle;
}

// `describe` makes the Call or the Messages.
template <class Describe>
int run_call(const char* function, const cohort_group* group, const Describe& describe) {
  return guarded(function, [&](const Where& where) { c::run(handle_of(group, where), describe(where)); });
}
template <class Describe>
int start_call(const char* function, const cohort_group* group, cohort_request** request, const Describe& describe) {
  return guarded(function, [&](const Where& where) {
    cohort_request*& place = existing(request, "the place for the request", where);  // before anything is started
    place = new cohort_request{c::start(handle_of(group, where), describe(where))};
  });
}
template <class Describe>
int prepare_call(const char* function, const cohort_group* group, cohort_persistent** persistent,
                 const Describe& describe) {
  return guarded(function, [&](const Where& where) {
    cohort_persistent*& place = existing(persistent, "the place for the persistent call", where);
    place = new cohort_persistent{c::prepare(handle_of(group, where), describe(where))};
  });
}

}  // namespace cohort::c

#define COHORT_C_LIST(...) __VA_ARGS__

// The functions of one operation. `parameters` are those of the blocking call, in parentheses. What follows is an
// expression with them and `where`: the Call or the Messages.
#define COHORT_C_START_AND_PREPARE(name, parameters, ...)                                    \
  int cohort_start_##name(COHORT_C_LIST parameters, cohort_request** request) {              \
    return cohort::c::start_call("cohort_start_" #name, group, request,                      \
                                 [&](const cohort::Where& where) { return __VA_ARGS__; });   \
  }                                                                                          \
  int cohort_prepare_##name(COHORT_C_LIST parameters, cohort_persistent** persistent) {      \
    return cohort::c::prepare_call("cohort_prepare_" #name, group, persistent,               \
                                   [&](const cohort::Where& where) { return __VA_ARGS__; }); \
  }
#define COHORT_C_THREE_WAYS(name, parameters, ...)                                                               \
  int cohort_##name parameters {                                                                                 \
    return cohort::c::run_call("cohort_" #name, group, [&](const cohort::Where& where) { return __VA_ARGS__; }); \
  }                                                                                                              \
  COHORT_C_START_AND_PREPARE(name, parameters, __VA_ARGS__)
