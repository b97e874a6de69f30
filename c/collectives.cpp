// SPDX-License-Identifier: Apache-2.0
// The collective operations.
#include <numeric>
#include <span>

#include "c/elements.hpp"
#include "c/ways.hpp"
#include "cohort/detail/calls.hpp"

namespace cohort::c {
namespace {

using detail::Call;
using detail::Memory;

Memory memory(const void* data, Count count) { return {static_cast<std::byte*>(const_cast<void*>(data)), count}; }

std::span<const Count> each_rank(const cohort_group* group, const int64_t* counts) {
  return {counts, static_cast<std::size_t>(group->group().size())};
}

// The sizes of one block for each rank: all are `count`, if there are no counts.
class Blocks {
 public:
  Blocks(const cohort_group* group, Count count, const int64_t* counts)
      : group_(group->group()), count_(count), counts_(counts) {}

  Count before(Rank rank) const {
    return counts_ != nullptr ? std::accumulate(counts_, counts_ + rank, Count{0}) : count_ * rank;
  }
  Count all() const { return before(group_.size()); }
  Count before_mine() const { return before(group_.rank()); }

 private:
  const Group group_;
  const Count count_;
  const int64_t* const counts_;
};

Call call(Operation operation, Memory in, Memory out, cohort_type type, const Where& where) {
  const ElementType element = element_type(type, where);
  Call call = detail::call_of<std::byte>(operation, in, out, where);
  call.element_bytes = element.bytes;
  call.type = element.code;
  return call;
}

Call bcast(void* data, Count count, cohort_type type, Rank root, const Where& where) {
  Call made = call(Operation::bcast, memory(data, count), memory(data, count), type, where);
  made.in_place = true;
  return detail::with_root(std::move(made), root);
}

Call combination(Operation operation, const void* in, void* out, Count count, cohort_type type,
                 const cohort_operator* op, const Where& where) {
  Call made = call(operation, memory(in != nullptr ? in : out, count), memory(out, count), type, where);
  made.in_place = made.input.data == made.output.data;
  made.reduction = c::reduction(type, op, where);
  return made;
}

// In place at the root only: elsewhere `out` is not used.
Call reduce(const cohort_group* group, const void* in, void* out, Count count, cohort_type type,
            const cohort_operator* op, Rank root, const Where& where) {
  void* const output = group->group().rank() == root ? out : nullptr;
  return detail::with_root(combination(Operation::reduce, in, output, count, type, op, where), root);
}

Call with_blocks(Call&& made, const cohort_group* group, const int64_t* counts) {
  return counts != nullptr ? detail::with_counts(std::move(made), each_rank(group, counts)) : std::move(made);
}

Call scatter(const cohort_group* group, const void* in, void* out, Count count, const int64_t* counts, cohort_type type,
             Rank root, const Where& where) {
  const Memory blocks = memory(in, Blocks(group, count, counts).all());
  return detail::with_root(
      with_blocks(call(Operation::scatter, blocks, memory(out, count), type, where), group, counts), root);
}

Call gather(const cohort_group* group, const void* in, void* out, Count count, const int64_t* counts, cohort_type type,
            Rank root, const Where& where) {
  const Memory blocks = memory(out, Blocks(group, count, counts).all());
  return detail::with_root(with_blocks(call(Operation::gather, memory(in, count), blocks, type, where), group, counts),
                           root);
}

Call concat(const cohort_group* group, const void* in, void* out, Count count, const int64_t* counts, cohort_type type,
            const Where& where) {
  const Blocks blocks(group, count, counts);
  Call made = call(Operation::concat, memory(in, count), memory(out, blocks.all()), type, where);
  if (in == nullptr && out != nullptr)
    made.input.data = made.output.data + blocks.before_mine() * static_cast<Count>(made.element_bytes);
  return with_blocks(std::move(made), group, counts);
}

Call reduce_scatter(const cohort_group* group, const void* in, void* out, Count count, const int64_t* counts,
                    cohort_type type, const cohort_operator* op, const Where& where) {
  Call made =
      call(Operation::reduce_scatter, memory(in, Blocks(group, count, counts).all()), memory(out, count), type, where);
  made.reduction = c::reduction(type, op, where);
  return with_blocks(std::move(made), group, counts);
}

Call index(const cohort_group* group, const void* in, void* out, Count count, cohort_type type, const Where& where) {
  const Count all = Blocks(group, count, nullptr).all();
  return call(Operation::index, memory(in, all), memory(out, all), type, where);
}

Call index(const cohort_group* group, const void* in, const int64_t* send_counts, void* out,
           const int64_t* receive_counts, cohort_type type, const Where& where) {
  existing(send_counts, "the list of send counts", where);
  existing(receive_counts, "the list of receive counts", where);
  Call made = call(Operation::index, memory(in, Blocks(group, 0, send_counts).all()),
                   memory(out, Blocks(group, 0, receive_counts).all()), type, where);
  return detail::with_counts(std::move(made), each_rank(group, send_counts), each_rank(group, receive_counts));
}

Call shift(const void* in, void* out, Count count, cohort_type type, Count distance, bool cyclic, const Where& where) {
  return detail::with_shift(call(Operation::shift, memory(in, count), memory(out, count), type, where), distance,
                            cyclic);
}

}  // namespace
}  // namespace cohort::c

