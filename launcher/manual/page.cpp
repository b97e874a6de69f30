// SPDX-License-Identifier: Apache-2.0
#include "launcher/manual/page.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace cohort::manual {
namespace {

// "[the page](page.md)" -> "the page", "**bold**" -> "bold", "`code`" -> "code", "a\|b" -> "a|b".
std::string plain(const std::string& text) {
  std::string words;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t middle = text[i] == '[' ? text.find("](", i) : std::string::npos;
    const std::size_t end = middle == std::string::npos ? middle : text.find(')', middle);
    if (end != std::string::npos && text.find('[', i + 1) > middle) {
      words += plain(text.substr(i + 1, middle - i - 1));
      i = end;
    } else if (text.compare(i, 2, "**") == 0) {
      ++i;
    } else if (text[i] == '\\' && i + 1 < text.size() && !std::isalnum(static_cast<unsigned char>(text[i + 1]))) {
      words += text[++i];
    } else if (text[i] != '`') {
      words += text[i];
    }
  }
  return words;
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells(1);
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '|' && row[i - 1] != '\\') {
      cells.emplace_back();
    } else {
      cells.back() += row[i];
    }
  }
  return cells;
}

bool is_rule(const std::string& row) { return row.find_first_not_of("|-: ") == std::string::npos; }

class Renderer {
 public:
  explicit Renderer(Style style) : style_(style) {}

  void line(const std::string& line) {
    if (line.starts_with("```")) {
      paragraph();
      in_code_ = !in_code_;
    } else if (in_code_) {
      text_ += "  " + line + "\n";
    } else if (line.starts_with("<!--") || line.starts_with("![")) {
      paragraph();  // notes and pictures are not for terminals
    } else if (line.starts_with('#')) {
      paragraph();
      text_ += heading(plain(line.substr(line.find_first_not_of("# "))), style_) + "\n";
    } else if (line.starts_with('|')) {
      paragraph();
      if (!is_rule(line)) row(cells_of(line));
    } else if (line.empty()) {
      paragraph();
      if (!text_.ends_with("\n\n") && !text_.empty()) text_ += "\n";
    } else {
      if (line.starts_with("- ") || line.starts_with("* ")) paragraph();
      words_ += (words_.empty() ? "" : " ") + line;
    }
  }

  std::string end() {
    paragraph();
    return std::move(text_);
  }

 private:
  void paragraph() {
    const bool item = words_.starts_with("- ") || words_.starts_with("* ");
    if (item) {
      text_ += "- " + wrapped(plain(words_.substr(2)), style_.width, 2).substr(2) + "\n";
    } else if (!words_.empty()) {
      text_ += wrapped(plain(words_), style_.width, 0) + "\n";
    }
    words_.clear();
  }

  void row(const std::vector<std::string>& cells) {
    const std::string first = wrapped(plain(cells.front()), style_.width, 2);
    std::string others;
    for (auto cell = cells.begin() + 1; cell != cells.end(); ++cell) {
      const std::string words = plain(*cell);
      if (words.find_first_not_of(' ') != std::string::npos) others += (others.empty() ? "" : "; ") + words;
    }
    if (first.empty() && others.empty()) return;
    text_ += first + (first.empty() ? "" : "\n") + wrapped(others, style_.width, 6) + (others.empty() ? "" : "\n");
  }

  Style style_;
  std::string text_;
  std::string words_;  // of a paragraph that goes on
  bool in_code_ = false;
};

}  // namespace

std::string in_terminal(const std::string& markdown, Style style) {
  Renderer renderer(style);
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) renderer.line(line);
  return renderer.end();
}

std::string title_of(const std::string& markdown) {
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) return plain(line.substr(2));
  }
  return "";
}

}  // namespace cohort::manual
