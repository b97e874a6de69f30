// SPDX-License-Identifier: Apache-2.0
// In place of a fuzzer's main(), where there is none: the inputs of a corpus, and some thousand that differ from them
// by a few bytes.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int changes = std::stoi(argv[2]);
  std::vector<std::filesystem::path> files(std::filesystem::directory_iterator(argv[1]), {});
  std::ranges::sort(files);
  std::mt19937 random(1);
  long executions = 0;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<std::uint8_t> input(std::istreambuf_iterator<char>(stream), {});
    LLVMFuzzerTestOneInput(input.data(), input.size());
    ++executions;
    for (int i = 0; i < changes && !input.empty(); ++i, ++executions) {
      std::vector<std::uint8_t> changed = input;
      for (unsigned change = 0; change <= random() % 4; ++change) {
        const auto at = static_cast<std::ptrdiff_t>(random() % changed.size());
        switch (random() % 4) {
          case 0:
            changed[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random());
            break;
          case 1:
            changed[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1u << random() % 8);
            break;
          case 2:
            changed.insert(changed.begin() + at, static_cast<std::uint8_t>(random()));
            break;
          default:
            if (changed.size() > 1) changed.erase(changed.begin() + at);
        }
      }
      LLVMFuzzerTestOneInput(changed.data(), changed.size());
    }
  }
  std::cout << executions << " executions\n";
  return files.empty() ? 1 : 0;
}
