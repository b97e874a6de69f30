// SPDX-License-Identifier: Apache-2.0
#include "runtime/other_launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace cohort {

namespace {

// A launcher is recognised by the variables that it sets in each process. The first entry that fits counts, because
// some launchers set the variables of others too.
struct Launcher {
  const char* name;
  const char* size;
  const char* rank;
};
constexpr Launcher launchers[] = {
    {"mpirun (Open MPI)", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"mpirun (MVAPICH)", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
    {"jsrun", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK"},
    {"flux", "FLUX_JOB_SIZE", "FLUX_TASK_RANK"},
    {"mpiexec (MPICH, Intel MPI)", "PMI_SIZE", "PMI_RANK"},
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
    {"srun", "SLURM_NTASKS", "SLURM_PROCID"},
    {"a launcher with PMIx", "", "PMIX_RANK"},  // PMIx sets no variable for the size
};

// A number >= 0, or nothing.
std::optional<long> number_in(const char* variable) {
  const char* text = *variable == '\0' ? nullptr : std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  long number = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && number >= 0 ? std::optional(number) : std::nullopt;
}

// A batch script of Slurm has these variables too, as the only process of its step.
bool is_batch_script() {
  const char* kind = std::getenv("ENVIRONMENT");
  return kind != nullptr && std::string_view(kind) == "BATCH" && std::getenv("SLURM_STEP_NUM_TASKS") == nullptr;
}

}  // namespace

std::optional<std::string> warning_of_other_launcher() {
  for (const Launcher& launcher : launchers) {
    const bool sizeless = *launcher.size == '\0';
    const std::optional<long> size = number_in(launcher.size), rank = number_in(launcher.rank);
    if (!rank || !(size || sizeless)) continue;
    if (std::string_view(launcher.name) == "srun" && is_batch_script()) return std::nullopt;
    const bool alone = sizeless ? *rank == 0 : *size <= 1;
    const bool first = sizeless ? *rank == 1 : *rank == 0;
    if (alone || !first) return std::nullopt;
    const std::string several = sizeless ? "several processes" : std::to_string(*size) + " processes";
    return std::string(launcher.name) + " has started " + several +
           " of this program, which are as many jobs of one: only `cohort run` brings processes together. Start it "
           "with "
           "`cohort run" +
           (sizeless ? "" : " -n " + std::to_string(*size)) + "` instead";
  }
  return std::nullopt;
}

}  // namespace cohort
