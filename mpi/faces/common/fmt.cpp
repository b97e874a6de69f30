// SPDX-License-Identifier: Apache-2.0
// The functions of fmt itself. In the library, and hidden, so that a program may bring another version of it.
#include <fmt/format-inl.h>
