// SPDX-License-Identifier: Apache-2.0
// Cohort for C, and for every language that can call C. A program is linked with libcohort.so.0, by
// pkg-config --cflags --libs cohort-c.
//
// Each function is one of the C++ interface, which says more about its meaning: process.hpp, group.hpp, channels.hpp,
// collectives.hpp, request.hpp. The manual's page about C begins with a program.
//
// Errors. A function that returns `int` returns 0, or an error code; then cohort_last_error() says more. What such a
// function gives through pointers is undefined after an error, but for what the comments say.
//
// Handles. What a function gives through a pointer to a handle belongs to the caller, who frees it. To free a null
// pointer does nothing. A handle that a function takes must not be null.
//
// The ABI. As long as the library is called libcohort.so.0, a program that is linked with it runs with every later
// version: functions and constants are added, none is changed or removed. cohort_error may get fields at its end.
#ifndef COHORT_COHORT_H
#define COHORT_COHORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COHORT_API __attribute__((visibility("default")))

typedef struct cohort_process cohort_process;        // this process's membership in its job
typedef struct cohort_group cohort_group;            // an ordered set of processes
typedef struct cohort_request cohort_request;        // an operation that was started
typedef struct cohort_persistent cohort_persistent;  // a call with fixed arguments, to be started again and again

// The version of the library: "0.2.0".
COHORT_API const char* cohort_version(void);

// ---------------------------------------------------------------------------------------------------------- Errors

enum {
  COHORT_OK = 0,
  COHORT_ERROR_ARGUMENT = 1,   // a bad argument of this call; nothing was sent
  COHORT_ERROR_TRUNCATED = 2,  // the message was longer than the receive's buffer; it is dropped
  COHORT_ERROR_MISMATCH = 3,   // two members called different operations, or with different arguments
  COHORT_ERROR_PEER_LOST = 4,  // a process died, or the connection to it broke
  COHORT_ERROR_TIMEOUT = 5,    // something took longer than its limit
  COHORT_ERROR_DEADLOCK = 6,   // this call can never return: the processes wait for each other
  COHORT_ERROR_LEFT = 7,       // this process, or one that the call waits for, has left the job or the group
  COHORT_ERROR_JOB = 8,        // the launcher or the host's agent could not do its part
  COHORT_ERROR_REVOKED = 9,    // a member has ended all use of this group
  COHORT_ERROR_INTERNAL = 10   // an operator failed, or a limit of the system was hit (memory, descriptors)
};

// A group's unique name in the job. Values can be compared and sent in messages, and mean nothing else.
typedef struct {
  uint32_t counter;
  int32_t pid;
  uint64_t derivation;
} cohort_id;

typedef struct {
  int32_t code;
  int32_t rank;           // of the process that the error is about, in that group; -1: none
  int32_t pid;            // of that process; -1: none
  cohort_id group;        // of the call that failed; its pid is -1 if there is none
  const char* operation;  // of the call that failed: "combine"; "" if there is none
  const char* host;       // of the process that the error is about; "" if there is none
  const char* where;      // the line of the call: "heat.c:52"; its function if the line is not known; "" if neither is
  const char* text;       // the whole message
} cohort_error;

// This thread's latest error: it stays as it is until another call of this thread fails. Never null; before the first
// error its code is 0 and its texts are empty.
COHORT_API const cohort_error* cohort_last_error(void);

// "peer_lost"; "unknown" if there is no such code.
COHORT_API const char* cohort_error_name(int code);

// Names the line of this thread's next call, for messages. Copies the file's name.
COHORT_API void cohort_here(const char* file, int32_t line);

// If `code` is an error: ends the process as an exception does that nobody catches. The launcher gets the text of this
// thread's latest error.
COHORT_API void cohort_must(int code);

// COHORT_HERE(cohort_sync(all)) is the same call, and returns its code; messages name this line. COHORT_MUST() also
// ends the process if the call fails.
#define COHORT_HERE(call) (cohort_here(__FILE__, __LINE__), (call))
#define COHORT_MUST(call) (cohort_here(__FILE__, __LINE__), cohort_must(call))

// ------------------------------------------------------------------------------------------------------- Processes

// Joins the job that `cohort run` started this process for; without the launcher, a job of one process. Blocks until
// all processes have joined. Fails when it is called a second time.
COHORT_API int cohort_join(cohort_process** process);

// Waits until all processes leave, so that no last message is lost, and frees the handle, also if it fails. A process
// that ends without leaving counts as failed.
COHORT_API int cohort_leave(cohort_process* process);

