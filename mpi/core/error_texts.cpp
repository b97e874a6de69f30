// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/error_texts.hpp"

#include <cstddef>

#include "mpi/constants.hpp"

namespace cohort::mpi {
namespace {

struct Text {
  int error_class;
  const char* text;
};

constexpr Text general[] = {
    {abi::success, "MPI_SUCCESS: no error"},
    {abi::err_buffer, "MPI_ERR_BUFFER: a buffer is null, or overlaps another one"},
    {abi::err_count, "MPI_ERR_COUNT: a count is negative or too large"},
    {abi::err_type, "MPI_ERR_TYPE: a datatype is null, not committed, or not allowed here"},
    {abi::err_tag, "MPI_ERR_TAG: a tag is negative or larger than MPI_TAG_UB"},
    {abi::err_comm, "MPI_ERR_COMM: a communicator is null, or of a kind that is not allowed here"},
    {abi::err_rank, "MPI_ERR_RANK: a rank is out of range"},
    {abi::err_request, "MPI_ERR_REQUEST: a request is null, or of a kind that is not allowed here"},
    {abi::err_root, "MPI_ERR_ROOT: the root is out of range"},
    {abi::err_group, "MPI_ERR_GROUP: a group is null, or not one that is allowed here"},
    {abi::err_op, "MPI_ERR_OP: an operator is null, or not defined for the datatype"},
    {abi::err_topology, "MPI_ERR_TOPOLOGY: the communicator does not have the topology that the function needs"},
    {abi::err_dims, "MPI_ERR_DIMS: a dimension, or the number of dimensions, is wrong"},
    {abi::err_arg, "MPI_ERR_ARG: an argument is wrong"},
    {abi::err_unknown, "MPI_ERR_UNKNOWN: an error without a class"},
    {abi::err_truncate, "MPI_ERR_TRUNCATE: a message is longer than the buffer of its receive"},
    {abi::err_other, "MPI_ERR_OTHER: an error of another class"},
    {abi::err_intern, "MPI_ERR_INTERN: an error inside of the library"},
    {abi::err_pending, "MPI_ERR_PENDING: the request is neither complete nor failed"},
    {abi::err_in_status, "MPI_ERR_IN_STATUS: an operation failed; its status has the error"},
    {abi::err_assert, "MPI_ERR_ASSERT: an assertion is wrong"},
    {abi::err_info, "MPI_ERR_INFO: an info object is null, or can't be changed"},
    {abi::err_info_key, "MPI_ERR_INFO_KEY: the key of a hint is empty or too long"},
    {abi::err_info_value, "MPI_ERR_INFO_VALUE: the value of a hint is too long"},
    {abi::err_info_nokey, "MPI_ERR_INFO_NOKEY: there is no hint with this key"},
    {abi::err_keyval, "MPI_ERR_KEYVAL: a key of attributes is not valid"},
    {abi::err_name, "MPI_ERR_NAME: no service is published under this name"},
    {abi::err_no_mem, "MPI_ERR_NO_MEM: there is not enough memory"},
    {abi::err_port, "MPI_ERR_PORT: the name of a port is wrong"},
    {abi::err_service, "MPI_ERR_SERVICE: the name of a service is wrong"},
    {abi::err_spawn, "MPI_ERR_SPAWN: processes could not be started"},
    {abi::err_unsupported_operation, "MPI_ERR_UNSUPPORTED_OPERATION: the operation is not supported"},
    {abi::err_proc_aborted, "MPI_ERR_PROC_ABORTED: a process that the call needs has aborted"},
    {abi::err_value_too_large, "MPI_ERR_VALUE_TOO_LARGE: a value does not fit into its argument"},
    {abi::err_session, "MPI_ERR_SESSION: a session is not valid"},
    {abi::err_errhandler, "MPI_ERR_ERRHANDLER: an error handler is not valid"},
    {abi::err_abi, "MPI_ERR_ABI: the program and the library have different binary interfaces"},
    {abi::err_proc_failed, "MPIX_ERR_PROC_FAILED: a process that the call needs has died"},
    {abi::err_proc_failed_pending, "MPIX_ERR_PROC_FAILED_PENDING: a possible source died; the receive goes on"},
    {abi::err_revoked, "MPIX_ERR_REVOKED: the communicator is revoked"},
    {abi::err_lastcode, "MPI_ERR_LASTCODE: the largest of the standard's error codes"},
};

constexpr Text of_files_and_windows[] = {
    {abi::err_access, "MPI_ERR_ACCESS: permission is denied"},
    {abi::err_amode, "MPI_ERR_AMODE: the access mode of a file is wrong"},
    {abi::err_bad_file, "MPI_ERR_BAD_FILE: the name of a file is not valid"},
    {abi::err_base, "MPI_ERR_BASE: the base address is wrong"},
    {abi::err_conversion, "MPI_ERR_CONVERSION: data could not be converted"},
    {abi::err_disp, "MPI_ERR_DISP: a displacement is wrong"},
    {abi::err_dup_datarep, "MPI_ERR_DUP_DATAREP: there is a data representation with this name already"},
    {abi::err_file_exists, "MPI_ERR_FILE_EXISTS: the file exists"},
    {abi::err_file_in_use, "MPI_ERR_FILE_IN_USE: a process has the file open"},
    {abi::err_file, "MPI_ERR_FILE: a file handle is not valid"},
    {abi::err_io, "MPI_ERR_IO: input or output failed"},
    {abi::err_locktype, "MPI_ERR_LOCKTYPE: the kind of a lock is wrong"},
    {abi::err_not_same, "MPI_ERR_NOT_SAME: the processes passed different arguments"},
    {abi::err_no_space, "MPI_ERR_NO_SPACE: there is not enough space for the file"},
    {abi::err_no_such_file, "MPI_ERR_NO_SUCH_FILE: the file does not exist"},
    {abi::err_quota, "MPI_ERR_QUOTA: the quota is exceeded"},
    {abi::err_read_only, "MPI_ERR_READ_ONLY: the file or its file system can only be read"},
    {abi::err_rma_attach, "MPI_ERR_RMA_ATTACH: memory could not be attached to a window"},
    {abi::err_rma_conflict, "MPI_ERR_RMA_CONFLICT: accesses to a window are in conflict"},
    {abi::err_rma_range, "MPI_ERR_RMA_RANGE: an access is outside of its window"},
    {abi::err_rma_shared, "MPI_ERR_RMA_SHARED: memory can't be shared"},
    {abi::err_rma_sync, "MPI_ERR_RMA_SYNC: calls that synchronise a window are in the wrong order"},
    {abi::err_rma_flavor, "MPI_ERR_RMA_FLAVOR: the window is of a kind that is not allowed here"},
    {abi::err_size, "MPI_ERR_SIZE: a size is wrong"},
    {abi::err_unsupported_datarep, "MPI_ERR_UNSUPPORTED_DATAREP: the data representation is not supported"},
    {abi::err_win, "MPI_ERR_WIN: a window is not valid"},
};

constexpr Text of_tools[] = {
    {abi::t_err_cannot_init, "MPI_T_ERR_CANNOT_INIT: the interface for tools can't be initialised"},
    {abi::t_err_not_accessible, "MPI_T_ERR_NOT_ACCESSIBLE: the function is not accessible now"},
    {abi::t_err_not_initialized, "MPI_T_ERR_NOT_INITIALIZED: the interface for tools is not initialised"},
    {abi::t_err_not_supported, "MPI_T_ERR_NOT_SUPPORTED: the function is not supported"},
    {abi::t_err_memory, "MPI_T_ERR_MEMORY: there is not enough memory"},
    {abi::t_err_invalid, "MPI_T_ERR_INVALID: an argument is wrong"},
    {abi::t_err_invalid_index, "MPI_T_ERR_INVALID_INDEX: there is no variable or category with this number"},
    {abi::t_err_invalid_item, "MPI_T_ERR_INVALID_ITEM: the enumeration has no item with this number"},
    {abi::t_err_invalid_session, "MPI_T_ERR_INVALID_SESSION: the session is not valid"},
    {abi::t_err_invalid_handle, "MPI_T_ERR_INVALID_HANDLE: the handle is not valid"},
    {abi::t_err_invalid_name, "MPI_T_ERR_INVALID_NAME: there is no variable or category with this name"},
    {abi::t_err_out_of_handles, "MPI_T_ERR_OUT_OF_HANDLES: there are no handles left"},
    {abi::t_err_out_of_sessions, "MPI_T_ERR_OUT_OF_SESSIONS: there are no sessions left"},
    {abi::t_err_cvar_set_not_now, "MPI_T_ERR_CVAR_SET_NOT_NOW: the variable can't be set now"},
    {abi::t_err_cvar_set_never, "MPI_T_ERR_CVAR_SET_NEVER: the variable can't be set"},
    {abi::t_err_pvar_no_write, "MPI_T_ERR_PVAR_NO_WRITE: the variable can't be written"},
    {abi::t_err_pvar_no_startstop, "MPI_T_ERR_PVAR_NO_STARTSTOP: the variable can't be started or stopped"},
    {abi::t_err_pvar_no_atomic, "MPI_T_ERR_PVAR_NO_ATOMIC: the variable can't be read and reset at once"},
};

template <std::size_t size>
const char* find(const Text (&texts)[size], int error_class) {
  for (const Text& text : texts) {
    if (text.error_class == error_class) return text.text;
  }
  return nullptr;
}

}  // namespace

const char* text_of_class(int error_class) {
  if (const char* text = find(general, error_class)) return text;
  if (const char* text = find(of_files_and_windows, error_class)) return text;
  return find(of_tools, error_class);
}

}  // namespace cohort::mpi
