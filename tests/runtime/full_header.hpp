// SPDX-License-Identifier: Apache-2.0
// A header of which no two fields are the same.
#pragma once

#include "runtime/transport/frame.hpp"

namespace cohort {

inline FrameHeader full_header() {
  FrameHeader header;
  header.group = {7, 8, 0x0123456789abcdefu};
  header.tag = 9;
  header.length = 10;
  header.offset = 11;
  header.transfer = 12;
  header.payload = 13;
  header.credit = 14;
  header.kind = FrameKind::data;
  header.channel = Channel::collective;
  header.call = {Operation::shift, -15};
  return header;
}

}  // namespace cohort
