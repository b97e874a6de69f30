// SPDX-License-Identifier: Apache-2.0
// Every process parses the lines that begin in its share of the file.
#include "csv.hpp"

#include <algorithm>

#include "program.hpp"
#include "text_file.hpp"

namespace examples {

namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  for (std::size_t at = 0; at <= line.size(); at += fields.back().size() + 1) {
    fields.push_back(line.substr(at, line.find(',', at) - at));
  }
  return fields;
}

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

}  // namespace

std::vector<std::string> read_header(const std::string& path) {
  size_of(path);  // refuses what is no file
  std::ifstream file = open(path);
  std::string line;
  std::getline(file, line);
  line.erase(std::remove_if(line.begin(), line.end(), [](char c) { return c == '"' || c == '\r'; }), line.end());
  std::vector<std::string> names = fields_of(line);
  if (names.size() < 2) throw BadInput(path + ":1: a header with two or more columns is needed");
  return names;
}

Table read_rows(const cohort::Process& self, const std::string& path, std::size_t columns) {
  const cohort::Group all = self.all();
  const auto lines = together(self, [&] { return lines_of(path, all.rank(), all.size()); });
  // Errors name the line, and only the ranks below know how many came before.
  auto number = all.exclusive_prefix(static_cast<cohort::Count>(lines.size()), cohort::sum).value_or(0);
  return together(self, [&] {
    Table table{columns, {}};
    for (const std::string& line : lines) {
      if (++number == 1 || is_blank(line)) continue;
      const std::vector<std::string> fields = fields_of(line);
      if (fields.size() != columns) {
        throw BadInput(path + ":" + std::to_string(number) + ": " + std::to_string(fields.size()) +
                       " columns, but the header has " + std::to_string(columns));
      }
      for (const std::string& field : fields) table.values.push_back(decimal_number(field, path, number));
    }
    return table;
  });
}

}  // namespace examples
