// Copying memory, without what makes it twenty times slower between some places.
#pragma once

#include <cstddef>

namespace cohort::detail {

// As std::memmove().
void copy_bytes(std::byte* target, const std::byte* source, std::size_t size);

}  // namespace cohort::detail
