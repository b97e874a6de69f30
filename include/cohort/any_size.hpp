// SPDX-License-Identifier: Apache-2.0
// Calls for data whose sizes only the sender knows. They are blocking: the sizes travel first, or with the message.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
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

// The calls of a group, with those for data of any size.
class AnySize : public Collectives<detail::Blocking> {
  using Base = Collectives<detail::Blocking>;

 public:
  using Base::Base;
  using Base::bcast;
  using Base::concat;
  using Base::gather;
  using Base::receive;
  using Base::receive_any;
  using Base::scatter;
  using Base::send;

  // A value, or a vector or a string of the size that was sent, from any member.
  template <class T>
  Arrived<T> receive_any(Tag tag = {}, Where where = Where::current()) const {
    Arrived<T> arrived;
    if constexpr (detail::can_be_received<T>()) {
      const detail::Letter any = detail::letter_without_memory<T>(Operation::receive_any, 0, tag, where);
      arrived.source = detail::run(state(), any, detail::Patience::waits, detail::room_in(arrived.data))->source;
    }
    return arrived;
  }

  // @cond What does not compile, for the compiler's words.
  template <class T, std::integral Number>
  auto try_receive(Rank, Number, Where = Where::current()) const {
    return detail::refuse_number_as_tag<Operation::receive, T, Number>();
  }
  template <class T, std::integral Number>
  auto probe(Rank, Number, Where = Where::current()) const {
    return detail::refuse_number_as_tag<Operation::receive_any, T, Number>();
  }
  // @endcond

  // A value, a vector or a string, if its message has arrived. Makes progress, never waits.
  template <class T>
  std::optional<T> try_receive(Rank from, Tag tag = {}, Where where = Where::current()) const {
    std::optional<T> data;
    if constexpr (detail::can_be_received<T>()) {
      data.emplace();
      if (!detail::run(state(), detail::letter_without_memory<T>(Operation::receive, from, tag, where),
                       detail::Patience::looks, detail::room_in(*data)))
        data.reset();
    }
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
    if constexpr (detail::can_be_parts<In>()) {
      const detail::Memory mine = detail::memory_in(in);
      const std::vector<Count> counts = gathered_counts(mine.count, root, where);
      if (rank() == root) all = Parts<T>::with_counts(counts);
      std::vector<detail::Part> parts;
      for (Rank from = 0; from < all.size(); ++from) parts.push_back({from, detail::memory_of(all[from])});
      detail::move_parts(state(), {{root, mine}}, parts,
                         detail::letter_for_elements<T>(Operation::gather, root, Tag{}, where));
    }
    return all;
  }
  template <class In>
  auto concat_all(In&& in, Where where = Where::current()) const {
    using T = detail::TypeIn<In>;
    Parts<T> all;
    if constexpr (detail::can_be_parts<In>()) {
      const std::vector<Count> counts = all_counts(detail::memory_in(in).count, where);
      all = Parts<T>::with_counts(counts);
      concat(std::forward<In>(in), all.elements, counts, where);
    }
    return all;
  }

  // Part r of the root's `parts` becomes the result of rank r. Elsewhere `parts` is not used, and may be empty.
  template <class T>
  std::vector<T> scatter_all(const Parts<T>& parts, Rank root, Where where = Where::current()) const {
    if constexpr (detail::can_be_parts<std::span<const T>>()) {
      return scatter_parts<T>(parts, root, where);
    } else {
      return {};
    }
  }
  template <class Part, class Allocator>  // which {} has not
  auto scatter_all(const std::vector<Part, Allocator>& parts, Rank root, Where where = Where::current()) const {
    if constexpr (detail::is_part<Part>()) {
      return scatter_parts<detail::ElementOf<Part>>(parts, root, where);
    } else {
      return std::vector<detail::TypeIn<Part>>();
    }
  }

  // parts[r] goes to rank r. Gives the parts that came, in rank order.
  template <class Part>
  auto shuffle(const std::vector<Part>& parts, Where where = Where::current()) const {
    if constexpr (detail::is_part<Part>()) {
      std::vector<std::size_t> counts;
      std::vector<detail::ElementOf<Part>> elements;
      for (const Part& part : parts) {
        counts.push_back(std::ranges::size(part));
        elements.insert(elements.end(), std::ranges::begin(part), std::ranges::end(part));
      }
      return shuffle(elements, counts, where);
    } else {
      return Parts<detail::TypeIn<Part>>();
    }
  }
  // The parts lie one behind another; that for rank r has counts[r] elements.
  template <class In, detail::Counts Sizes>
  auto shuffle(In&& in, const Sizes& counts, Where where = Where::current()) const {
    using T = detail::TypeIn<In>;
    Parts<T> all;
    if constexpr (detail::can_be_parts<In>()) {
      const std::vector<Count> sent(std::ranges::begin(counts), std::ranges::end(counts));
      const std::vector<Count> received = exchanged_counts(sent, where);
      all = Parts<T>::with_counts(received);
      index(std::forward<In>(in), sent, all.elements, received, where);
    }
    return all;
  }

