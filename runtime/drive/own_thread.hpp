// SPDX-License-Identifier: Apache-2.0
// Starts the runtime's own threads, beside the program's.
#pragma once

#include <functional>
#include <thread>

namespace cohort::detail {

// The thread takes no signals: the program's threads take them. Throws Error(job) if the system gives no thread. The
// name has at most 15 characters.
std::thread start_own_thread(const char* name, std::function<void()> run);

}  // namespace cohort::detail
