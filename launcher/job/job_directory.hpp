// Where the launchers of this user's jobs on this host can be asked: a folder that nobody else may enter, and in it a
// socket for each, named after the launcher's process number. That number is how a user names a job.
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

// The launchers that run. What others have left behind is removed.
std::vector<int> running_jobs();

}  // namespace cohort
