// SPDX-License-Identifier: Apache-2.0
// Tables of numbers from CSV files: a header, then a row a line. Only numbers and plain names, so quotes mean nothing.
#pragma once

#include <cohort/cohort.hpp>
#include <span>
#include <string>
#include <vector>

namespace examples {

// Rows one behind the other.
struct Table {
  std::size_t columns = 0;
  std::vector<double> values;

  std::size_t rows() const { return values.size() / columns; }
  std::span<double> row(std::size_t i) { return {&values[i * columns], columns}; }
  std::span<const double> row(std::size_t i) const { return {&values[i * columns], columns}; }
};

// The names of the columns, at least two. Throws BadInput.
std::vector<std::string> read_header(const std::string& path);

// Collective: every process gets its share of the rows. All throw BadInput if one finds a bad row.
Table read_rows(const cohort::Process& self, const std::string& path, std::size_t columns);

}  // namespace examples