  // Objects: all.send(cohort::serialized(map), 1) (serialized.hpp).
  template <class T, class Packer>
  void send(Packed<T, Packer> packed, Rank to, Tag tag = {}, Where where = Where::current()) const {
    send(Packer::pack(packed.object), to, tag, where);
  }
  template <class T, class Packer>
  void receive(Packed<T, Packer> packed, Rank from, Tag tag = {}, Where where = Where::current()) const {
    Packer::unpack(packed.object, received_bytes(from, tag, where));
  }
  template <class T, class Packer>
  void bcast(Packed<T, Packer> packed, Rank root, Where where = Where::current()) const {
    std::string bytes = rank() == root ? Packer::pack(packed.object) : std::string();
    bcast_bytes(bytes, root, where);
    if (rank() != root) Packer::unpack(packed.object, bytes);
  }
  // Gives the root a vector of the objects.
  template <class T, class Packer>
  std::vector<std::remove_const_t<T>> gather(Packed<T, Packer> packed, Rank root,
                                             Where where = Where::current()) const {
    return unpacked<T, Packer>(gather_all(Packer::pack(packed.object), root, where));
  }
  // Gives every rank a vector of the objects.
  template <class T, class Packer>
  std::vector<std::remove_const_t<T>> concat(Packed<T, Packer> packed, Where where = Where::current()) const {
    return unpacked<T, Packer>(concat_all(Packer::pack(packed.object), where));
  }
  // The root has a vector of objects, one for each rank; elsewhere it is not used. Gives each rank its object.
  template <class T, class Packer>
  T scatter(Packed<std::vector<T>, Packer> packed, Rank root, Where where = Where::current()) const {
    return scatter_packed<T, Packer>(packed.object, root, where);
  }
  template <class T, class Packer>
  T scatter(Packed<const std::vector<T>, Packer> packed, Rank root, Where where = Where::current()) const {
    return scatter_packed<T, Packer>(packed.object, root, where);
  }
  // A vector of objects: object r goes to rank r. Gives the objects that came, in rank order.
  template <class T, class Packer>
  std::vector<T> shuffle(Packed<std::vector<T>, Packer> packed, Where where = Where::current()) const {
    return unpacked<T, Packer>(shuffle(packed_each<Packer>(packed.object), where));
  }
  template <class T, class Packer>
  std::vector<T> shuffle(Packed<const std::vector<T>, Packer> packed, Where where = Where::current()) const {
    return unpacked<T, Packer>(shuffle(packed_each<Packer>(packed.object), where));
  }

 private:
  // Numbers and bytes travel by calls that are compiled once, in the library.
  std::vector<Count> gathered_counts(Count mine, Rank root, Where where) const;
  std::vector<Count> all_counts(Count mine, Where where) const;
  std::vector<Count> exchanged_counts(const std::vector<Count>& sent, Where where) const;
  Count scattered_count(const std::vector<Count>& counts, Rank root, Where where) const;
  std::string scattered_bytes(const std::vector<std::string>& parts, Rank root, Where where) const;
  std::string received_bytes(Rank from, Tag tag, Where where) const;
  void bcast_bytes(std::string& bytes, Rank root, Where where) const;

  template <class Packer, class T>
  static std::vector<std::string> packed_each(const std::vector<T>& objects) {
    std::vector<std::string> parts;
    for (const T& object : objects) parts.push_back(Packer::pack(object));
    return parts;
  }
  template <class T, class Packer, class Bytes>
  static std::vector<std::remove_const_t<T>> unpacked(const Bytes& parts) {
    std::vector<std::remove_const_t<T>> objects(static_cast<std::size_t>(parts.size()));
    std::size_t next = 0;
    for (const auto part : parts) Packer::unpack(objects[next++], std::string(part.begin(), part.end()));
    return objects;
  }
  template <class T, class Packer>
  T scatter_packed(const std::vector<T>& objects, Rank root, const Where& where) const {
    const std::vector<std::string> parts = rank() == root ? packed_each<Packer>(objects) : std::vector<std::string>();
    T mine{};
    Packer::unpack(mine, scattered_bytes(parts, root, where));
    return mine;
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
    std::vector<T> mine(static_cast<std::size_t>(scattered_count(counts, root, where)));
    detail::move_parts(state(), parts, {{root, detail::memory_of(mine)}},
                       detail::letter_for_elements<T>(Operation::scatter, root, Tag{}, where));
    return mine;
  }
};

}  // namespace cohort
