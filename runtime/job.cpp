#include "runtime/job.hpp"

#include <map>

namespace cohort {

void Job::number_hosts() {
  std::map<std::string, Rank> numbers;
  for (ProcessAddress& process : processes)
    process.host_number = numbers.try_emplace(process.host, static_cast<Rank>(numbers.size())).first->second;
}

}  // namespace cohort