COHORT_API int32_t cohort_process_pid(const cohort_process* process);        // its rank in the group of all
COHORT_API int32_t cohort_process_size(const cohort_process* process);       // processes in the job
COHORT_API const char* cohort_process_host(const cohort_process* process);   // lives as long as the handle
COHORT_API uint32_t cohort_process_settings(const cohort_process* process);  // a sum of the following

enum {
  COHORT_BARRIER = 1,         // collectives imply a barrier (the default)
  COHORT_DEVELOP = 2,         // the costlier checks are on
  COHORT_PROGRESS_THREAD = 4  // started operations go on while the program computes
};

// ---------------------------------------------------------------------------------------------------------- Groups

// Every process of the job; rank = pid.
COHORT_API int cohort_group_all(cohort_process* process, cohort_group** group);

// A new group of these processes, in this order. Every member makes this call with the same list.
COHORT_API int cohort_group_of(cohort_process* process, const int32_t* pids, int32_t count, int64_t label,
                               cohort_group** group);

// Members that pass the same value form a new group, ranked by key, ties by rank. Every member makes the call.
COHORT_API int cohort_group_partition(cohort_group* group, int64_t value, int64_t key, cohort_group** part);

// The ranks first, first + stride, ... (count of them). Only these ranks make the call. Communicates nothing.
COHORT_API int cohort_group_subrange(cohort_group* group, int32_t first, int32_t stride, int32_t count,
                                     cohort_group** part);

// The living members, in a job that goes on without lost processes (--on-failure continue). All of them make the call.
COHORT_API int cohort_group_survivors(cohort_group* group, cohort_group** survivors);

// The same group, with an algorithm for its collectives: "two_tree:blocks=64". All members name the same one.
COHORT_API int cohort_group_by(cohort_group* group, const char* algorithm, cohort_group** same);

COHORT_API int32_t cohort_group_size(const cohort_group* group);
COHORT_API int32_t cohort_group_rank(const cohort_group* group);   // of this process
COHORT_API int64_t cohort_group_label(const cohort_group* group);  // passed to cohort_group_of(), or partition's value
COHORT_API cohort_id cohort_group_id(const cohort_group* group);
COHORT_API void cohort_group_members(const cohort_group* group, int32_t* pids);  // writes one for each rank
COHORT_API int cohort_group_rank_of(const cohort_group* group, int32_t pid, int32_t* rank);
COHORT_API int cohort_group_pid_of(const cohort_group* group, int32_t rank, int32_t* pid);

// The algorithm of the latest collective on this group, as "bcast/binomial"; "" before the first. The text lives until
// this thread's next call of this function.
COHORT_API const char* cohort_group_latest_algorithm(const cohort_group* group);

COHORT_API void cohort_group_free(cohort_group* group);  // other handles of the same group are not affected

// ----------------------------------------------------------------------------------------------- Types and operators

typedef int64_t cohort_type;

enum {
  COHORT_BYTE = 1,  // memory of no type
  COHORT_BOOL = 2,
  COHORT_INT8 = 3,
  COHORT_UINT8 = 4,
  COHORT_INT16 = 5,
  COHORT_UINT16 = 6,
  COHORT_INT32 = 7,
  COHORT_UINT32 = 8,
  COHORT_INT64 = 9,
  COHORT_UINT64 = 10,
  COHORT_FLOAT16 = 11,  // IEEE 754's binary16
  COHORT_BFLOAT16 = 12,
  COHORT_FLOAT = 13,
  COHORT_DOUBLE = 14,
  COHORT_LONG_DOUBLE = 15,
  COHORT_COMPLEX_FLOAT = 16,
  COHORT_COMPLEX_DOUBLE = 17,
  COHORT_COMPLEX_LONG_DOUBLE = 18
};

// For COHORT_MINIMUM_AT and COHORT_MAXIMUM_AT: struct {T value; int64_t location;}. T is not complex and has no 16 bits
// of floating point.
#define COHORT_LOCATED(type) ((type) + 64)

// Own elements of this many bytes; 0, which is no type, if there are none. Reductions of them need an operator of the
// program.
COHORT_API cohort_type cohort_type_of_size(int64_t bytes);

// An associative operator of the program. It is copied; what `context` points to must live as long as the call.
typedef struct {
  // result[i] = left[i] (+) right[i]. `result` may be `left` or `right`. Must not return by longjmp().
  void (*function)(void* context, const void* left, const void* right, void* result, int64_t count);
  void* context;
  int32_t commutative;  // 0: the operands stay in the order of the ranks
  int32_t reserved;     // 0
} cohort_operator;

