// Collective operations, blocking. All members of the group make the same calls in the same order, with arguments that
// match: root, sizes, type, operator. Ranges may be spans, vectors, arrays or strings of trivially copyable elements.
// Input and output must not overlap, except in the in-place forms. Every function throws Error.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cohort/channels.hpp"
#include "cohort/detail/calls.hpp"

namespace cohort {

class Collectives : public Channels {
 public:
  // The root's elements reach every rank. All pass the same number of elements.
  template <MutableElements R>
  void bcast(R&& data, Rank root, Where where = Where::current()) const {
    return detail::run(handle(), detail::with_root(detail::in_place_call_of<detail::ElementOf<R>>(
                                                       Operation::bcast, detail::memory_of(data), where),
                                                   root));
  }

  // out = in of rank 0 (+) ... (+) in of rank p-1, at the root; elsewhere `out` is not used and may be empty.
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out>
  void reduce(In&& in, Out&& out, const Op& op, Rank root, Where where = Where::current()) const {
    return detail::run(
        handle(), detail::with_root(detail::reduction_call_of<detail::ElementOf<In>>(
                                        Operation::reduce, detail::memory_of(in), detail::memory_of(out), op, where),
                                    root));
  }

  // In place at the root; the other ranks' data are not changed.
  template <MutableElements R, ReductionOperator<detail::ElementOf<R>> Op>
  void reduce(R&& data, const Op& op, Rank root, Where where = Where::current()) const {
    return detail::run(
        handle(), detail::with_root(detail::reduction_call_of<detail::ElementOf<R>>(
                                        Operation::reduce, detail::memory_of(data), detail::memory_of(data), op, where),
                                    root));
  }

  // The same reduction, with the result at every rank. `out` may be `in`.
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out>
  void combine(In&& in, Out&& out, const Op& op, Where where = Where::current()) const {
    return detail::run(handle(), detail::reduction_call_of<detail::ElementOf<In>>(
                                     Operation::combine, detail::memory_of(in), detail::memory_of(out), op, where));
  }

  template <MutableElements R, ReductionOperator<detail::ElementOf<R>> Op>
  void combine(R&& data, const Op& op, Where where = Where::current()) const {
    return detail::run(handle(), detail::reduction_call_of<detail::ElementOf<R>>(
                                     Operation::combine, detail::memory_of(data), detail::memory_of(data), op, where));
  }

  // Block r of the root's `in` reaches rank r. Equal blocks of out's size; `in` is used at the root only, p blocks
  // long.
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out>
  void scatter(In&& in, Out&& out, Rank root, Where where = Where::current()) const {
    return detail::run(
        handle(), detail::with_root(detail::call_of<detail::ElementOf<In>>(Operation::scatter, detail::memory_of(in),
                                                                           detail::memory_of(out), where),
                                    root));
  }

  // The same with counts[r] elements for rank r; every rank passes all counts.
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out>
  void scatter(In&& in, std::span<const Count> counts, Out&& out, Rank root, Where where = Where::current()) const {
    return detail::run(handle(), detail::with_root(detail::with_counts(detail::call_of<detail::ElementOf<In>>(
                                                                           Operation::scatter, detail::memory_of(in),
                                                                           detail::memory_of(out), where),
                                                                       counts),
                                                   root));
  }

  // The reverse of scatter: rank r's `in` becomes block r of the root's `out`; elsewhere `out` is not used.
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out>
  void gather(In&& in, Out&& out, Rank root, Where where = Where::current()) const {
    return detail::run(
        handle(), detail::with_root(detail::call_of<detail::ElementOf<In>>(Operation::gather, detail::memory_of(in),
                                                                           detail::memory_of(out), where),
                                    root));
  }

  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out>
  void gather(In&& in, Out&& out, std::span<const Count> counts, Rank root, Where where = Where::current()) const {
    return detail::run(handle(), detail::with_root(detail::with_counts(detail::call_of<detail::ElementOf<In>>(
                                                                           Operation::gather, detail::memory_of(in),
                                                                           detail::memory_of(out), where),
                                                                       counts),
                                                   root));
  }

