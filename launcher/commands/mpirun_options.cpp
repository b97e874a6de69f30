// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/mpirun_options.hpp"

#include <algorithm>
#include <array>

namespace cohort {
namespace {

struct Answer {
  std::string_view option;
  std::string_view instead;
};

constexpr std::string_view say_slots = "say how many processes each host gets: --hosts a:4,b:4";
constexpr std::string_view say_not_needed = "leave it out, nothing is needed for it";
constexpr std::string_view say_not_bound =
    "processes are not bound to cores; the page 'what_there_is_not' says what to do instead";
constexpr std::string_view say_variable = "write -x NAME=VALUE";
constexpr std::string_view say_hosts = "write --hosts a,b";
constexpr std::string_view say_hostfile = "write --hostfile FILE";
constexpr std::string_view say_label = "write --label";
constexpr std::string_view say_directory = "processes start in the folder where cohort is called: change to it before";
constexpr std::string_view say_parameters = "Cohort has no such parameters; 'cohort help run' lists its options";

constexpr auto answers = std::to_array<Answer>({
    {"--np", "write -n P"},
    {"-c", "write -n P"},
    {"-N", say_slots},
    {"-npernode", say_slots},
    {"--npernode", say_slots},
    {"-ppn", say_slots},
    {"--ppn", say_slots},
    {"--map-by", say_slots},
    {"-oversubscribe", say_not_needed},
    {"--oversubscribe", say_not_needed},
    {"--allow-run-as-root", say_not_needed},
    {"--use-hwthread-cpus", say_not_needed},
    {"-bind-to", say_not_bound},
    {"--bind-to", say_not_bound},
    {"--bind-to-core", say_not_bound},
    {"--report-bindings", say_not_bound},
    {"-env", say_variable},
    {"-genv", say_variable},
    {"-H", say_hosts},
    {"-host", say_hosts},
    {"-hosts", say_hosts},
    {"--host", say_hosts},
    {"-f", say_hostfile},
    {"-hostfile", say_hostfile},
    {"-machinefile", say_hostfile},
    {"--machinefile", say_hostfile},
    {"-l", say_label},
    {"-prepend-rank", say_label},
    {"-tag-output", say_label},
    {"--tag-output", say_label},
    {"-wd", say_directory},
    {"-wdir", say_directory},
    {"--wd", say_directory},
    {"--wdir", say_directory},
    {"-mca", say_parameters},
    {"--mca", say_parameters},
});

}  // namespace

std::string in_place_of_mpiruns(std::string_view option) {
  const auto* answer = std::ranges::find(answers, option, &Answer::option);
  return answer == answers.end() ? "" : ": " + std::string(answer->instead);
}

}  // namespace cohort
