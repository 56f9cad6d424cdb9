! Messages from both dialects of Fortran: -DOLD for `use mpi`, else mpi_f08.
program messages
#ifdef OLD
    use mpi
    implicit none
    integer :: request, status(MPI_STATUS_SIZE)
#else
    use mpi_f08
    implicit none
    type(MPI_Request) :: request
    type(MPI_Status) :: status
#endif
    integer :: rank, error, values(100), seconds
    values = 1
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    if (rank == 0) call late()
    call MPI_Bcast(values, 100, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    if (rank == 0) then
        call late()
        call MPI_Send(values, 50, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, error)
    else
        call MPI_Recv(values, 50, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, status, error)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, error)
    if (rank == 0) then
        call late()
        call MPI_Send(values, 50, MPI_INTEGER, 1, 4, MPI_COMM_WORLD, error)
    else
        call MPI_Irecv(values, 50, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, status, error)
    end if
    call MPI_Allreduce(MPI_IN_PLACE, values, 100, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
contains
    subroutine late()
        integer(8) :: start, now, rate
        call system_clock(start, rate)
        do
            call system_clock(now)
            if (now - start > rate * 3 / 10) exit
        end do
    end subroutine
end program
