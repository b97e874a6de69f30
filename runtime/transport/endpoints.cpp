// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/endpoints.hpp"

#include <map>

namespace cohort {

void Endpoints::number_hosts() {
  std::map<std::string, Rank> numbers;
  for (ProcessAddress& process : processes)
    process.host_number = numbers.try_emplace(process.host, static_cast<Rank>(numbers.size())).first->second;
}

}  // namespace cohort
