// SPDX-License-Identifier: Apache-2.0
// Objects that are no elements, and travel as bytes.
#pragma once

#include <string>

namespace cohort {

// An object and who packs it: Packer::pack(const T&) makes the bytes, Packer::unpack(T&, const std::string&) reads
// them. cohort::serialized() makes one (serialized.hpp). For send, receive, bcast, gather, concat, and, with a vector
// of objects, scatter and shuffle, in blocking calls.
template <class T, class Packer>
struct Packed {
  T& object;
};

}  // namespace cohort
