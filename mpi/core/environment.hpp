// SPDX-License-Identifier: Apache-2.0
// The beginning and the end of MPI in this process, and what it tells about itself.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "cohort/types.hpp"
#include "mpi/core/communicator.hpp"

namespace cohort::mpi {

enum class Stage : std::uint8_t { before_init, active, finalized };
inline std::atomic<Stage> stage = Stage::before_init;

// For the faces, in front of each call that the standard allows between MPI_Init and MPI_Finalize only.
inline bool is_active() { return stage.load(std::memory_order_acquire) == Stage::active; }
// What the faces do with such a call at another time: ends the process. `call`: "MPI_Send".
[[noreturn]] void refuse_inactive(const char* call);

// Without the arguments of main(), which they don't need.
void init();
void init_thread(int required, int& provided);
void initialized(int& flag);
void finalize();
void finalized(int& flag);
void query_thread(int& provided);
void is_thread_main(int& flag);

// Ends this process at once, with this status (1 if it would be 0), and by it the job. Of a job that goes on without
// lost processes, only the members of the communicator end, of an intercommunicator those of the local side.
[[noreturn]] void abort(Communicator& comm, int errorcode);
// The same for these processes, or the whole job if there are none, after an error that nobody handles. `text` is
// printed, unless the launcher prints it as the consequence of another process's death or mistake.
[[noreturn]] void abort_job(int code, const std::string& text, const std::vector<Pid>& members = {});

void get_processor_name(std::string& name);
void get_library_version(std::string& version);
double wtime();
double wtick();
void pcontrol(int level);

void alloc_mem(Count size, Info* info, void*& baseptr);  // aligned to 64 bytes, or more if the info asks for it
void free_mem(void* base);

}  // namespace cohort::mpi
