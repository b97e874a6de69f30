// SPDX-License-Identifier: Apache-2.0
// MPI's functions for hints. Keys must have 1 to 255 characters, values at most 1023.
#pragma once

#include <string>
#include <string_view>

#include "mpi/core/info.hpp"

namespace cohort::mpi {

void info_create(Info*& info);
void info_create_env(int argc, char** argv, Info*& info);
void info_dup(Info& info, Info*& copy);
void info_free(Info*& info);
void info_set(Info& info, std::string_view key, std::string_view value);
void info_delete(Info& info, std::string_view key);
// The first `valuelen` characters of the value.
void info_get(Info& info, std::string_view key, int valuelen, std::string& value, int& flag);
void info_get_valuelen(Info& info, std::string_view key, int& valuelen, int& flag);
// `buflen`: the room for the value and C's null character; afterwards, the room that the whole value needs.
void info_get_string(Info& info, std::string_view key, int& buflen, std::string& value, int& flag);
void info_get_nkeys(Info& info, int& nkeys);
void info_get_nthkey(Info& info, int n, std::string& key);

}  // namespace cohort::mpi
