// SPDX-License-Identifier: Apache-2.0
// Error codes: the classes of the standard, and what a program adds to them. A code of the standard is its own class.
#pragma once

#include <string>
#include <string_view>

namespace cohort::mpi {

// error_string() of this code gives the text in this thread from now on, cut to 255 characters. Codes that the program
// has added keep the program's text.
void remember(int code, std::string text);

void error_class(int errorcode, int& errorclass);
void error_string(int errorcode, std::string& string);

// The program's own. They exist in this process only.
void add_error_class(int& errorclass);
void add_error_code(int errorclass, int& errorcode);
void add_error_string(int errorcode, std::string_view string);
void remove_error_class(int errorclass);  // it must have no codes
void remove_error_code(int errorcode);
void remove_error_string(int errorcode);

int last_used_code();  // MPI_LASTUSEDCODE: the largest code that exists

}  // namespace cohort::mpi
