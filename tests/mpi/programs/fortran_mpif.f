! SPDX-License-Identifier: Apache-2.0
C     Fortran 77 (mpif.h): what old programs use.
      program mpif
      implicit none
      include 'mpif.h'
      integer me, ranks, ierror, to, from, status(MPI_STATUS_SIZE)
      integer requests(2), statuses(MPI_STATUS_SIZE, 2), i, sum, comm
      integer count, position, coords(1), rank, op
      double precision out(50), in(50), started
      character buffer(100)
      character*(MPI_MAX_ERROR_STRING) text
      logical flag, periods(1)
      external add
      call MPI_INIT(ierror)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierror)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierror)
      started = MPI_WTIME()
      to = mod(me + 1, ranks)
      from = mod(me - 1 + ranks, ranks)
      do i = 1, 50
        out(i) = me * 100 + i
      end do
      call MPI_IRECV(in, 50, MPI_DOUBLE_PRECISION, from, 5,
     &               MPI_COMM_WORLD, requests(1), ierror)
      call MPI_ISEND(out, 50, MPI_DOUBLE_PRECISION, to, 5,
     &               MPI_COMM_WORLD, requests(2), ierror)
      call MPI_WAITALL(2, requests, statuses, ierror)
      call MPI_GET_COUNT(statuses(1, 1), MPI_DOUBLE_PRECISION, count,
     &                   ierror)
      if (count .ne. 50 .or. in(50) .ne. from * 100 + 50) call wrong(1)
      if (statuses(MPI_SOURCE, 1) .ne. from) call wrong(2)
      call MPI_ALLREDUCE(me, sum, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierror)
      if (sum .ne. ranks * (ranks - 1) / 2) call wrong(3)
      call MPI_OP_CREATE(add, .true., op, ierror)
      call MPI_ALLREDUCE(me, sum, 1, MPI_INTEGER, op, MPI_COMM_WORLD,
     &                   ierror)
      if (sum .ne. ranks * (ranks - 1) / 2) call wrong(4)
      call MPI_OP_FREE(op, ierror)
      position = 0
      call MPI_PACK(me, 1, MPI_INTEGER, buffer, 100, position,
     &              MPI_COMM_WORLD, ierror)
      call MPI_PACK(out, 2, MPI_DOUBLE_PRECISION, buffer, 100, position,
     &              MPI_COMM_WORLD, ierror)
      call MPI_BCAST(buffer, position, MPI_PACKED, 0, MPI_COMM_WORLD,
     &               ierror)
      position = 0
      call MPI_UNPACK(buffer, 100, position, sum, 1, MPI_INTEGER,
     &                MPI_COMM_WORLD, ierror)
      call MPI_UNPACK(buffer, 100, position, in, 2,
     &                MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierror)
      if (sum .ne. 0 .or. in(2) .ne. 2) call wrong(5)
      periods(1) = .true.
      call MPI_CART_CREATE(MPI_COMM_WORLD, 1, ranks, periods, .false.,
     &                     comm, ierror)
      call MPI_CART_SHIFT(comm, 0, 1, i, rank, ierror)
      if (i .ne. from .or. rank .ne. to) call wrong(6)
      call MPI_CART_COORDS(comm, me, 1, coords, ierror)
      if (coords(1) .ne. me) call wrong(7)
      call MPI_COMM_FREE(comm, ierror)
      call MPI_IPROBE(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, flag,
     &                status, ierror)
      if (flag) call wrong(8)
      call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, MPI_ERRORS_RETURN,
     &                             ierror)
      call MPI_SEND(me, 1, MPI_INTEGER, ranks, 0, MPI_COMM_WORLD, i)
      call MPI_ERROR_CLASS(i, sum, ierror)
      call MPI_ERROR_STRING(i, text, count, ierror)
      if (sum .ne. MPI_ERR_RANK .or. count .le. 0) call wrong(9)
      if (MPI_WTIME() .lt. started) call wrong(10)
      call MPI_BARRIER(MPI_COMM_WORLD, ierror)
      if (me .eq. 0) print '(a)', 'ok fortran_mpif'
      call MPI_FINALIZE(ierror)
      end

      subroutine add(in, inout, count, type)
      integer count, type, in(count), inout(count), i
      do i = 1, count
        inout(i) = in(i) + inout(i)
      end do
      end

      subroutine wrong(what)
      include 'mpif.h'
      integer what, ierror
      print '(a,i3,a)', 'fortran_mpif: check', what, ' does not hold'
      call MPI_ABORT(MPI_COMM_WORLD, 1, ierror)
      end
