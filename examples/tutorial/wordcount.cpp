// SPDX-License-Identifier: Apache-2.0
// The most frequent words of a file. Each rank counts the words of its lines. Then each word moves to one rank, which
// adds up.
#include <algorithm>
#include <cctype>
#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>
#include <cohort/cohort.hpp>
#include <cohort/serialized.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using Counts = std::map<std::string, long>;

Counts count_words(const std::string& path, int rank, int size) {
  Counts counts;
  std::ifstream file(path);
  std::string line, word;
  for (int number = 0; std::getline(file, line); ++number) {
    if (number % size != rank) continue;
    for (char& c : line) c = std::isalpha(static_cast<unsigned char>(c)) ? std::tolower(c) : ' ';
    for (std::istringstream words(line); words >> word;) ++counts[word];
  }
  return counts;
}

int main(int argc, char** argv) {
  cohort::Process self = cohort::join();
  cohort::Group all = self.all();
  const Counts counts = count_words(argc > 1 ? argv[1] : "", all.rank(), all.size());

  std::vector<std::string> letters(all.size());  // letters[r] is for rank r
  for (const auto& [word, count] : counts)
    letters[std::hash<std::string>{}(word) % letters.size()] += word + " " + std::to_string(count) + "\n";
  const cohort::Parts<char> received = all.shuffle(letters);  // received[r] is from rank r

  Counts mine;
  std::istringstream lines(std::string(received.elements.begin(), received.elements.end()));
  std::string word;
  for (long count = 0; lines >> word >> count;) mine[word] += count;

  std::string longest;
  for (const auto& [candidate, count] : mine)
    if (candidate.size() > longest.size()) longest = candidate;
  const auto longest_words = all.gather_all(longest, 0);                     // a word of each rank
  const std::vector<Counts> maps = all.gather(cohort::serialized(mine), 0);  // a map of each rank
  if (all.rank() != 0) return 0;

  std::vector<std::pair<long, std::string>> sorted;
  for (const Counts& map : maps)
    for (const auto& [text, count] : map) sorted.emplace_back(-count, text);
  std::sort(sorted.begin(), sorted.end());
  std::cout << sorted.size() << " different words\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(sorted.size(), 5); ++i)
    std::cout << sorted[i].second << ' ' << -sorted[i].first << '\n';
  std::size_t length = 0;
  for (int rank = 0; rank < longest_words.size(); ++rank) length = std::max(length, longest_words[rank].size());
  std::cout << "the longest word has " << length << " letters\n";
}
