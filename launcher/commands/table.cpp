// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/table.hpp"

#include <algorithm>

namespace cohort {

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  rows_.push_back(std::move(titles));
}

void Table::add(std::vector<std::string> row) {
  row.resize(columns_.size());
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  static constexpr std::size_t gap = 2;
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    std::size_t start = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::size_t width = 0;
      for (const auto& other : rows_) width = std::max(width, other[i].size());
      if (!row[i].empty()) line.resize(start + (columns_[i].numbers ? width - row[i].size() : 0), ' ');
      line += row[i];
      start += width + gap;
    }
    text += line + '\n';
  }
  return text;
}

}  // namespace cohort
