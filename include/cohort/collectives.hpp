// SPDX-License-Identifier: Apache-2.0
// Collective operations. All members of the group make the same calls in the same order, with arguments that match:
// root, sizes, type, operator. An argument is a span, a vector, an array or a string of elements, or one value. Input
// and output must not overlap; in_place(x) is both. Every function throws Error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cohort/channels.hpp"
#include "cohort/detail/calls.hpp"

namespace cohort {

// Way is how a call is made: all.combine() is complete when it returns; all.start().combine() returns a Request at
// once, and its arguments belong to the operation until that is complete; all.prepare().combine() returns a Persistent,
// which starts the operation any number of times. All members start operations in the same order.
//
// The forms for one value give their result: T, or a Future<T> of start() and a Repeated<T> of prepare(). A rank
// without a result gets an empty optional or vector. Reductions and shifts take a std::array as one value, too, and
// give an array: auto [residual, energy] = all.combine(std::array{r, e}, sum).
template <class Way>
class Collectives : public Channels<Way> {
 public:
  using Channels<Way>::Channels;

  // The root's elements reach every rank. All pass the same number of elements.
  template <class Data>
  auto bcast(Data&& data, Rank root, Where where = Where::current()) const {
    return begin(detail::with_root(in_place_call<Data>(Operation::bcast, data, where), root));
  }

  // out = in of rank 0 (+) ... (+) in of rank p-1, at the root; elsewhere `out` is not used and may be empty.
  template <class In, class Out, class Op>
  auto reduce(In&& in, Out&& out, const Op& op, Rank root, Where where = Where::current()) const {
    return begin(detail::with_root(reduction<In, Out>(Operation::reduce, in, out, op, where), root));
  }
  // reduce(in_place(x), op, root): the result replaces x at the root; the others' x is not changed.
  // reduce(value, op, root): gives an optional.
  template <class Data, class Op>
  auto reduce(Data&& data, const Op& op, Rank root, Where where = Where::current()) const {
    using T = detail::TypeIn<Data>;
    return one<Data>(data, std::optional(detail::LikeInput<Data>{}), this->rank() == root, [&](Memory in, Memory out) {
      return detail::with_root(detail::reduction_call_of<T>(Operation::reduce, in, out, op, where), root);
    });
  }

  // The same reduction, with the result at every rank. `out` may be `in`.
  template <class In, class Out, class Op>
  requires(!std::is_same_v<std::remove_cvref_t<Op>, Where>) auto combine(In&& in, Out&& out, const Op& op,
                                                                         Where where = Where::current()) const {
    return begin(reduction<In, Out>(Operation::combine, in, out, op, where));
  }
  // combine(in_place(x), op), or combine(value, op), which gives the result.
  template <class Data, class Op>
  auto combine(Data&& data, const Op& op, Where where = Where::current()) const {
    using T = detail::TypeIn<Data>;
    return one<Data>(data, detail::LikeInput<Data>{}, true, [&](Memory in, Memory out) {
      return detail::reduction_call_of<T>(Operation::combine, in, out, op, where);
    });
  }

  // Block r of the root's `in` reaches rank r. Equal blocks of out's size; `in` is used at the root only, p blocks
  // long.
  template <class In, class Out>
  auto scatter(In&& in, Out&& out, Rank root, Where where = Where::current()) const {
    return begin(detail::with_root(call<In, Out>(Operation::scatter, in, out, where), root));
  }
  // The same with counts[r] elements for rank r; every rank passes all counts.
  template <class In, detail::Counts Sizes, class Out>
  auto scatter(In&& in, const Sizes& counts, Out&& out, Rank root, Where where = Where::current()) const {
    return begin(
        detail::with_root(detail::with_counts(call<In, Out>(Operation::scatter, in, out, where), counts), root));
  }
  // Gives each rank one element of the root's `in`.
  template <class In>
  auto scatter(In&& in, Rank root, Where where = Where::current()) const {
    using T = detail::TypeIn<In>;
    return Way::give(detail::NoInput(), T{}, true, [&](detail::NoInput, T& out) {
      return begin(detail::with_root(call<In, T&>(Operation::scatter, in, out, where), root));
    });
  }

  // The reverse of scatter: rank r's `in` becomes block r of the root's `out`; elsewhere `out` is not used.
  template <class In, class Out>
  auto gather(In&& in, Out&& out, Rank root, Where where = Where::current()) const {
    return begin(detail::with_root(call<In, Out>(Operation::gather, in, out, where), root));
  }
  template <class In, class Out, detail::Counts Sizes>
  auto gather(In&& in, Out&& out, const Sizes& counts, Rank root, Where where = Where::current()) const {
    return begin(
        detail::with_root(detail::with_counts(call<In, Out>(Operation::gather, in, out, where), counts), root));
  }
  // Gives the root a vector of one value from each rank.
  template <class Data>
  auto gather(Data&& value, Rank root, Where where = Where::current()) const {
    using T = detail::TypeIn<Data>;
    return one<Data>(value, values<T>(this->rank() == root), true, [&](Memory in, Memory out) {
      return detail::with_root(detail::call_of<T>(Operation::gather, in, out, where), root);
    });
  }

