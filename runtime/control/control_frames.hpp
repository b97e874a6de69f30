// SPDX-License-Identifier: Apache-2.0
// Length-prefixed messages on a non-blocking stream socket: four bytes of length, little endian, then the message. Both
// ends of a process's link to its agent use them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cohort {

// The environment variable with the number of the link's descriptor.
inline constexpr const char* control_variable = "COHORT_CONTROL_FD";

// The longest message to a process. The table of a job of 10,000 processes takes a fraction of it.
inline constexpr std::size_t longest_to_process = 16u << 20;
// The longest message from a process.
inline constexpr std::size_t longest_from_process = 2u << 20;

// How many descriptors one message can bring; the system's limit is a little higher.
inline constexpr std::size_t most_descriptors = 200;

// Appends a frame with this body.
void append_frame(std::string& to, std::string_view body);

class FrameReader {
 public:
  explicit FrameReader(std::size_t longest, bool with_descriptors = false)
      : longest_(longest), with_descriptors_(with_descriptors) {}
  ~FrameReader();
  FrameReader(const FrameReader&) = delete;

  // Reads all that is available, without waiting. Returns false when the other side has closed, or the socket has
  // failed.
  bool fill(int descriptor);

  // The same, but reads nothing beyond the next message: bytes that follow it leave the descriptor readable.
  bool fill_one(int descriptor);

  // Descriptors that have come with the bytes, in their order; they are the caller's. Only if the reader takes them.
  std::vector<int> take_descriptors();

  // The next whole message; valid until the next call of fill(). Throws Error(job) if its length makes no sense.
  std::optional<std::string_view> next();

 private:
  enum class Got { some, nothing_yet, end };
  Got receive(int descriptor, std::size_t most);
  std::size_t missing() const;  // bytes until the end of the next message, as far as its length is known
  std::optional<std::size_t> length() const;
  void forget_taken();

  std::size_t longest_;
  bool with_descriptors_;
  std::vector<int> descriptors_;
  std::string bytes_;
  std::size_t begin_ = 0;  // of the first message that was not taken yet
};

}  // namespace cohort
