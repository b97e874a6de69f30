// SPDX-License-Identifier: Apache-2.0
// Finds the program to run, before anything is forked.
#pragma once

#include <string>

namespace cohort {

struct ProgramFile {
  std::string path;    // absolute, or empty
  int status = 0;      // 126 or 127, as in a shell, if no program was found
  std::string reason;  // why no program was found
};

// Searches as execvp() does: a name with a slash is a path, relative to `directory`; another name is searched in
// `search_path` (a PATH). The last place is the folder of this program. If that folder and `directory` both have such a
// program, the name is refused as ambiguous.
ProgramFile find_program(const std::string& name, const std::string& directory, const std::string& search_path);

// The path of this program itself.
std::string own_path();

}  // namespace cohort
