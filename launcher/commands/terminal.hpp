// SPDX-License-Identifier: Apache-2.0
// How text looks where it goes: on a terminal it may have colours, elsewhere it is plain. NO_COLOR in the environment,
// and TERM=dumb, ask for plain text on terminals, too.
#pragma once

#include <string>

#include "launcher/manual/help_text.hpp"

namespace cohort {

class Terminal {
 public:
  explicit Terminal(int descriptor);

  bool is_there() const { return is_there_; }
  manual::Style style() const { return style_; }

  std::string bold(const std::string& text) const { return painted("1", text); }
  std::string good(const std::string& text) const { return painted("32", text); }      // green
  std::string bad(const std::string& text) const { return painted("1;31", text); }     // red
  std::string doubtful(const std::string& text) const { return painted("33", text); }  // yellow

 private:
  std::string painted(const char* how, const std::string& text) const;

  bool is_there_;
  manual::Style style_;
};

// Prints the text; on a terminal by the user's pager, $PAGER or less.
void show_in_pager(const std::string& text);

}  // namespace cohort
