! Drifting floats in a double-gyre: each rank advects its own floats and the
! positions and temperatures seen by them go to the trajectory file.
program float_probes
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nvar = 3
  integer :: ierr, rank, nproc, fh, nstep, nfloat, step, i, ios
  integer(kind=MPI_OFFSET_KIND) :: offset
  real(dp), allocatable :: x(:), y(:), rec(:,:)
  real(dp) :: t, dt, u, v, spread, mean_spread
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nstep = 30000
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read(arg, *, iostat=ios) nstep
  end if
  nfloat = 4
  allocate(x(nfloat), y(nfloat), rec(nvar, nfloat))
  do i = 1, nfloat
    x(i) = 0.1_dp + 1.7_dp * real(rank * nfloat + i, dp) / real(nproc * nfloat, dp)
    y(i) = 0.2_dp + 0.1_dp * real(i, dp)
  end do

  call MPI_File_open(MPI_COMM_WORLD, 'trajectory.bin', &
       MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
  dt = 0.01_dp
  t = 0.0_dp
  do step = 0, nstep - 1
    do i = 1, nfloat
      call gyre_velocity(x(i), y(i), t, u, v)
      x(i) = x(i) + dt * u
      y(i) = y(i) + dt * v
      rec(1, i) = x(i)
      rec(2, i) = y(i)
      rec(3, i) = sea_temperature(x(i), y(i))
    end do
    t = t + dt
    call store_positions(step)
  end do
  call MPI_File_close(fh, ierr)

  spread = sum(x * x + y * y) / real(nfloat, dp)
  call MPI_Reduce(spread, mean_spread, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,f12.6)', 'mean square distance ', mean_spread / nproc
  call MPI_Finalize(ierr)

contains

  subroutine store_positions(step)
    integer, intent(in) :: step
    offset = (int(step, MPI_OFFSET_KIND) * nproc + rank) * nvar * nfloat * 8
    call MPI_File_write_at_all(fh, offset, rec, nvar * nfloat, &
         MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
  end subroutine store_positions

  subroutine gyre_velocity(px, py, time, vx, vy)
    real(dp), intent(in) :: px, py, time
    real(dp), intent(out) :: vx, vy
    real(dp), parameter :: pi = 3.141592653589793_dp
    real(dp) :: a, b, f, dfdx
    a = 0.25_dp * sin(0.628_dp * time)
    b = 1.0_dp - 2.0_dp * a
    f = a * px * px + b * px
    dfdx = 2.0_dp * a * px + b
    vx = -pi * 0.1_dp * sin(pi * f) * cos(pi * py)
    vy = pi * 0.1_dp * cos(pi * f) * sin(pi * py) * dfdx
  end subroutine gyre_velocity

  pure function sea_temperature(px, py) result(temp)
    real(dp), intent(in) :: px, py
    real(dp) :: temp
    temp = 12.0_dp + 6.0_dp * py - 0.8_dp * px
  end function sea_temperature
end program float_probes