  // Every rank's block reaches every rank: `out` is the p blocks in rank order.
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out>
  void concat(In&& in, Out&& out, Where where = Where::current()) const {
    return detail::run(handle(), detail::call_of<detail::ElementOf<In>>(Operation::concat, detail::memory_of(in),
                                                                        detail::memory_of(out), where));
  }

  // Rank r's block has counts[r] elements.
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out>
  void concat(In&& in, Out&& out, std::span<const Count> counts, Where where = Where::current()) const {
    return detail::run(
        handle(), detail::with_counts(detail::call_of<detail::ElementOf<In>>(Operation::concat, detail::memory_of(in),
                                                                             detail::memory_of(out), where),
                                      counts));
  }

  // In place: this rank's block is at its place in `data` already.
  template <MutableElements R>
  void concat(R&& data, Where where = Where::current()) const {
    return detail::run(
        handle(), detail::in_place_call_of<detail::ElementOf<R>>(Operation::concat, detail::memory_of(data), where));
  }

  // All-to-all personalised: block j of rank i's `in` becomes block i of rank j's `out`. Equal blocks.
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out>
  void index(In&& in, Out&& out, Where where = Where::current()) const {
    return detail::run(handle(), detail::call_of<detail::ElementOf<In>>(Operation::index, detail::memory_of(in),
                                                                        detail::memory_of(out), where));
  }

  // send_counts[j] elements go to rank j, receive_counts[i] come from rank i.
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out>
  void index(In&& in, std::span<const Count> send_counts, Out&& out, std::span<const Count> receive_counts,
             Where where = Where::current()) const {
    return detail::run(
        handle(), detail::with_counts(detail::call_of<detail::ElementOf<In>>(Operation::index, detail::memory_of(in),
                                                                             detail::memory_of(out), where),
                                      send_counts, receive_counts));
  }

  // A reduction of p blocks; rank r gets block r of the result. Equal blocks of out's size.
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out>
  void reduce_scatter(In&& in, Out&& out, const Op& op, Where where = Where::current()) const {
    return detail::run(
        handle(), detail::reduction_call_of<detail::ElementOf<In>>(Operation::reduce_scatter, detail::memory_of(in),
                                                                   detail::memory_of(out), op, where));
  }

  // Block r has counts[r] elements.
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out>
  void reduce_scatter(In&& in, Out&& out, std::span<const Count> counts, const Op& op,
                      Where where = Where::current()) const {
    return detail::run(handle(), detail::with_counts(detail::reduction_call_of<detail::ElementOf<In>>(
                                                         Operation::reduce_scatter, detail::memory_of(in),
                                                         detail::memory_of(out), op, where),
                                                     counts));
  }

  // Inclusive scan: rank r gets in of rank 0 (+) ... (+) in of rank r. `out` may be `in`.
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out>
  void prefix(In&& in, Out&& out, const Op& op, Where where = Where::current()) const {
    return detail::run(handle(), detail::reduction_call_of<detail::ElementOf<In>>(
                                     Operation::prefix, detail::memory_of(in), detail::memory_of(out), op, where));
  }

  template <MutableElements R, ReductionOperator<detail::ElementOf<R>> Op>
  void prefix(R&& data, const Op& op, Where where = Where::current()) const {
    return detail::run(handle(), detail::reduction_call_of<detail::ElementOf<R>>(
                                     Operation::prefix, detail::memory_of(data), detail::memory_of(data), op, where));
  }

  // Rank r gets in of rank 0 (+) ... (+) in of rank r-1; rank 0's `out` is not changed.
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out>
  void exclusive_prefix(In&& in, Out&& out, const Op& op, Where where = Where::current()) const {
    return detail::run(
        handle(), detail::reduction_call_of<detail::ElementOf<In>>(Operation::exclusive_prefix, detail::memory_of(in),
                                                                   detail::memory_of(out), op, where));
  }

