! Beamforming of a sensor array: every rank filters its channels, all samples go to one file.
program beamform
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer :: ierr, rank, nproc, nchan, nsamp, mychan, first, shot, nshot
  real(dp), allocatable :: trace(:, :)
  real(dp) :: mine, total
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nchan = 8
  nsamp = 100000
  nshot = 3
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nsamp
  end if
  nchan = (nchan / nproc) * nproc
  mychan = nchan / nproc
  first = rank * mychan
  allocate (trace(mychan, nsamp))

  total = 0.0_dp
  do shot = 1, nshot
    call synthesize(shot)
    call smooth()
    call store(shot)
    mine = sum(trace)
    call MPI_Allreduce(MPI_IN_PLACE, mine, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    total = total + mine
  end do
  if (rank == 0) print '(a,es18.9)', 'sum of traces ', total
  call MPI_Finalize(ierr)

contains

  subroutine synthesize(s)
    integer, intent(in) :: s
    integer :: c, t
    real(dp) :: delay, x
    do t = 1, nsamp
      do c = 1, mychan
        delay = 200.0_dp + 3.5_dp * (first + c) + 10.0_dp * s
        x = 0.02_dp * (mod(t, 2000) - delay)
        trace(c, t) = (1.0_dp - x * x) / (1.0_dp + x**4)
      end do
    end do
  end subroutine synthesize

  subroutine smooth()
    integer :: c, t
    do t = 2, nsamp
      do c = 1, mychan
        trace(c, t) = 0.7_dp * trace(c, t) + 0.3_dp * trace(c, t - 1)
      end do
    end do
  end subroutine smooth

  subroutine store(s)
    integer, intent(in) :: s
    integer :: fh, part, status(MPI_STATUS_SIZE)
    integer(kind=MPI_OFFSET_KIND) :: disp
    character(len=24) :: name
    write (name, '(a,i3.3,a)') 'shot_', s, '.bin'
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
    call MPI_Type_create_subarray(2, (/ nchan, nsamp /), (/ mychan, nsamp /), (/ first, 0 /), &
                                  MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, part, ierr)
    call MPI_Type_commit(part, ierr)
    disp = 0
    call MPI_File_set_view(fh, disp, MPI_DOUBLE_PRECISION, part, 'native', MPI_INFO_NULL, ierr)
    call MPI_File_write_all(fh, trace, size(trace), MPI_DOUBLE_PRECISION, status, ierr)
    call MPI_Type_free(part, ierr)
    call MPI_File_close(fh, ierr)
  end subroutine store

end program beamform
