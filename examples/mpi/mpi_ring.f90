! SPDX-License-Identifier: Apache-2.0
! Processes in a ring: the name of each host, and a number, go once around.
!
! In each step a process sends to its right neighbour what it got last from the left one. After as many steps as there
! are processes everything is back where it began, and each process has seen the numbers of all.
program mpi_ring
  use mpi_f08
  implicit none

  integer, parameter :: number_tag = 1, name_tag = 2
  character(len=MPI_MAX_PROCESSOR_NAME) :: name, arriving
  integer :: rank, ranks, left, right, step, length, number, next, seen, total, home
  type(MPI_Request) :: requests(4)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  right = modulo(rank + 1, ranks)
  left = modulo(rank - 1, ranks)

  name = ''
  call MPI_Get_processor_name(name, length)
  number = (rank + 1)**2
  seen = 0
  do step = 1, ranks
    call MPI_Irecv(next, 1, MPI_INTEGER, left, number_tag, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(arriving, len(arriving), MPI_CHARACTER, left, name_tag, MPI_COMM_WORLD, requests(2))
    call MPI_Isend(number, 1, MPI_INTEGER, right, number_tag, MPI_COMM_WORLD, requests(3))
    call MPI_Isend(name, len(name), MPI_CHARACTER, right, name_tag, MPI_COMM_WORLD, requests(4))
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
    number = next
    name = arriving
    seen = seen + number
  end do

  ! All have seen the same, and have their own number again.
  call MPI_Reduce(seen, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  home = merge(1, 0, number == (rank + 1)**2)
  call MPI_Allreduce(MPI_IN_PLACE, home, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) then
    print '(a, i0, a, i0, a, i0, a)', 'a ring of ', ranks, ': each has seen ', total / ranks, ', ', home, ' are home'
    print '(2a)', 'rank 0 runs on ', trim(name)
  end if
  call MPI_Finalize()
end program mpi_ring
