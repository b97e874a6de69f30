// SPDX-License-Identifier: Apache-2.0
// Calls for data whose sizes only the sender knows. They are blocking: the sizes travel first, or with the message.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cohort/collectives.hpp"
#include "cohort/packed.hpp"
#include "cohort/parts.hpp"

namespace cohort {

// What receive_any() of any size gives.
template <class T>
struct Arrived {
  Rank source = 0;
  T data{};
};

class AnySize : public Collectives<detail::Blocking> {
  using Base = Collectives<detail::Blocking>;

 public:
  using Base::Base;
  using Base::bcast;
  using Base::gather;
  using Base::receive;
  using Base::receive_any;
  using Base::send;

  // A vector or a string of the size that was sent, from any member.
  template <Growing T>
  Arrived<T> receive_any(Tag tag = {}, Where where = Where::current()) const {
    Arrived<T> arrived;
    const detail::Letter any = detail::letter_without_memory<T>(Operation::receive_any, 0, tag, where);
    arrived.source = detail::run(state(), any, detail::Patience::waits, detail::room_in(arrived.data))->source;
    return arrived;
  }

  // A value, a vector or a string, if its message has arrived. Makes progress, never waits.
  template <class T>
  std::optional<T> try_receive(Rank from, Tag tag = {}, Where where = Where::current()) const {
    std::optional<T> data(T{});
    if (!detail::run(state(), detail::letter_without_memory<T>(Operation::receive, from, tag, where),
                     detail::Patience::looks, detail::room_in(*data)))
      data.reset();
    return data;
  }

  // Waits for the next message, and leaves it to a receive. Gives the number of its elements of type T.
  template <Value T>
  Count probe(Rank from, Tag tag = {}, Where where = Where::current()) const {
    return arrival<T>(detail::letter_without_memory<T>(Operation::receive, from, tag, where)).count;
  }
  template <Value T>
  Arrival probe_any(Tag tag = {}, Where where = Where::current()) const {
    return arrival<T>(detail::letter_without_memory<T>(Operation::receive_any, 0, tag, where));
  }

  // Each rank's elements become a part of the result, in rank order: at the root, or at every rank.
  template <class In>
  auto gather_all(In&& in, Rank root, Where where = Where::current()) const {
    using T = detail::TypeIn<In>;
    Parts<T> all;
    const detail::Memory mine = read<In>(in);
    const std::vector<Count> counts = gather(mine.count, root, where);
    if (rank() == root) all = Parts<T>::with_counts(counts);
    std::vector<detail::Part> parts;
    for (Rank from = 0; from < all.size(); ++from) parts.push_back({from, detail::memory_of(all[from])});
    detail::move_parts(state(), {{root, mine}}, parts,
                       detail::letter_without_memory<T>(Operation::gather, root, {}, where));
    return all;
  }
  template <class In>
  auto concat_all(In&& in, Where where = Where::current()) const {
    const detail::Memory mine = read<In>(in);
    const std::vector<Count> counts = concat(mine.count, where);
    auto all = Parts<detail::TypeIn<In>>::with_counts(counts);
    concat(in, all.elements, counts, where);
    return all;
  }

  // Part r of the root's `parts` becomes the result of rank r. Elsewhere `parts` is not used, and may be empty.
  template <class T>
  std::vector<T> scatter_all(const Parts<T>& parts, Rank root, Where where = Where::current()) const {
    return scatter_parts<T>(parts, root, where);
  }
  template <Growing Part>
  auto scatter_all(const std::vector<Part>& parts, Rank root, Where where = Where::current()) const {
    return scatter_parts<detail::ElementOf<Part>>(parts, root, where);
  }

  // parts[r] goes to rank r. Gives the parts that came, in rank order.
  template <Growing Part>
  auto shuffle(const std::vector<Part>& parts, Where where = Where::current()) const {
    std::vector<std::size_t> counts;
    std::vector<detail::ElementOf<Part>> elements;
    for (const Part& part : parts) {
      counts.push_back(part.size());
      elements.insert(elements.end(), part.begin(), part.end());
    }
    return shuffle(elements, counts, where);
  }
  // The parts lie one behind another; that for rank r has counts[r] elements.
  template <class In, detail::Counts Sizes>
  auto shuffle(In&& in, const Sizes& counts, Where where = Where::current()) const {
    const std::vector<Count> sent(std::ranges::begin(counts), std::ranges::end(counts));
    std::vector<Count> received(static_cast<std::size_t>(size()));
    index(sent, received, where);
    auto all = Parts<detail::TypeIn<In>>::with_counts(received);
    index(in, sent, all.elements, received, where);
    return all;
  }

  template <class T, class Packer>
  void send(Packed<T, Packer> packed, Rank to, Tag tag = {}, Where where = Where::current()) const {
    send(Packer::pack(packed.object), to, tag, where);
  }
  template <class T, class Packer>
  void receive(Packed<T, Packer> packed, Rank from, Tag tag = {}, Where where = Where::current()) const {
    Packer::unpack(packed.object, receive<std::string>(from, tag, where));
  }
  template <class T, class Packer>
  void bcast(Packed<T, Packer> packed, Rank root, Where where = Where::current()) const {
    std::string bytes = rank() == root ? Packer::pack(packed.object) : std::string();
    Count size = static_cast<Count>(bytes.size());
    bcast(size, root, where);
    bytes.resize(static_cast<std::size_t>(size));
    bcast(bytes, root, where);
    if (rank() != root) Packer::unpack(packed.object, bytes);
  }
  // Gives the root a vector of the objects.
  template <class T, class Packer>
  std::vector<std::remove_const_t<T>> gather(Packed<T, Packer> packed, Rank root,
                                             Where where = Where::current()) const {
    const Parts<char> all = gather_all(Packer::pack(packed.object), root, where);
    std::vector<std::remove_const_t<T>> objects(static_cast<std::size_t>(all.size()));
    for (Rank from = 0; from < all.size(); ++from)
      Packer::unpack(objects[static_cast<std::size_t>(from)], std::string(all[from].begin(), all[from].end()));
    return objects;
  }

 private:
  template <class In>
  static detail::Memory read(std::remove_reference_t<In>& in) {
    return detail::checked_memory<detail::Access::read, false, In>(in);
  }

  template <class T>
  Arrival arrival(const detail::Letter& letter) const {
    const detail::Received found = detail::wait_for_message(state(), letter);
    return {found.source, found.count / static_cast<Count>(sizeof(T))};
  }

  template <class T, class All>
  std::vector<T> scatter_parts(const All& all, Rank root, const Where& where) const {
    std::vector<detail::Part> parts;
    std::vector<Count> counts;
    if (rank() == root) {
      for (Rank to = 0; to < static_cast<Rank>(std::size(all)); ++to) {
        parts.push_back({to, detail::memory_of(all[static_cast<std::size_t>(to)])});
        counts.push_back(parts.back().memory.count);
      }
    }
    const auto count = scatter(counts, root, where);
    std::vector<T> mine(static_cast<std::size_t>(count));
    detail::move_parts(state(), parts, {{root, detail::memory_of(mine)}},
                       detail::letter_without_memory<T>(Operation::scatter, root, {}, where));
    return mine;
  }
};

}  // namespace cohort