  template <MutableElements R, ReductionOperator<detail::ElementOf<R>> Op>
  void exclusive_prefix(R&& data, const Op& op, Where where = Where::current()) const {
    return detail::run(
        handle(), detail::reduction_call_of<detail::ElementOf<R>>(Operation::exclusive_prefix, detail::memory_of(data),
                                                                  detail::memory_of(data), op, where));
  }

  // Rank r's `in` becomes the `out` of rank (r + distance) mod p. The distance may be negative.
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out>
  void shift(In&& in, Out&& out, Count distance, Where where = Where::current()) const {
    return detail::run(
        handle(), detail::with_shift(detail::call_of<detail::ElementOf<In>>(Operation::shift, detail::memory_of(in),
                                                                            detail::memory_of(out), where),
                                     distance, true));
  }

  // The same without wrap-around: data that leave 0 ... p-1 are dropped. A rank that receives nothing keeps its `out`.
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out>
  void open_shift(In&& in, Out&& out, Count distance, Where where = Where::current()) const {
    return detail::run(
        handle(), detail::with_shift(detail::call_of<detail::ElementOf<In>>(Operation::shift, detail::memory_of(in),
                                                                            detail::memory_of(out), where),
                                     distance, false));
  }

  // Barrier: no member returns before all have called.
  void sync(Where where = Where::current()) const {
    return detail::run(handle(), detail::call_of<std::byte>(Operation::sync, {}, {}, where));
  }

  // The algorithm of the latest collective call on this group, as "bcast/binomial"; empty before the first call.
  std::string latest_algorithm() const;

  // The same operations on one value per rank. They return the result; a rank without one gets an empty optional or
  // vector.
  template <Value T>
  void bcast(T& value, Rank root, Where where = Where::current()) const {
    bcast(std::span(&value, 1), root, where);
  }
  template <Value T, ReductionOperator<T> Op>
  std::optional<T> reduce(T value, const Op& op, Rank root, Where where = Where::current()) const {
    reduce(std::span(&value, 1), op, root, where);
    return rank() == root ? std::optional<T>(value) : std::nullopt;
  }
  template <Value T, ReductionOperator<T> Op>
  T combine(T value, const Op& op, Where where = Where::current()) const {
    combine(std::span(&value, 1), op, where);
    return value;
  }
  template <Elements In>
  detail::ElementOf<In> scatter(In&& in, Rank root, Where where = Where::current()) const {
    detail::ElementOf<In> value{};
    scatter(in, std::span(&value, 1), root, where);
    return value;
  }
  template <Value T>
  std::vector<T> gather(const T& value, Rank root, Where where = Where::current()) const {
    std::vector<T> all(rank() == root ? static_cast<std::size_t>(size()) : 0);
    gather(std::span(&value, 1), all, root, where);
    return all;
  }
  template <Value T>
  std::vector<T> concat(const T& value, Where where = Where::current()) const {
    std::vector<T> all(static_cast<std::size_t>(size()));
    concat(std::span(&value, 1), all, where);
    return all;
  }
  template <Value T, ReductionOperator<T> Op>
  T prefix(T value, const Op& op, Where where = Where::current()) const {
    prefix(std::span(&value, 1), op, where);
    return value;
  }
  template <Value T, ReductionOperator<T> Op>
  std::optional<T> exclusive_prefix(T value, const Op& op, Where where = Where::current()) const {
    exclusive_prefix(std::span(&value, 1), op, where);
    return rank() == 0 ? std::nullopt : std::optional<T>(value);
  }
  template <Value T>
  T shift(const T& value, Count distance, Where where = Where::current()) const {
    T arrived{};
    shift(std::span(&value, 1), std::span(&arrived, 1), distance, where);
    return arrived;
  }

 protected:
  using Channels::Channels;
};

}  // namespace cohort
