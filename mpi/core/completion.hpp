// SPDX-License-Identifier: Apache-2.0
// MPI's functions that complete requests, and generalized requests. All outputs are stated also where a function
// throws: handles of completed requests, indices, statuses.
#pragma once

#include <exception>
#include <span>
#include <string>
#include <utility>

#include "mpi/core/callbacks.hpp"
#include "mpi/core/communicator.hpp"
#include "mpi/core/mistake.hpp"
#include "mpi/core/request.hpp"
#include "mpi/core/status.hpp"

namespace cohort::mpi {

// The error of a request's operation. The request has been freed, or is inactive; this keeps its communicator, whose
// error handler is to be called.
class RequestMistake : public Mistake {
 public:
  RequestMistake(int code, const std::string& text, Ref<Communicator> of)
      : Mistake(code, text), communicator_(std::move(of)) {}
  Communicator* communicator() const { return communicator_.get(); }  // null: of a generalized request

 private:
  Ref<Communicator> communicator_;
};

// The error class, or the program's code, of an exception; and its text.
int code_of(const std::exception_ptr& error);
std::string text_of(const std::exception_ptr& error);

// Throw RequestMistake.
void wait(Request*& request, Status* status);
void test(Request*& request, int& flag, Status* status);

// If the operation of a request has failed, waitany and testany throw its RequestMistake; the others throw one with
// err_in_status, and the error codes are in the statuses.
void waitany(int count, std::span<Request*> requests, int& index, Status* status);
void testany(int count, std::span<Request*> requests, int& index, int& flag, Status* status);
void waitall(int count, std::span<Request*> requests, Status* statuses);
void testall(int count, std::span<Request*> requests, int& flag, Status* statuses);
void waitsome(int incount, std::span<Request*> requests, int& outcount, int* indices, Status* statuses);
void testsome(int incount, std::span<Request*> requests, int& outcount, int* indices, Status* statuses);

// `request` may be null.
void request_get_status(Request* request, int& flag, Status* status);
void request_get_status_any(int count, std::span<Request* const> requests, int& index, int& flag, Status* status);
void request_get_status_all(int count, std::span<Request* const> requests, int& flag, Status* statuses);
void request_get_status_some(int incount, std::span<Request* const> requests, int& outcount, int* indices,
                             Status* statuses);

void request_free(Request*& request);
// Completes the operations of freed requests, and buffered sends: MPI_Finalize.
void complete_detached();

// Takes back a receive that has not met its message. Has no effect on other operations of the runtime.
void cancel(Request& request);
void test_cancelled(const Status& status, int& flag);
void status_set_cancelled(Status& status, int flag);

void start(Request*& request);
void startall(int count, std::span<Request*> requests);

void grequest_start(QueryFunction query, FreeFunction free, CancelFunction cancel, void* extra_state,
                    Request*& request);
void grequest_complete(Request& request);

}  // namespace cohort::mpi