#define COHORT_BUILT_IN(number) ((const cohort_operator*)(intptr_t)(number))

// For numbers; sum and product also for complex ones.
#define COHORT_SUM COHORT_BUILT_IN(1)
#define COHORT_PRODUCT COHORT_BUILT_IN(2)
#define COHORT_MINIMUM COHORT_BUILT_IN(3)
#define COHORT_MAXIMUM COHORT_BUILT_IN(4)
// For COHORT_LOCATED() types. Of equal values, the one with the lowest location.
#define COHORT_MINIMUM_AT COHORT_BUILT_IN(5)
#define COHORT_MAXIMUM_AT COHORT_BUILT_IN(6)
// For integers and bool.
#define COHORT_BIT_AND COHORT_BUILT_IN(7)
#define COHORT_BIT_OR COHORT_BUILT_IN(8)
#define COHORT_BIT_XOR COHORT_BUILT_IN(9)
// For all but complex numbers; the result is 0 or 1.
#define COHORT_LOGICAL_AND COHORT_BUILT_IN(10)
#define COHORT_LOGICAL_OR COHORT_BUILT_IN(11)
#define COHORT_LOGICAL_XOR COHORT_BUILT_IN(12)

// --------------------------------------------------------------------------------------------------- Communication

// Each operation is declared once, for three ways to call it:
//
//   cohort_send(group, ...)                       is complete when it returns
//   cohort_start_send(group, ..., &request)       returns at once; the buffers belong to it until it is complete
//   cohort_prepare_send(group, ..., &persistent)  communicates nothing: cohort_persistent_start() does
//
// Counts are elements of `type`. `counts` has one number for each rank, or is null: then all blocks are equal. The
// lists of counts are copied. Members start their collectives in the same order.
#define COHORT_START_AND_PREPARE(operation, ...)                                  \
  COHORT_API int cohort_start_##operation(__VA_ARGS__, cohort_request** request); \
  COHORT_API int cohort_prepare_##operation(__VA_ARGS__, cohort_persistent** persistent)
#define COHORT_THREE_WAYS(operation, ...)         \
  COHORT_API int cohort_##operation(__VA_ARGS__); \
  COHORT_START_AND_PREPARE(operation, __VA_ARGS__)

// What a receive has met. cohort_request_arrival() says it of one that was started.
typedef struct {
  int64_t count;   // elements
  int32_t source;  // the sender's rank
  uint32_t tag;
} cohort_arrival;

#define COHORT_NOBODY (-1)  // in an exchange: nothing is sent to it, or received from it

// Messages (channels.hpp). `arrival` may be null.
COHORT_THREE_WAYS(send, cohort_group* group, const void* data, int64_t count, cohort_type type, int32_t to,
                  uint32_t tag);
COHORT_API int cohort_receive(cohort_group* group, void* data, int64_t count, cohort_type type, int32_t from,
                              uint32_t tag, cohort_arrival* arrival);
COHORT_START_AND_PREPARE(receive, cohort_group* group, void* data, int64_t count, cohort_type type, int32_t from,
                         uint32_t tag);
// Nondeterministic: the first message with this tag from any member.
COHORT_API int cohort_receive_any(cohort_group* group, void* data, int64_t count, cohort_type type, uint32_t tag,
                                  cohort_arrival* arrival);
COHORT_START_AND_PREPARE(receive_any, cohort_group* group, void* data, int64_t count, cohort_type type, uint32_t tag);
// Sends and receives at once: no deadlock in a cycle of exchanges.
COHORT_API int cohort_exchange(cohort_group* group, const void* out, int64_t out_count, int32_t to, void* in,
                               int64_t in_count, int32_t from, cohort_type type, uint32_t tag, cohort_arrival* arrival);
COHORT_START_AND_PREPARE(exchange, cohort_group* group, const void* out, int64_t out_count, int32_t to, void* in,
                         int64_t in_count, int32_t from, cohort_type type, uint32_t tag);

// Waits for the next message, and leaves it to a receive. try_probe does not wait, and says whether there is one.
COHORT_API int cohort_probe(cohort_group* group, cohort_type type, int32_t from, uint32_t tag, cohort_arrival* arrival);
COHORT_API int cohort_probe_any(cohort_group* group, cohort_type type, uint32_t tag, cohort_arrival* arrival);
COHORT_API int cohort_try_probe(cohort_group* group, cohort_type type, int32_t from, uint32_t tag,
                                cohort_arrival* arrival, int32_t* found);
