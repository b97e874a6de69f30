// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/environment.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "cohort/process.hpp"
#include "mpi/core/completion.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

// COHORT_MPI_BARRIER=1: collectives imply barriers, if the job has them.
cohort::Process join_job() {
  const char* const barrier = std::getenv("COHORT_MPI_BARRIER");
  return barrier != nullptr && std::string_view(barrier) == "1" ? cohort::join()
                                                                : cohort::detail::join_without_barriers();
}

struct Environment {
  explicit Environment(int level) : thread_level(level) {
    world.predefined = self.predefined = true;
    world.name = "MPI_COMM_WORLD";
    self.name = "MPI_COMM_SELF";
  }

  cohort::Process process = join_job();
  Communicator world{process.all()};
  Communicator self{process.all().subrange(process.pid(), 1, 1)};
  const int thread_level;
  const std::thread::id main_thread = std::this_thread::get_id();
};

// Never destroyed. A program that ends without MPI_Finalize is a failure for the job, and communicators that the
// program has not freed may outlive everything.
std::atomic<Environment*> environment = nullptr;

Environment& joined() {
  Environment* const known = environment.load(std::memory_order_acquire);
  check(known != nullptr, abi::err_other, "MPI_Init has not been called");
  return *known;
}

constexpr std::size_t least_alignment = 64;

// The hint of MPI 4.0. Others than powers of two are ignored, as hints are.
std::size_t alignment(const Info* info) {
  const std::string* const hint = info != nullptr ? info->get("mpi_minimum_memory_alignment") : nullptr;
  std::size_t wanted = 0;
  if (hint != nullptr) std::from_chars(hint->data(), hint->data() + hint->size(), wanted);
  return std::has_single_bit(wanted) ? std::max(wanted, least_alignment) : least_alignment;
}

}  // namespace

Communicator& Communicator::world() { return joined().world; }
Communicator& Communicator::self() { return joined().self; }

Communicator* world_or_null() {
  Environment* const known = environment.load(std::memory_order_acquire);
  return known != nullptr ? &known->world : nullptr;
}

Communicator* self_or_null() {
  Environment* const known = environment.load(std::memory_order_acquire);
  return known != nullptr ? &known->self : nullptr;
}

void init() {
  int provided = 0;
  init_thread(abi::thread_single, provided);
}

void init_thread(int required, int& provided) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  check(stage == Stage::before_init, abi::err_other, "MPI_Init or MPI_Init_thread was called before in this process");
  check(required == abi::thread_single || required == abi::thread_funneled || required == abi::thread_serialized ||
            required == abi::thread_multiple,
        abi::err_arg, "the required thread level is none of the MPI_THREAD_ constants");
  environment.store(new Environment(required), std::memory_order_release);
  stage = Stage::active;
  provided = required;
}

void initialized(int& flag) { flag = stage != Stage::before_init ? 1 : 0; }
void finalized(int& flag) { flag = stage == Stage::finalized ? 1 : 0; }

// The delete functions come first: in them, MPI still works.
void finalize() {
  check(is_active(), abi::err_other, "MPI_Finalize was called without MPI_Init, or for the second time");
  Environment& all = joined();
  all.self.attributes.remove_all(all.self);
  all.world.attributes.remove_all(all.world);
  complete_detached();
  stage = Stage::finalized;
  all.process.leave();
}

void query_thread(int& provided) { provided = joined().thread_level; }
void is_thread_main(int& flag) { flag = std::this_thread::get_id() == joined().main_thread ? 1 : 0; }

void get_processor_name(std::string& name) { name = joined().process.host(); }

void get_library_version(std::string& version) {
  version = "Cohort " COHORT_VERSION ", MPI 4.0 without one-sided communication, files and dynamic processes";
}

double wtime() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double wtick() {
  using Period = std::chrono::steady_clock::period;
  return static_cast<double>(Period::num) / static_cast<double>(Period::den);
}

void pcontrol(int /*level*/) {}

void alloc_mem(Count size, Info* info, void*& baseptr) {
  check(size >= 0, abi::err_arg, "the size of memory is negative");
  const std::size_t bytes = std::max<std::size_t>(static_cast<std::size_t>(size), 1);
  if (::posix_memalign(&baseptr, alignment(info), bytes) == 0) return;
  baseptr = nullptr;
  throw Mistake(abi::err_no_mem, "there are no " + std::to_string(size) + " bytes of memory");
}

void free_mem(void* base) { std::free(base); }

}  // namespace cohort::mpi
