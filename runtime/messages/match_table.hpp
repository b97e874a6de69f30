// SPDX-License-Identifier: Apache-2.0
// Finds the first entry with an envelope, in the order of arrival: each envelope has a FIFO queue. Entries are linked
// intrusively, so that an entry needs no allocation. A lookup takes constant time for any number of envelopes.
#pragma once

#include <cstdint>
#include <vector>

#include "cohort/types.hpp"
#include "groups/hash.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort {

// The part of a message, besides the source, that a receive must match.
struct Envelope {
  GroupId group;
  std::uint64_t tag = 0;
  Channel channel = Channel::user;

  friend bool operator==(const Envelope&, const Envelope&) = default;
};

// Entry has `Envelope envelope` and `Entry* next_match`.
template <class Entry>
class MatchTable {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(Entry& entry) {
    if (size_ == 0 && chains_.size() > most_kept) chains_ = {};  // for_each() would look at all of them forever
    if (size_ >= chains_.size() * 2) grow();
    append(chain_of(entry.envelope), entry);
    latest_ = &entry;
    ++size_;
  }

  // The only entry; nullptr if there are others, or if an entry that was pushed later has left.
  Entry* only() const { return size_ == 1 ? latest_ : nullptr; }

  // The oldest entry with this envelope, or nullptr.
  Entry* find(const Envelope& envelope) const {
    if (size_ == 0) return nullptr;
    Entry* entry = chain_of(envelope).first;
    while (entry != nullptr && !(entry->envelope == envelope)) entry = entry->next_match;
    return entry;
  }

  // The first entry of all in this group and channel, by `arrival`; or nullptr. Looks at every entry.
  const Entry* first_of(const GroupId& group, Channel channel) const {
    const Entry* first = nullptr;
    for_each([&](const Entry& entry) {
      const bool wanted = entry.envelope.group == group && entry.envelope.channel == channel;
      if (wanted && (first == nullptr || entry.arrival < first->arrival)) first = &entry;
    });
    return first;
  }

  // Removes the oldest entry with this envelope and returns it, or nullptr.
  Entry* pop(const Envelope& envelope) {
    return take([&](const Entry& entry) { return entry.envelope == envelope; }, envelope);
  }

  // Removes this entry. Returns whether it was there.
  bool remove(Entry& wanted) {
    return take([&](const Entry& entry) { return &entry == &wanted; }, wanted.envelope) != nullptr;
  }

  // The function may remove the entry.
  template <class Function>
  void for_each(Function&& function) const {
    std::size_t left = size_;
    for (auto chain = chains_.begin(); left > 0 && chain != chains_.end(); ++chain) {
      for (Entry* entry = chain->first; entry != nullptr; --left) {
        Entry* next = entry->next_match;
        function(*entry);
        entry = next;
      }
    }
  }

 private:
  struct Chain {
    Entry* first = nullptr;
    Entry* last = nullptr;
  };

  static void append(Chain& chain, Entry& entry) {
    entry.next_match = nullptr;
    (chain.last != nullptr ? chain.last->next_match : chain.first) = &entry;
    chain.last = &entry;
  }

  std::size_t place_of(const Envelope& envelope) const {
    const std::uint64_t hash =
        Hash()
            .add(envelope.tag)
            .add(envelope.group.counter | std::uint64_t{static_cast<std::uint32_t>(envelope.group.pid)} << 32)
            .add(envelope.group.derivation + static_cast<std::uint64_t>(envelope.channel))
            .value();
    return hash & (chains_.size() - 1);
  }

  Chain& chain_of(const Envelope& envelope) { return chains_[place_of(envelope)]; }
  const Chain& chain_of(const Envelope& envelope) const { return chains_[place_of(envelope)]; }

  template <class Wanted>
  Entry* take(Wanted&& wanted, const Envelope& envelope) {
    if (size_ == 0) return nullptr;
    Chain& chain = chain_of(envelope);
    Entry* before = nullptr;
    for (Entry* entry = chain.first; entry != nullptr; before = entry, entry = entry->next_match) {
      if (!wanted(*entry)) continue;
      (before != nullptr ? before->next_match : chain.first) = entry->next_match;
      if (chain.last == entry) chain.last = before;
      if (latest_ == entry) latest_ = nullptr;
      --size_;
      return entry;
    }
    return nullptr;
  }

  void grow() {
    std::vector<Chain> old(chains_.empty() ? 4 : chains_.size() * 2);
    old.swap(chains_);
    for (const Chain& chain : old) {
      for (Entry* entry = chain.first; entry != nullptr;) {
        Entry* next = entry->next_match;
        append(chain_of(entry->envelope), *entry);
        entry = next;
      }
    }
  }

  static constexpr std::size_t most_kept = 1024;  // chains, of an empty table

  std::vector<Chain> chains_;  // their number is a power of two
  Entry* latest_ = nullptr;    // the entry pushed last, if it is still here
  std::size_t size_ = 0;
};

}  // namespace cohort