COHORT_API int cohort_try_probe_any(cohort_group* group, cohort_type type, uint32_t tag, cohort_arrival* arrival,
                                    int32_t* found);

// Collectives (collectives.hpp). All members make the same calls in the same order. Input and output must not overlap.
// In place: where the comment says so, `in` may be null, and the input is in `out`.

COHORT_THREE_WAYS(bcast, cohort_group* group, void* data, int64_t count, cohort_type type, int32_t root);

// `count` elements of each rank. In place. reduce uses `out` at the root only, and is in place there only.
COHORT_THREE_WAYS(reduce, cohort_group* group, const void* in, void* out, int64_t count, cohort_type type,
                  const cohort_operator* op, int32_t root);
COHORT_THREE_WAYS(combine, cohort_group* group, const void* in, void* out, int64_t count, cohort_type type,
                  const cohort_operator* op);
COHORT_THREE_WAYS(prefix, cohort_group* group, const void* in, void* out, int64_t count, cohort_type type,
                  const cohort_operator* op);
COHORT_THREE_WAYS(exclusive_prefix, cohort_group* group, const void* in, void* out, int64_t count, cohort_type type,
                  const cohort_operator* op);  // rank 0's `out` is not changed

// `count` elements for this rank, from the root's `in`; or of this rank, to the root's `out`. If there are counts,
// `count` is counts[this rank].
COHORT_THREE_WAYS(scatter, cohort_group* group, const void* in, void* out, int64_t count, const int64_t* counts,
                  cohort_type type, int32_t root);
COHORT_THREE_WAYS(gather, cohort_group* group, const void* in, void* out, int64_t count, const int64_t* counts,
                  cohort_type type, int32_t root);
// The same to every rank. In place: this rank's block is at its place in `out`.
COHORT_THREE_WAYS(concat, cohort_group* group, const void* in, void* out, int64_t count, const int64_t* counts,
                  cohort_type type);
// A reduction of one block for each rank, of which this rank gets its own, of `count` elements.
COHORT_THREE_WAYS(reduce_scatter, cohort_group* group, const void* in, void* out, int64_t count, const int64_t* counts,
                  cohort_type type, const cohort_operator* op);

// Block j of rank i's `in` becomes block i of rank j's `out`: `count` elements each. index_counts sends send_counts[j]
// elements to rank j, and receives receive_counts[i] from rank i.
COHORT_THREE_WAYS(index, cohort_group* group, const void* in, void* out, int64_t count, cohort_type type);
COHORT_THREE_WAYS(index_counts, cohort_group* group, const void* in, const int64_t* send_counts, void* out,
                  const int64_t* receive_counts, cohort_type type);

// `in` of rank r becomes `out` of rank r + distance: around the end, or not (open_shift).
COHORT_THREE_WAYS(shift, cohort_group* group, const void* in, void* out, int64_t count, cohort_type type,
                  int64_t distance);
COHORT_THREE_WAYS(open_shift, cohort_group* group, const void* in, void* out, int64_t count, cohort_type type,
                  int64_t distance);

// A barrier.
COHORT_THREE_WAYS(sync, cohort_group* group);

// ------------------------------------------------------------------------------------------- Operations in progress

// These return the operation's error.
COHORT_API int cohort_request_test(cohort_request* request, int32_t* complete);  // makes progress, never blocks
COHORT_API int cohort_request_wait(cohort_request* request);
// The place of a request that is complete, also if its operation has failed. Null requests, and those that are over,
// are passed over; if there are no others, the place is `count`.
COHORT_API int cohort_request_wait_any(cohort_request* const* requests, int64_t count, int64_t* place);
// Returns the first error, after all are complete.
COHORT_API int cohort_request_wait_all(cohort_request* const* requests, int64_t count);

// Cancels a receive that has not met its message. Says whether it did; the request is complete then.
COHORT_API int cohort_request_cancel(cohort_request* request, int32_t* cancelled);

// What a completed receive has met. For everything else the count is 0, and the source -1.
COHORT_API cohort_arrival cohort_request_arrival(const cohort_request* request);

// To free the request of an operation that is not complete is a mistake, which makes the group fail.
COHORT_API void cohort_request_free(cohort_request* request);

// Starts the operation. The one that was started last must be complete.
COHORT_API int cohort_persistent_start(cohort_persistent* persistent, cohort_request** request);
COHORT_API void cohort_persistent_free(cohort_persistent* persistent);

#ifdef __cplusplus
}
#endif

#endif