  // Every rank's block reaches every rank: `out` is the p blocks in rank order.
  template <class In, class Out>
  auto concat(In&& in, Out&& out, Where where = Where::current()) const {
    return begin(call<In, Out>(Operation::concat, in, out, where));
  }
  // Rank r's block has counts[r] elements.
  template <class In, class Out, detail::Counts Sizes>
  auto concat(In&& in, Out&& out, const Sizes& counts, Where where = Where::current()) const {
    return begin(detail::with_counts(call<In, Out>(Operation::concat, in, out, where), counts));
  }
  // concat(in_place(blocks)): this rank's block is at its place in `blocks` already.
  // concat(value) gives a vector of one value from each rank.
  template <class Data>
  auto concat(Data&& data, Where where = Where::current()) const {
    if constexpr (detail::is_in_place<std::remove_cvref_t<Data>>) {
      return begin(in_place_call<Data>(Operation::concat, data, where));
    } else {
      using T = detail::TypeIn<Data>;
      return one<Data>(data, values<T>(true), true,
                       [&](Memory in, Memory out) { return detail::call_of<T>(Operation::concat, in, out, where); });
    }
  }

  // All-to-all personalised: block j of rank i's `in` becomes block i of rank j's `out`. Equal blocks.
  template <class In, class Out>
  auto index(In&& in, Out&& out, Where where = Where::current()) const {
    return begin(call<In, Out>(Operation::index, in, out, where));
  }
  // send_counts[j] elements go to rank j, receive_counts[i] come from rank i.
  template <class In, detail::Counts Sizes, class Out, detail::Counts ReceivedSizes>
  auto index(In&& in, const Sizes& send_counts, Out&& out, const ReceivedSizes& receive_counts,
             Where where = Where::current()) const {
    return begin(detail::with_counts(call<In, Out>(Operation::index, in, out, where), send_counts, receive_counts));
  }

  // A reduction of p blocks; rank r gets block r of the result. Equal blocks of out's size.
  template <class In, class Out, class Op>
  auto reduce_scatter(In&& in, Out&& out, const Op& op, Where where = Where::current()) const {
    return begin(reduction<In, Out>(Operation::reduce_scatter, in, out, op, where));
  }
  // Block r has counts[r] elements.
  template <class In, class Out, detail::Counts Sizes, class Op>
  auto reduce_scatter(In&& in, Out&& out, const Sizes& counts, const Op& op, Where where = Where::current()) const {
    return begin(detail::with_counts(reduction<In, Out>(Operation::reduce_scatter, in, out, op, where), counts));
  }

  // Inclusive scan: rank r gets in of rank 0 (+) ... (+) in of rank r. `out` may be `in`.
  template <class In, class Out, class Op>
  requires(!std::is_same_v<Op, Where>) auto prefix(In&& in, Out&& out, const Op& op,
                                                   Where where = Where::current()) const {
    return begin(reduction<In, Out>(Operation::prefix, in, out, op, where));
  }
  // prefix(in_place(x), op), or prefix(value, op), which gives the result.
  template <class Data, class Op>
  auto prefix(Data&& data, const Op& op, Where where = Where::current()) const {
    using T = detail::TypeIn<Data>;
    return one<Data>(data, detail::LikeInput<Data>{}, true, [&](Memory in, Memory out) {
      return detail::reduction_call_of<T>(Operation::prefix, in, out, op, where);
    });
  }

  // Rank r gets in of rank 0 (+) ... (+) in of rank r-1; rank 0's `out` is not changed.
  template <class In, class Out, class Op>
  requires(!std::is_same_v<Op, Where>) auto exclusive_prefix(In&& in, Out&& out, const Op& op,
                                                             Where where = Where::current()) const {
    return begin(reduction<In, Out>(Operation::exclusive_prefix, in, out, op, where));
  }
  // exclusive_prefix(in_place(x), op), or exclusive_prefix(value, op), which gives an optional.
  template <class Data, class Op>
  auto exclusive_prefix(Data&& data, const Op& op, Where where = Where::current()) const {
    using T = detail::TypeIn<Data>;
    return one<Data>(data, std::optional(detail::LikeInput<Data>{}), this->rank() > 0, [&](Memory in, Memory out) {
      return detail::reduction_call_of<T>(Operation::exclusive_prefix, in, out, op, where);
    });
  }

