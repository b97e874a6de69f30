// Collective operations, persistent: prepare_combine() takes the arguments of combine() (collectives.hpp) and
// communicates nothing. start() on the object that it returns starts the operation, any number of times.
#pragma once

#include "cohort/started_collectives.hpp"

namespace cohort {

class PreparedCollectives : public StartedCollectives {
 public:
  template <MutableElements R>
  Persistent prepare_bcast(R&& data, Rank root, Where where = Where::current()) const {
    return detail::prepare(handle(), detail::with_root(detail::in_place_call_of<detail::ElementOf<R>>(
                                                           Operation::bcast, detail::memory_of(data), where),
                                                       root));
  }
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out> Persistent prepare_reduce(In&& in, Out&& out, const Op& op, Rank root,
                                                                   Where where = Where::current())
  const {
    return detail::prepare(
        handle(), detail::with_root(detail::reduction_call_of<detail::ElementOf<In>>(
                                        Operation::reduce, detail::memory_of(in), detail::memory_of(out), op, where),
                                    root));
  }
  template <MutableElements R, ReductionOperator<detail::ElementOf<R>> Op>
  Persistent prepare_reduce(R&& data, const Op& op, Rank root, Where where = Where::current()) const {
    return detail::prepare(
        handle(), detail::with_root(detail::reduction_call_of<detail::ElementOf<R>>(
                                        Operation::reduce, detail::memory_of(data), detail::memory_of(data), op, where),
                                    root));
  }
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out> Persistent prepare_combine(In&& in, Out&& out, const Op& op,
                                                                    Where where = Where::current())
  const {
    return detail::prepare(handle(), detail::reduction_call_of<detail::ElementOf<In>>(
                                         Operation::combine, detail::memory_of(in), detail::memory_of(out), op, where));
  }
  template <MutableElements R, ReductionOperator<detail::ElementOf<R>> Op>
  Persistent prepare_combine(R&& data, const Op& op, Where where = Where::current()) const {
    return detail::prepare(handle(),
                           detail::reduction_call_of<detail::ElementOf<R>>(Operation::combine, detail::memory_of(data),
                                                                           detail::memory_of(data), op, where));
  }
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out> Persistent prepare_scatter(In&& in, Out&& out, Rank root,
                                                                    Where where = Where::current())
  const {
    return detail::prepare(
        handle(), detail::with_root(detail::call_of<detail::ElementOf<In>>(Operation::scatter, detail::memory_of(in),
                                                                           detail::memory_of(out), where),
                                    root));
  }
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out> Persistent prepare_scatter(In&& in, std::span<const Count> counts, Out&& out,
                                                                    Rank root, Where where = Where::current())
  const {
    return detail::prepare(
        handle(), detail::with_root(
                      detail::with_counts(detail::call_of<detail::ElementOf<In>>(
                                              Operation::scatter, detail::memory_of(in), detail::memory_of(out), where),
                                          counts),
                      root));
  }
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out> Persistent prepare_gather(In&& in, Out&& out, Rank root,
                                                                   Where where = Where::current())
  const {
    return detail::prepare(
        handle(), detail::with_root(detail::call_of<detail::ElementOf<In>>(Operation::gather, detail::memory_of(in),
                                                                           detail::memory_of(out), where),
                                    root));
  }
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out> Persistent prepare_gather(In&& in, Out&& out, std::span<const Count> counts,
                                                                   Rank root, Where where = Where::current())
  const {
    return detail::prepare(handle(), detail::with_root(detail::with_counts(detail::call_of<detail::ElementOf<In>>(
                                                                               Operation::gather, detail::memory_of(in),
                                                                               detail::memory_of(out), where),
                                                                           counts),
                                                       root));
  }
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out> Persistent prepare_concat(In&& in, Out&& out, Where where = Where::current())
  const {
    return detail::prepare(handle(), detail::call_of<detail::ElementOf<In>>(Operation::concat, detail::memory_of(in),
                                                                            detail::memory_of(out), where));
  }
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out> Persistent prepare_concat(In&& in, Out&& out, std::span<const Count> counts,
                                                                   Where where = Where::current())
  const {
    return detail::prepare(
        handle(), detail::with_counts(detail::call_of<detail::ElementOf<In>>(Operation::concat, detail::memory_of(in),
                                                                             detail::memory_of(out), where),
                                      counts));
  }
  template <MutableElements R>
  Persistent prepare_concat(R&& data, Where where = Where::current()) const {
    return detail::prepare(
        handle(), detail::in_place_call_of<detail::ElementOf<R>>(Operation::concat, detail::memory_of(data), where));
  }
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out> Persistent prepare_index(In&& in, Out&& out, Where where = Where::current())
  const {
    return detail::prepare(handle(), detail::call_of<detail::ElementOf<In>>(Operation::index, detail::memory_of(in),
                                                                            detail::memory_of(out), where));
  }
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out> Persistent prepare_index(In&& in, std::span<const Count> send_counts,
                                                                  Out&& out, std::span<const Count> receive_counts,
                                                                  Where where = Where::current())
  const {
    return detail::prepare(
        handle(), detail::with_counts(detail::call_of<detail::ElementOf<In>>(Operation::index, detail::memory_of(in),
                                                                             detail::memory_of(out), where),
                                      send_counts, receive_counts));
  }
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out> Persistent prepare_reduce_scatter(In&& in, Out&& out, const Op& op,
                                                                           Where where = Where::current())
  const {
    return detail::prepare(
        handle(), detail::reduction_call_of<detail::ElementOf<In>>(Operation::reduce_scatter, detail::memory_of(in),
                                                                   detail::memory_of(out), op, where));
  }
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out> Persistent prepare_reduce_scatter(In&& in, Out&& out,
                                                                           std::span<const Count> counts, const Op& op,
                                                                           Where where = Where::current())
  const {
    return detail::prepare(handle(), detail::with_counts(detail::reduction_call_of<detail::ElementOf<In>>(
                                                             Operation::reduce_scatter, detail::memory_of(in),
                                                             detail::memory_of(out), op, where),
                                                         counts));
  }
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out> Persistent prepare_prefix(In&& in, Out&& out, const Op& op,
                                                                   Where where = Where::current())
  const {
    return detail::prepare(handle(), detail::reduction_call_of<detail::ElementOf<In>>(
                                         Operation::prefix, detail::memory_of(in), detail::memory_of(out), op, where));
  }
  template <MutableElements R, ReductionOperator<detail::ElementOf<R>> Op>
  Persistent prepare_prefix(R&& data, const Op& op, Where where = Where::current()) const {
    return detail::prepare(handle(),
                           detail::reduction_call_of<detail::ElementOf<R>>(Operation::prefix, detail::memory_of(data),
                                                                           detail::memory_of(data), op, where));
  }
  template <Elements In, MutableElements Out, ReductionOperator<detail::ElementOf<In>> Op>
  requires detail::SameElements<In, Out> Persistent prepare_exclusive_prefix(In&& in, Out&& out, const Op& op,
                                                                             Where where = Where::current())
  const {
    return detail::prepare(
        handle(), detail::reduction_call_of<detail::ElementOf<In>>(Operation::exclusive_prefix, detail::memory_of(in),
                                                                   detail::memory_of(out), op, where));
  }
  template <MutableElements R, ReductionOperator<detail::ElementOf<R>> Op>
  Persistent prepare_exclusive_prefix(R&& data, const Op& op, Where where = Where::current()) const {
    return detail::prepare(
        handle(), detail::reduction_call_of<detail::ElementOf<R>>(Operation::exclusive_prefix, detail::memory_of(data),
                                                                  detail::memory_of(data), op, where));
  }
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out> Persistent prepare_shift(In&& in, Out&& out, Count distance,
                                                                  Where where = Where::current())
  const {
    return detail::prepare(
        handle(), detail::with_shift(detail::call_of<detail::ElementOf<In>>(Operation::shift, detail::memory_of(in),
                                                                            detail::memory_of(out), where),
                                     distance, true));
  }
  template <Elements In, MutableElements Out>
  requires detail::SameElements<In, Out> Persistent prepare_open_shift(In&& in, Out&& out, Count distance,
                                                                       Where where = Where::current())
  const {
    return detail::prepare(
        handle(), detail::with_shift(detail::call_of<detail::ElementOf<In>>(Operation::shift, detail::memory_of(in),
                                                                            detail::memory_of(out), where),
                                     distance, false));
  }
  Persistent prepare_sync(Where where = Where::current()) const {
    return detail::prepare(handle(), detail::call_of<std::byte>(Operation::sync, {}, {}, where));
  }

 protected:
  using StartedCollectives::StartedCollectives;
};

}  // namespace cohort
