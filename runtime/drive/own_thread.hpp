// Threads of the runtime's own, beside the program's.
#pragma once

#include <functional>
#include <thread>

namespace cohort::detail {

// The thread takes no signals: they are for the program's. Throws Error(job) if the system gives no thread. The name
// has 15 characters at most.
std::thread start_own_thread(const char* name, std::function<void()> run);

}  // namespace cohort::detail
