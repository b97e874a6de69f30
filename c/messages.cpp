// SPDX-License-Identifier: Apache-2.0
// Messages.
#include <optional>

#include "c/elements.hpp"
#include "c/ways.hpp"
#include "cohort/detail/message.hpp"
#include "runtime/calls/matched_message.hpp"

namespace cohort::c {
namespace {

detail::Letter letter(Operation operation, const void* data, Count count, cohort_type type, Rank peer, uint32_t tag,
                      const Where& where) {
  const ElementType element = element_type(type, where);
  auto* const bytes = static_cast<std::byte*>(const_cast<void*>(data));
  return {operation, {bytes, count}, element.bytes, element.code, peer, tag, where};
}

Messages exchange(const void* out, Count out_count, Rank to, void* in, Count in_count, Rank from, cohort_type type,
                  uint32_t tag, const Where& where) {
  Messages messages;
  if (to != COHORT_NOBODY) messages.out = letter(Operation::exchange, out, out_count, type, to, tag, where);
  if (from != COHORT_NOBODY) messages.in = letter(Operation::exchange, in, in_count, type, from, tag, where);
  return messages;
}

template <class Describe>
int run_receive(const char* function, const cohort_group* group, cohort_arrival* arrival, const Describe& describe) {
  return guarded(function, [&](const Where& where) {
    const detail::Received met = c::run(handle_of(group, where), describe(where));
    if (arrival != nullptr) *arrival = {met.count, met.source, met.tag};
  });
}

// Waits for a message, or only looks, if there is a place for whether it was found.
int probe(const char* function, const cohort_group* group, Operation operation, cohort_type type, Rank from,
          uint32_t tag, cohort_arrival* arrival, int32_t* found) {
  return guarded(function, [&](const Where& where) {
    const detail::Handle& handle = handle_of(group, where);
    const detail::Letter wanted = letter(operation, nullptr, 0, type, from, tag, where);
    const std::optional<detail::Received> met =
        found != nullptr ? detail::probe(handle.group, wanted) : detail::wait_for_message(handle.group, wanted);
    if (found != nullptr) *found = met ? 1 : 0;
    if (met && arrival != nullptr)
      *arrival = {met->count / static_cast<Count>(wanted.element_bytes), met->source, met->tag};
  });
}

int try_probe(const char* function, const cohort_group* group, Operation operation, cohort_type type, Rank from,
              uint32_t tag, cohort_arrival* arrival, int32_t* found) {
  int32_t nowhere = 0;
  return probe(function, group, operation, type, from, tag, arrival, found != nullptr ? found : &nowhere);
}

}  // namespace
}  // namespace cohort::c

using cohort::Operation;
namespace c = cohort::c;

COHORT_C_THREE_WAYS(send,
                    (cohort_group * group, const void* data, int64_t count, cohort_type type, int32_t to, uint32_t tag),
                    c::Messages{c::letter(Operation::send, data, count, type, to, tag, where), {}})

COHORT_C_START_AND_PREPARE(receive,
                           (cohort_group * group, void* data, int64_t count, cohort_type type, int32_t from,
                            uint32_t tag),
                           c::Messages{{}, c::letter(Operation::receive, data, count, type, from, tag, where)})
int cohort_receive(cohort_group* group, void* data, int64_t count, cohort_type type, int32_t from, uint32_t tag,
                   cohort_arrival* arrival) {
  return c::run_receive("cohort_receive", group, arrival, [&](const cohort::Where& where) {
    return c::Messages{{}, c::letter(Operation::receive, data, count, type, from, tag, where)};
  });
}

COHORT_C_START_AND_PREPARE(receive_any,
                           (cohort_group * group, void* data, int64_t count, cohort_type type, uint32_t tag),
                           c::Messages{{}, c::letter(Operation::receive_any, data, count, type, 0, tag, where)})
int cohort_receive_any(cohort_group* group, void* data, int64_t count, cohort_type type, uint32_t tag,
                       cohort_arrival* arrival) {
  return c::run_receive("cohort_receive_any", group, arrival, [&](const cohort::Where& where) {
    return c::Messages{{}, c::letter(Operation::receive_any, data, count, type, 0, tag, where)};
  });
}

COHORT_C_START_AND_PREPARE(exchange,
                           (cohort_group * group, const void* out, int64_t out_count, int32_t to, void* in,
                            int64_t in_count, int32_t from, cohort_type type, uint32_t tag),
                           c::exchange(out, out_count, to, in, in_count, from, type, tag, where))
int cohort_exchange(cohort_group* group, const void* out, int64_t out_count, int32_t to, void* in, int64_t in_count,
                    int32_t from, cohort_type type, uint32_t tag, cohort_arrival* arrival) {
  return c::run_receive("cohort_exchange", group, arrival, [&](const cohort::Where& where) {
    return c::exchange(out, out_count, to, in, in_count, from, type, tag, where);
  });
}

int cohort_probe(cohort_group* group, cohort_type type, int32_t from, uint32_t tag, cohort_arrival* arrival) {
  return c::probe("cohort_probe", group, Operation::receive, type, from, tag, arrival, nullptr);
}
int cohort_probe_any(cohort_group* group, cohort_type type, uint32_t tag, cohort_arrival* arrival) {
  return c::probe("cohort_probe_any", group, Operation::receive_any, type, 0, tag, arrival, nullptr);
}
int cohort_try_probe(cohort_group* group, cohort_type type, int32_t from, uint32_t tag, cohort_arrival* arrival,
                     int32_t* found) {
  return c::try_probe("cohort_try_probe", group, Operation::receive, type, from, tag, arrival, found);
}
int cohort_try_probe_any(cohort_group* group, cohort_type type, uint32_t tag, cohort_arrival* arrival, int32_t* found) {
  return c::try_probe("cohort_try_probe_any", group, Operation::receive_any, type, 0, tag, arrival, found);
}
