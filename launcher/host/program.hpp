// Finding the program to run, and the environment to run it in, before anything is forked.
#pragma once

#include <string>
#include <vector>

namespace cohort {

struct ProgramFile {
  std::string path;    // absolute, or empty
  int status = 0;      // 126 or 127 if there is none, as a shell has it
  std::string reason;  // why not
};

// As execvp() does: a name with a slash is a path, relative to `directory`; another is looked for in `search_path`
// (a PATH). At last, beside this program, unless there is another in `directory`.
ProgramFile find_program(const std::string& name, const std::string& directory, const std::string& search_path);

// The path of this program itself.
std::string own_path();

// This process's environment with these settings (NAME=VALUE) on top of it.
std::vector<std::string> environment_with(const std::vector<std::string>& settings);

// The value of a variable in such a list, or empty.
std::string value_of(const std::string& name, const std::vector<std::string>& environment);

}  // namespace cohort