  // Rank r's `in` becomes the `out` of rank (r + distance) mod p. The distance may be negative.
  template <class In, class Out>
  auto shift(In&& in, Out&& out, Count distance, Where where = Where::current()) const {
    return begin(detail::with_shift(call<In, Out>(Operation::shift, in, out, where), distance, true));
  }
  // Gives the value of rank (r - distance) mod p.
  template <class Data>
  auto shift(Data&& value, Count distance, Where where = Where::current()) const {
    using T = detail::TypeIn<Data>;
    return one<Data>(value, detail::LikeInput<Data>{}, true, [&](Memory in, Memory out) {
      return detail::with_shift(detail::call_of<T>(Operation::shift, in, out, where), distance, true);
    });
  }
  // The same without wrap-around: data that leave 0 ... p-1 are dropped. A rank that receives nothing keeps its `out`.
  template <class In, class Out>
  auto open_shift(In&& in, Out&& out, Count distance, Where where = Where::current()) const {
    return begin(detail::with_shift(call<In, Out>(Operation::shift, in, out, where), distance, false));
  }

  // Barrier: no member's call is complete before all members have called.
  auto sync(Where where = Where::current()) const {
    return begin(detail::call_of<std::byte>(Operation::sync, {}, {}, where));
  }

  // @cond What does not compile, for the compiler's words. The blocking calls are in any_size.hpp.
  template <class... Data>
  auto gather_all(Data&&...) const {
    static_assert(detail::always_false<Way, Data...>,
                  "cohort: gather_all() waits for sizes, so only all has it. "
                  "start() and prepare() have gather(), with counts");
    return detail::Refused();
  }
  template <class... Data>
  auto concat_all(Data&&...) const {
    static_assert(detail::always_false<Way, Data...>,
                  "cohort: concat_all() waits for sizes, so only all has it. "
                  "start() and prepare() have concat(), with counts");
    return detail::Refused();
  }
  template <class... Data>
  auto scatter_all(Data&&...) const {
    static_assert(detail::always_false<Way, Data...>,
                  "cohort: scatter_all() waits for sizes, so only all has it. "
                  "start() and prepare() have scatter(), with counts");
    return detail::Refused();
  }
  template <class... Data>
  auto shuffle(Data&&...) const {
    static_assert(detail::always_false<Way, Data...>,
                  "cohort: shuffle() waits for sizes, so only all has it. start() "
                  "and prepare() have index(), with counts");
    return detail::Refused();
  }
  // @endcond

 private:
  using Memory = detail::Memory;

  auto begin(detail::Call&& call) const { return Way::begin(this->handle(), std::move(call)); }

  template <class Data>
  static Memory read(std::remove_reference_t<Data>& data) {
    return detail::checked_memory<detail::Access::read, Way::goes_on, Data>(data);
  }
  template <class Data>
  static Memory written(std::remove_reference_t<Data>& data) {
    return detail::checked_memory<detail::Access::write, Way::goes_on, Data>(data);
  }

  template <class In, class Out>
  static detail::Call call(Operation operation, std::remove_reference_t<In>& in, std::remove_reference_t<Out>& out,
                           const Where& where) {
    detail::check_same_elements<In, Out>();
    return detail::call_of<detail::TypeIn<In>>(operation, read<In>(in), written<Out>(out), where);
  }
  template <class In, class Out, class Op>
  static detail::Call reduction(Operation operation, std::remove_reference_t<In>& in, std::remove_reference_t<Out>& out,
                                const Op& op, const Where& where) {
    detail::check_same_elements<In, Out>();
    return detail::reduction_call_of<detail::TypeIn<In>>(operation, read<In>(in), written<Out>(out), op, where);
  }
  template <class Data>
  static detail::Call in_place_call(Operation operation, std::remove_reference_t<Data>& data, const Where& where) {
    return detail::in_place_call_of<detail::TypeIn<Data>>(operation, written<Data>(data), where);
  }

  template <class T>
  std::vector<T> values(bool here) const {
    return std::vector<T>(here ? static_cast<std::size_t>(this->size()) : 0);
  }

  template <class Data, class Result, class Bare = std::remove_cvref_t<Data>>
  static constexpr bool gives_array = detail::is_array<Bare> &&
                                      (std::is_same_v<Result, Bare> || std::is_same_v<Result, std::optional<Bare>>);

  // A call with one argument, which is in_place() or a value: for the latter, gives `result`, if it is `here`. `make`
  // describes the call with its memory.
  template <class Data, class Result, class Make>
  auto one(std::remove_reference_t<Data>& data, Result result, bool here, const Make& make) const {
    if constexpr (detail::is_in_place<std::remove_cvref_t<Data>>) {
      const Memory memory = written<Data>(data);
      return begin(make(memory, memory));
    } else if constexpr (std::ranges::range<Data> && !gives_array<Data, Result>) {
      static_assert(detail::always_false<Data>,
                    "cohort: one value or std::array gives its result; for more, say in_place(x), or give an output "
                    "as well");
    } else if constexpr (detail::is_argument<detail::Access::read, !Way::keeps_values, Data>()) {
      return Way::give(data, std::move(result), here, [&](const auto& in, Result& out) {
        return begin(make(detail::memory_in(in), detail::memory_of_result(out)));
      });
    }
  }
};

}  // namespace cohort
