// SPDX-License-Identifier: Apache-2.0
// Counts the words of files, and shows the most frequent ones.
//
// The files are one long text that is cut into a share of bytes for each process. A process counts the words that begin
// in its share. Then every word moves to the process that its hash names, which adds up what the others counted: that
// is one `index`. At the end each process offers its most frequent words to rank 0.
//
// A word is a run of letters, written in lower case. Letters are those of ASCII and every byte above 127, so words of
// UTF-8 text stay whole (their accented letters keep their case); digits, "'" and "-" separate words.
#include <algorithm>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <unordered_map>

#include "common/program.hpp"
#include "common/text_file.hpp"

using cohort::Count;
using examples::Range;
using examples::together;

namespace {

using Counts = std::unordered_map<std::string, Count>;

struct WordCount {
  std::string word;
  Count count;
};

bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c > 127; }
char lower(int c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

// Counts the words that begin in this range of the file's bytes, also those that end behind it.
void count_words(const std::string& path, Range bytes, Counts& counts) {
  std::ifstream file = examples::open(path);
  std::streambuf& text = *file.rdbuf();
  Count position = bytes.begin;
  int c = 0;
  if (position > 0) {  // a word that began before is not ours
    file.seekg(--position);
    while (is_letter(c = text.sbumpc())) ++position;
    ++position;
  }

  std::string word;
  while (position < bytes.end && (c = text.sbumpc()) != EOF) {
    ++position;
    if (!is_letter(c)) continue;
    word.clear();
    for (; is_letter(c); c = text.sbumpc(), ++position) word += lower(c);
    ++counts[word];
  }
}

// The words of this process's share of all the files.
Counts count_share(const std::vector<std::string>& paths, int part, int parts) {
  std::vector<Count> sizes;
  Count total = 0;
  for (const std::string& path : paths) total += sizes.emplace_back(examples::size_of(path));

  const Range share = examples::share_of(total, part, parts);
  Counts counts;
  Count start = 0;  // where the file begins in the long text
  for (std::size_t i = 0; i < paths.size(); start += sizes[i++]) {
    const Range bytes{std::max<Count>(share.begin - start, 0), std::min(share.end - start, sizes[i])};
    if (bytes.size() > 0) count_words(paths[i], bytes, counts);
  }
  return counts;
}

// On its way, a word is its letters, a zero byte and its count.
void pack(std::string& parcel, const std::string& word, Count count) {
  parcel.append(word.c_str(), word.size() + 1);
  parcel.append(reinterpret_cast<const char*>(&count), sizeof count);
}

template <class Visitor>
void unpack(const std::vector<char>& parcels, Visitor visit) {
  for (std::size_t at = 0; at < parcels.size();) {
    const std::string word = parcels.data() + at;
    Count count = 0;
    std::memcpy(&count, parcels.data() + at + word.size() + 1, sizeof count);
    visit(word, count);
    at += word.size() + 1 + sizeof count;
  }
}

// Every word moves to the process that its hash names.
Counts shuffle(const cohort::Group& all, const Counts& counts) {
  std::vector<std::string> parcels(static_cast<std::size_t>(all.size()));
  for (const auto& [word, count] : counts) pack(parcels[std::hash<std::string>{}(word) % parcels.size()], word, count);

  Counts mine;
  unpack(all.shuffle(parcels).elements, [&](const std::string& word, Count count) { mine[word] += count; });
  return mine;
}

void keep_most_frequent(std::vector<WordCount>& words, std::size_t top) {
  top = std::min(top, words.size());
  std::partial_sort(
      words.begin(), words.begin() + static_cast<std::ptrdiff_t>(top), words.end(),
      [](const WordCount& a, const WordCount& b) { return a.count != b.count ? a.count > b.count : a.word < b.word; });
  words.resize(top);
}

// The most frequent words of all processes, at rank 0.
std::vector<WordCount> most_frequent(const cohort::Group& all, const Counts& mine, std::size_t top) {
  std::vector<WordCount> words;
  for (const auto& [word, count] : mine) words.push_back({word, count});
  keep_most_frequent(words, top);

  std::string parcel;
  for (const WordCount& word : words) pack(parcel, word.word, word.count);
  words.clear();
  unpack(all.gather_all(parcel, 0).elements, [&](const std::string& word, Count count) {
    words.push_back({word, count});
  });
  keep_most_frequent(words, top);
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths;
  std::size_t top = 20;
  examples::Arguments arguments("wordcount", "Counts the words of files and shows the most frequent ones.");
  arguments.needs("FILE", paths, "the files to count");
  arguments.number("--top", top, "how many words to show", 0, 1'000'000);

  return examples::run(arguments, argc, argv, [&](const cohort::Process& self) {
    const cohort::Group all = self.all();
    const Counts counted = together(self, [&] { return count_share(paths, all.rank(), all.size()); });
    const Counts mine = shuffle(all, counted);
    const std::vector<WordCount> words = most_frequent(all, mine, top);

    std::vector<Count> totals{0, static_cast<Count>(mine.size())};  // words, different words
    for (const auto& [word, count] : mine) totals[0] += count;
    all.combine(cohort::in_place(totals), cohort::sum);

    if (all.rank() != 0) return;
    for (const auto& [word, count] : words) std::cout << std::setw(10) << count << "  " << word << '\n';
    std::cout << totals[0] << " words, " << totals[1] << " different, in " << paths.size() << " files, counted by "
              << all.size() << " processes\n";
  });
}
