! SPDX-License-Identifier: Apache-2.0
! The interface of Fortran 90 (use mpi): messages, collectives, types, operators, attributes, constants with addresses.
module checks
  use mpi
  implicit none
  integer :: me, ranks, ierror, errors = 0, last = 0
  integer(MPI_ADDRESS_KIND) :: calls = 0  ! of a generalized request's functions, which change the variable itself
contains
  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print '(a,i0,a,a)', 'fortran, rank ', me, ': ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end subroutine

  ! x -> a x + b; element 1 is a, element 2 is b. Does not commute.
  subroutine compose(in, inout, count, type)
    integer, intent(in) :: count, type
    integer, intent(in) :: in(2, count)
    integer, intent(inout) :: inout(2, count)
    integer :: at
    do at = 1, count
      inout(2, at) = in(2, at) * inout(1, at) + inout(2, at)
      inout(1, at) = in(1, at) * inout(1, at)
    end do
  end subroutine

  subroutine copy_attribute(comm, key, state, value, copy, flag, code)
    integer :: comm, key, code
    integer(MPI_ADDRESS_KIND) :: state, value, copy
    logical :: flag
    copy = value + state
    flag = .true.
    code = MPI_SUCCESS
  end subroutine

  subroutine query(state, status, code)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: status(MPI_STATUS_SIZE), code
    state = state + 1
    call MPI_Status_set_elements(status, MPI_BYTE, 3, code)
    call MPI_Status_set_cancelled(status, .false., code)
  end subroutine

  subroutine release(state, code)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: code
    state = state + 10
    code = MPI_SUCCESS
  end subroutine

  subroutine cancel(state, complete, code)
    integer(MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: code
    state = state + 100
    code = MPI_SUCCESS
  end subroutine

  subroutine on_error(comm, code)
    integer :: comm, code
    errors = errors + 1
    last = code
  end subroutine
end module

program fortran
  use checks
  implicit none
  integer :: provided
  call MPI_Init_thread(MPI_THREAD_SINGLE, provided, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call messages()
  call completions()
  call generalized()
  call collectives()
  call types()
  call operators()
  call attributes()
  call handlers()
  call strings()
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  if (me == 0) print '(a)', 'ok fortran'
  call MPI_Finalize(ierror)
contains
  subroutine messages()
    integer :: status(MPI_STATUS_SIZE), to, from, count
    real(8) :: out(100), in(100)
    to = mod(me + 1, ranks)
    from = mod(me - 1 + ranks, ranks)
    out = me + 0.5d0
    call MPI_Sendrecv(out, 100, MPI_DOUBLE_PRECISION, to, 7, in, 100, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, &
                      MPI_COMM_WORLD, status, ierror)
    call expect(all(in == from + 0.5d0), 'sendrecv')
    call expect(status(MPI_SOURCE) == from .and. status(MPI_TAG) == 7, 'status')
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count, ierror)
    call expect(count == 100, 'count')
    call MPI_Sendrecv(out, 100, MPI_DOUBLE_PRECISION, to, 7, in, 100, MPI_DOUBLE_PRECISION, from, 7, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call expect(ierror == MPI_SUCCESS, 'status ignored')
    call MPI_Send(out, 1, MPI_REAL8, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierror)
    call MPI_Recv(in, 1, MPI_REAL8, MPI_PROC_NULL, 0, MPI_COMM_WORLD, status, ierror)
    call expect(status(MPI_SOURCE) == MPI_PROC_NULL, 'null process')
  end subroutine

  ! Indices count from 1.
  subroutine completions()
    integer :: requests(3), statuses(MPI_STATUS_SIZE, 3), status(MPI_STATUS_SIZE), data(3), at, done, places(3)
    logical :: flag
    do at = 1, 3
      call MPI_Irecv(data(at), 1, MPI_INTEGER, me, at, MPI_COMM_WORLD, requests(at), ierror)
    end do
    call MPI_Testany(3, requests, at, flag, status, ierror)
    call expect(.not. flag, 'testany of none')
    call MPI_Send(20, 1, MPI_INTEGER, me, 2, MPI_COMM_WORLD, ierror)
    call MPI_Waitany(3, requests, at, status, ierror)
    call expect(at == 2 .and. status(MPI_TAG) == 2, 'waitany')
    call expect(requests(2) == MPI_REQUEST_NULL, 'null request')
    call MPI_Send(30, 1, MPI_INTEGER, me, 3, MPI_COMM_WORLD, ierror)
    call MPI_Waitsome(3, requests, done, places, statuses, ierror)
    call expect(done == 1 .and. places(1) == 3 .and. statuses(MPI_TAG, 1) == 3, 'waitsome')
    call MPI_Send(10, 1, MPI_INTEGER, me, 1, MPI_COMM_WORLD, ierror)
    call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierror)
    call expect(all(data == [10, 20, 30]), 'data')
    call MPI_Waitany(3, requests, at, MPI_STATUS_IGNORE, ierror)
    call expect(at == MPI_UNDEFINED, 'nothing left')
  end subroutine

  subroutine generalized()
    integer :: request, status(MPI_STATUS_SIZE), count
    call MPI_Grequest_start(query, release, cancel, calls, request, ierror)
    call MPI_Cancel(request, ierror)
    call MPI_Grequest_complete(request, ierror)
    call MPI_Wait(request, status, ierror)
    call MPI_Get_count(status, MPI_BYTE, count, ierror)
    call expect(count == 3 .and. calls == 111, 'generalized request')
  end subroutine

  subroutine collectives()
    integer :: values(ranks), sum, rank, pair(2), best(2), request
    sum = me
    call MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call expect(sum == ranks * (ranks - 1) / 2, 'allreduce in place')
    values = -1
    values(me + 1) = me * me
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    call expect(all(values == [(rank * rank, rank = 0, ranks - 1)]), 'allgather in place')
    pair = [mod(me, 2), me]
    call MPI_Allreduce(pair, best, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, ierror)
    call expect(best(2) == merge(0, 1, ranks == 1), 'maxloc')
    call MPI_Iallreduce(me, sum, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call expect(sum == ranks - 1, 'iallreduce')
    sum = merge(42, 0, me == ranks - 1)
    call MPI_Bcast(sum, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, ierror)
    call expect(sum == 42, 'bcast')
  end subroutine

  subroutine types()
    integer :: row, absolute, size, status(MPI_STATUS_SIZE), whole(4, 6), part(6), column
    integer(MPI_ADDRESS_KIND) :: lower, extent, places(2)
    integer, volatile :: first
    real(8), volatile :: second
    whole = reshape([(column, column = 1, 24)], [4, 6])
    call MPI_Type_vector(6, 1, 4, MPI_INTEGER, row, ierror)
    call MPI_Type_commit(row, ierror)
    call MPI_Type_size(row, size, ierror)
    call expect(size == 24, 'size of a row')
    call MPI_Type_get_extent(row, lower, extent, ierror)
    call expect(lower == 0 .and. extent == 84, 'extent of a row')
    call MPI_Sendrecv(whole(2, 1), 1, row, me, 1, part, 6, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status, ierror)
    call expect(all(part == whole(2, :)), 'a row')
    call MPI_Type_free(row, ierror)
    call expect(row == MPI_DATATYPE_NULL, 'a freed type')

    first = me + 1
    second = me + 1.5d0
    call MPI_Get_address(first, places(1), ierror)
    call MPI_Get_address(second, places(2), ierror)
    call MPI_Type_create_struct(2, [1, 1], places, [MPI_INTEGER, MPI_DOUBLE_PRECISION], absolute, ierror)
    call MPI_Type_commit(absolute, ierror)
    call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD, ierror)
    call expect(first == 1 .and. second == 1.5d0, 'absolute addresses')
    call MPI_Type_free(absolute, ierror)
  end subroutine

  subroutine operators()
    integer :: op, pair, mine(2), all(2), expected(2), rank
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierror)
    call MPI_Type_commit(pair, ierror)
    call MPI_Op_create(compose, .false., op, ierror)
    mine = [2, me]
    expected = [2, 0]
    do rank = 1, ranks - 1
      expected = [expected(1) * 2, expected(2) * 2 + rank]
    end do
    call MPI_Allreduce(mine, all, 1, pair, op, MPI_COMM_WORLD, ierror)
    call expect(all(1) == expected(1) .and. all(2) == expected(2), 'an operator of the program')
    call MPI_Op_free(op, ierror)
    call MPI_Type_free(pair, ierror)
  end subroutine

  subroutine attributes()
    integer :: key, comm, copy, size
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
    call expect(flag .and. value >= 32767, 'the largest tag')
    call MPI_Comm_create_keyval(copy_attribute, MPI_COMM_NULL_DELETE_FN, key, 5_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_set_attr(comm, key, 37_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_dup(comm, copy, ierror)
    call MPI_Comm_get_attr(copy, key, value, flag, ierror)
    call expect(flag .and. value == 42, 'a copied attribute')
    call MPI_Comm_size(copy, size, ierror)
    call expect(size == ranks, 'a copied communicator')
    call MPI_Comm_free(copy, ierror)
    call MPI_Comm_free(comm, ierror)
    call MPI_Comm_free_keyval(key, ierror)
    call expect(key == MPI_KEYVAL_INVALID .and. comm == MPI_COMM_NULL, 'freed handles')
  end subroutine

  subroutine handlers()
    integer :: handler, comm, class
    call MPI_Comm_create_errhandler(on_error, handler, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_set_errhandler(comm, handler, ierror)
    call MPI_Send(me, 1, MPI_INTEGER, ranks + 1, 0, comm, ierror)
    call expect(errors == 1, 'the error handler is called')
    call MPI_Error_class(last, class, ierror)
    call expect(class == MPI_ERR_RANK, 'the class of the error')
    call MPI_Errhandler_free(handler, ierror)
    call MPI_Comm_free(comm, ierror)
  end subroutine

  subroutine strings()
    character(MPI_MAX_OBJECT_NAME) :: name
    character(MPI_MAX_PROCESSOR_NAME) :: host
    character(10) :: value
    integer :: length, comm, info
    logical :: flag
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length, ierror)
    call expect(name == 'MPI_COMM_WORLD' .and. length == 14, 'the name of the world')
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_set_name(comm, 'a name   ', ierror)
    call MPI_Comm_get_name(comm, name, length, ierror)
    call expect(name == 'a name' .and. length == 6, 'a name')
    call MPI_Comm_free(comm, ierror)
    call MPI_Get_processor_name(host, length, ierror)
    call expect(length > 0 .and. len_trim(host) == length, 'the name of the host')
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, ' key ', ' value ', ierror)
    call MPI_Info_get(info, 'key', 10, value, flag, ierror)
    call expect(flag .and. value == 'value', 'a hint')
    call MPI_Info_get(info, 'none', 10, value, flag, ierror)
    call expect(.not. flag, 'no hint')
    call MPI_Info_free(info, ierror)
    call expect(MPI_Wtime() >= 0 .and. MPI_Wtick() > 0, 'time')
  end subroutine
end program
