! Radiative cooling in independent atmospheric columns; all columns end up in one archive.
program column
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nlev = 24
  integer :: ierr, rank, nproc, ncol, nlocal, first, c, k, nstep, s
  real(dp), allocatable :: theta(:, :)
  real(dp) :: mine, total, t0
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  ncol = 200000
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) ncol
  end if
  ncol = (ncol / nproc) * nproc
  nlocal = ncol / nproc
  first = rank * nlocal
  nstep = 2
  allocate (theta(nlev, nlocal))
  do c = 1, nlocal
    t0 = 285.0_dp + 0.001_dp * mod(first + c, 1000)
    do k = 1, nlev
      theta(k, c) = t0 + 1.5_dp * k
    end do
  end do

  do s = 1, nstep
    do c = 1, nlocal
      call cool(theta(:, c))
    end do
  end do
  call archive('columns.arc')

  mine = sum(theta)
  call MPI_Reduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,f16.8)', 'mean theta ', total / (real(ncol, dp) * nlev)
  call MPI_Finalize(ierr)

contains

  subroutine cool(t)
    real(dp), intent(inout) :: t(nlev)
    real(dp) :: up, down
    integer :: l
    do l = 2, nlev - 1
      up = t(l + 1) - t(l)
      down = t(l) - t(l - 1)
      t(l) = t(l) + 0.1_dp * (up - down) - 1.0e-3_dp * (t(l) / 300.0_dp)**4
    end do
  end subroutine cool

  subroutine archive(name)
    character(len=*), intent(in) :: name
    integer :: fh, status(MPI_STATUS_SIZE)
    integer(kind=MPI_OFFSET_KIND) :: disp
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
    disp = 8_MPI_OFFSET_KIND * nlev * first
    call MPI_File_write_at_all(fh, disp, theta, nlev * nlocal, MPI_DOUBLE_PRECISION, status, ierr)
    call MPI_File_close(fh, ierr)
  end subroutine archive

end program column
