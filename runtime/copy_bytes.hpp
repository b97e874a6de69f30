// Copying memory as fast as the processor can, wherever the two places are.
#pragma once

#include <cstddef>

namespace cohort::detail {

// As std::memmove().
void copy_bytes(std::byte* target, const std::byte* source, std::size_t size);

}  // namespace cohort::detail
