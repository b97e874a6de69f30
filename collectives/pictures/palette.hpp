// SPDX-License-Identifier: Apache-2.0
// The pictures' colours, which people who can't distinguish red and green can distinguish, too.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "cohort/types.hpp"

namespace cohort::pictures {

// Colours for kinds: cool and warm in turn, so that neighbours (and the two trees of a pipeline) look different.
inline constexpr std::string_view kinds[] = {"#0072b2", "#d55e00", "#009e73", "#cc6699",
                                             "#3b2a8c", "#c99700", "#4aa3df", "#8c2f39"};
inline constexpr int kinds_count = static_cast<int>(std::size(kinds));

// Colours for amounts, from little to much: lighter to darker.
inline constexpr std::string_view amounts[] = {"#d99a1c", "#e07b2c", "#d3533f", "#ab2d5e", "#74206f", "#3a1a5e"};
inline constexpr int amounts_count = static_cast<int>(std::size(amounts));

// The colour of `amount` if `most` is the largest. Each doubling is one step.
inline int amount_index(Count amount, Count most) {
  if (most <= 1) return 0;
  const double part = std::log2(static_cast<double>(amount)) / std::log2(static_cast<double>(most));
  return static_cast<int>(part * (amounts_count - 1) + 0.5 + 1e-6);
}

inline constexpr std::string_view typeface =
    "text{font-family:'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#222}\n";

}  // namespace cohort::pictures
