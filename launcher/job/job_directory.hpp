// SPDX-License-Identifier: Apache-2.0
// The folder with the sockets of this user's launchers on this host. Other users cannot enter the folder. A socket is
// named after its launcher's process number, which is also the user's name for the job.
#pragma once

#include <string>
#include <vector>

namespace cohort {

// Makes the folder if it is missing. Throws Error(job) if the folder belongs to another user, or if others can enter
// it.
std::string job_directory();

// The socket's path for a launcher.
std::string job_socket(int launcher);

// Removes the socket of a launcher that has ended.
void forget_job(int launcher);

// The name of the user whose launcher this process is, if that is another user; else empty.
std::string other_owner(int launcher);

// The process numbers of the running launchers. Removes the sockets of launchers that have ended.
std::vector<int> running_jobs();

}  // namespace cohort
