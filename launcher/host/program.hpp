// Finds the program to run, before anything is forked.
#pragma once

#include <string>

namespace cohort {

struct ProgramFile {
  std::string path;    // absolute, or empty
  int status = 0;      // 126 or 127 if there is none, as a shell has it
  std::string reason;  // why not
};

// Looks as execvp() does: a name with a slash is a path, relative to `directory`; another name is looked for in
// `search_path` (a PATH). The last place is the folder of this program, unless `directory` has a file of that name.
ProgramFile find_program(const std::string& name, const std::string& directory, const std::string& search_path);

// The path of this program itself.
std::string own_path();

}  // namespace cohort
