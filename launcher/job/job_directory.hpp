// The folder with the sockets of this user's launchers on this host: nobody else may enter it. A socket is named after
// its launcher's process number, by which a user names a job.
#pragma once

#include <string>
#include <vector>

namespace cohort {

// The folder, made where it is missing. Throws Error(job) if it belongs to somebody else, or can be entered by others.
std::string job_directory();

// The socket's path for a launcher.
std::string job_socket(int launcher);

// Removes the socket of a launcher that has gone.
void forget_job(int launcher);

// The running launchers. Removes the sockets of others.
std::vector<int> running_jobs();

}  // namespace cohort
