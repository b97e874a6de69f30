! SPDX-License-Identifier: Apache-2.0
! The interface of Fortran 2008 (use mpi_f08): handles are types, errors need not be asked for.
module f08_checks
  use mpi_f08
  implicit none
  integer :: me, ranks
contains
  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print '(a,i0,a,a)', 'fortran_f08, rank ', me, ': ', what
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine

  subroutine add_squares(in, inout, count, type)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: in, inout
    integer :: count
    type(MPI_Datatype) :: type
    integer, pointer :: from(:), to(:)
    call c_f_pointer(in, from, [count])
    call c_f_pointer(inout, to, [count])
    to = to + from
  end subroutine
end module

program fortran_f08
  use f08_checks
  implicit none
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call messages()
  call completions()
  call collectives()
  call objects()
  call MPI_Barrier(MPI_COMM_WORLD)
  if (me == 0) print '(a)', 'ok fortran_f08'
  call MPI_Finalize()
contains
  subroutine messages()
    type(MPI_Status) :: status
    type(MPI_Request) :: request
    integer :: data, count, ierror, from
    from = mod(me - 1 + ranks, ranks)
    call MPI_Irecv(data, 1, MPI_INTEGER, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, request)
    call MPI_Send(me, 1, MPI_INTEGER, mod(me + 1, ranks), 3, MPI_COMM_WORLD)
    call MPI_Wait(request, status, ierror)
    call expect(ierror == MPI_SUCCESS .and. data == from, 'a message')
    call expect(status%MPI_SOURCE == from .and. status%MPI_TAG == 3, 'status')
    call MPI_Get_count(status, MPI_INTEGER, count)
    call expect(count == 1, 'count')
    call expect(request == MPI_REQUEST_NULL, 'null request')
    call MPI_Sendrecv(me, 1, MPI_INTEGER, me, 1, data, 1, MPI_INTEGER, me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call expect(data == me, 'status ignored')
  end subroutine

  subroutine completions()
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: statuses(2)
    integer :: data(2), at
    logical :: flag
    call MPI_Irecv(data(1), 1, MPI_INTEGER, me, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(data(2), 1, MPI_INTEGER, me, 2, MPI_COMM_WORLD, requests(2))
    call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE)
    call expect(.not. flag, 'testall')
    call MPI_Send(22, 1, MPI_INTEGER, me, 2, MPI_COMM_WORLD)
    call MPI_Waitany(2, requests, at, statuses(1))
    call expect(at == 2 .and. statuses(1)%MPI_TAG == 2, 'waitany')
    call MPI_Send(11, 1, MPI_INTEGER, me, 1, MPI_COMM_WORLD)
    call MPI_Waitall(2, requests, statuses)
    call expect(statuses(1)%MPI_TAG == 1 .and. all(data == [11, 22]), 'waitall')
  end subroutine

  subroutine collectives()
    integer :: sum, values(ranks), rank
    type(MPI_Op) :: op
    sum = me
    call MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call expect(sum == ranks * (ranks - 1) / 2, 'allreduce in place')
    call MPI_Op_create(add_squares, .true., op)
    call MPI_Allreduce(me * me, sum, 1, MPI_INTEGER, op, MPI_COMM_WORLD)
    call expect(sum == (ranks - 1) * ranks * (2 * ranks - 1) / 6, 'an operator of the program')
    call MPI_Op_free(op)
    call MPI_Gather(me, 1, MPI_INTEGER, values, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    if (me == 0) call expect(all(values == [(rank, rank = 0, ranks - 1)]), 'gather')
  end subroutine

  subroutine objects()
    type(MPI_Comm) :: comm
    type(MPI_Datatype) :: column
    type(MPI_Info) :: info
    character(MPI_MAX_OBJECT_NAME) :: name
    character(8) :: value
    integer :: rank, length, matrix(3, 4), part(3)
    logical :: flag
    call MPI_Comm_split(MPI_COMM_WORLD, mod(me, 2), -me, comm)
    call MPI_Comm_rank(comm, rank)
    call expect(rank == (ranks - 1 - me) / 2, 'the rank by key')
    call MPI_Comm_set_name(comm, 'half')
    call MPI_Comm_get_name(comm, name, length)
    call expect(name == 'half' .and. length == 4, 'a name')
    call MPI_Comm_free(comm)
    call expect(comm == MPI_COMM_NULL, 'a freed communicator')
    matrix = reshape([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [3, 4])
    call MPI_Type_create_subarray(2, [3, 4], [3, 1], [0, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, column)
    call MPI_Type_commit(column)
    call MPI_Sendrecv(matrix, 1, column, me, 0, part, 3, MPI_INTEGER, me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call expect(all(part == matrix(:, 3)), 'a column')
    call MPI_Type_free(column)
    call MPI_Info_create(info)
    call MPI_Info_set(info, 'key', 'value')
    call MPI_Info_get(info, 'key', 8, value, flag)
    call expect(flag .and. value == 'value', 'a hint')
    call MPI_Info_free(info)
  end subroutine
end program
