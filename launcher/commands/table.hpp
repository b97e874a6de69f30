// SPDX-License-Identifier: Apache-2.0
// Formats rows of words as text with aligned columns.
#pragma once

#include <string>
#include <vector>

namespace cohort {

class Table {
 public:
  struct Column {
    std::string title;
    bool numbers = true;  // aligned to the right
  };
  explicit Table(std::vector<Column> columns);

  void add(std::vector<std::string> row);
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace cohort