using cohort::Operation;
namespace c = cohort::c;

COHORT_C_THREE_WAYS(bcast, (cohort_group * group, void* data, int64_t count, cohort_type type, int32_t root),
                    c::bcast(data, count, type, root, where))
COHORT_C_THREE_WAYS(reduce,
                    (cohort_group * group, const void* in, void* out, int64_t count, cohort_type type,
                     const cohort_operator* op, int32_t root),
                    c::reduce(group, in, out, count, type, op, root, where))
COHORT_C_THREE_WAYS(combine,
                    (cohort_group * group, const void* in, void* out, int64_t count, cohort_type type,
                     const cohort_operator* op),
                    c::combination(Operation::combine, in, out, count, type, op, where))
COHORT_C_THREE_WAYS(prefix,
                    (cohort_group * group, const void* in, void* out, int64_t count, cohort_type type,
                     const cohort_operator* op),
                    c::combination(Operation::prefix, in, out, count, type, op, where))
COHORT_C_THREE_WAYS(exclusive_prefix,
                    (cohort_group * group, const void* in, void* out, int64_t count, cohort_type type,
                     const cohort_operator* op),
                    c::combination(Operation::exclusive_prefix, in, out, count, type, op, where))
COHORT_C_THREE_WAYS(scatter,
                    (cohort_group * group, const void* in, void* out, int64_t count, const int64_t* counts,
                     cohort_type type, int32_t root),
                    c::scatter(group, in, out, count, counts, type, root, where))
COHORT_C_THREE_WAYS(gather,
                    (cohort_group * group, const void* in, void* out, int64_t count, const int64_t* counts,
                     cohort_type type, int32_t root),
                    c::gather(group, in, out, count, counts, type, root, where))
COHORT_C_THREE_WAYS(concat,
                    (cohort_group * group, const void* in, void* out, int64_t count, const int64_t* counts,
                     cohort_type type),
                    c::concat(group, in, out, count, counts, type, where))
COHORT_C_THREE_WAYS(reduce_scatter,
                    (cohort_group * group, const void* in, void* out, int64_t count, const int64_t* counts,
                     cohort_type type, const cohort_operator* op),
                    c::reduce_scatter(group, in, out, count, counts, type, op, where))
COHORT_C_THREE_WAYS(index, (cohort_group * group, const void* in, void* out, int64_t count, cohort_type type),
                    c::index(group, in, out, count, type, where))
COHORT_C_THREE_WAYS(index_counts,
                    (cohort_group * group, const void* in, const int64_t* send_counts, void* out,
                     const int64_t* receive_counts, cohort_type type),
                    c::index(group, in, send_counts, out, receive_counts, type, where))
COHORT_C_THREE_WAYS(shift,
                    (cohort_group * group, const void* in, void* out, int64_t count, cohort_type type,
                     int64_t distance),
                    c::shift(in, out, count, type, distance, true, where))
COHORT_C_THREE_WAYS(open_shift,
                    (cohort_group * group, const void* in, void* out, int64_t count, cohort_type type,
                     int64_t distance),
                    c::shift(in, out, count, type, distance, false, where))
COHORT_C_THREE_WAYS(sync, (cohort_group * group), cohort::detail::call_of<std::byte>(Operation::sync, {}, {}, where))
