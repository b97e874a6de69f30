// SPDX-License-Identifier: Apache-2.0
// Objects of any type that cereal can serialise: vectors of strings, maps, classes with a serialize(). To be included
// where it is needed; it needs cereal (Debian's libcereal-dev) and the headers of cereal for the types:
//
//   #include <cereal/types/map.hpp>
//   #include <cereal/types/string.hpp>
//   #include <cohort/serialized.hpp>
//   std::map<std::string, int> counts;
//   all.bcast(cohort::serialized(counts), 0);
#pragma once

#if !__has_include(<cereal/archives/portable_binary.hpp>)
#error "cohort: serialized() needs cereal: Debian's package libcereal-dev"
#endif
#include <cereal/archives/portable_binary.hpp>
#include <sstream>
#include <string>
#include <type_traits>

#include "cohort/packed.hpp"

namespace cohort {

namespace detail {

struct Cereal {
  template <class T>
  static std::string pack(const T& object) {
    std::ostringstream bytes;
    cereal::PortableBinaryOutputArchive archive(bytes);
    archive(object);
    return std::move(bytes).str();
  }

  // Throws cereal::Exception if the bytes are those of another type.
  template <class T>
  static void unpack(T& object, const std::string& bytes) {
    std::istringstream stream(bytes);
    cereal::PortableBinaryInputArchive archive(stream);
    archive(object);
  }
};

}  // namespace detail

// The object is read, or written, during the call. The same on machines of different byte orders.
template <class T>
Packed<T, detail::Cereal> serialized(T& object) {
  return {object};
}

}  // namespace cohort
