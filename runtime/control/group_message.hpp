// SPDX-License-Identifier: Apache-2.0
// A group's identifier as it travels between processes and launcher.
#pragma once

#include "cohort/types.hpp"

namespace cohort {

namespace process::v1 {
class Group;
}  // namespace process::v1

void write(const GroupId& id, process::v1::Group& message);
GroupId read(const process::v1::Group& message);

}  // namespace cohort
