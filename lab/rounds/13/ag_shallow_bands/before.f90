! Shallow water on a beta plane: adjustment of a heap of water.
! Bands of latitudes, one for each rank; the surface is kept every nsave steps,
! each rank puts its band in its place of height.dat (real*8)
module grid
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: nx = 720, ny = 512
  real(dp), parameter :: dx = 2.0d4, dt = 40.0_dp, g = 9.81_dp, depth = 900.0_dp
  integer :: rank, nranks, nrow, ierr
  real(dp), allocatable :: h(:,:), u(:,:), v(:,:)
contains
  subroutine setup
    integer :: i, j
    real(dp) :: x, y
    nrow = ny / nranks
    allocate (h(nx, 0:nrow+1), u(nx, 0:nrow+1), v(nx, 0:nrow+1))
    u = 0
    v = 0
    do j = 0, nrow + 1
       y = (rank * nrow + j - ny / 2) * dx
       do i = 1, nx
          x = (i - nx / 2) * dx
          h(i, j) = 1.5_dp * exp(-(x**2 + y**2) / (7.0d5)**2)
       end do
    end do
  end subroutine setup

  subroutine halo(a)
    real(dp), intent(inout) :: a(nx, 0:nrow+1)
    integer :: up, down
    up = merge(rank + 1, mpi_proc_null, rank + 1 < nranks)
    down = merge(rank - 1, mpi_proc_null, rank > 0)
    call mpi_sendrecv(a(1, nrow), nx, mpi_double_precision, up, 1, &
                      a(1, 0), nx, mpi_double_precision, down, 1, mpi_comm_world, mpi_status_ignore, ierr)
    call mpi_sendrecv(a(1, 1), nx, mpi_double_precision, down, 2, &
                      a(1, nrow + 1), nx, mpi_double_precision, up, 2, mpi_comm_world, mpi_status_ignore, ierr)
  end subroutine halo

  subroutine step
    integer :: i, j, e, w
    real(dp) :: f, un, vn
    call halo(h)
    do j = 1, nrow
       f = 2.0d-11 * (rank * nrow + j - ny / 2) * dx
       do i = 1, nx
          e = mod(i, nx) + 1
          un = u(i, j) + dt * (f * v(i, j) - g * (h(e, j) - h(i, j)) / dx)
          vn = v(i, j) - dt * (f * un + g * (h(i, j + 1) - h(i, j)) / dx)
          u(i, j) = un - dt * 1.0d-6 * un * sqrt(un**2 + vn**2)
          v(i, j) = vn - dt * 1.0d-6 * vn * sqrt(un**2 + vn**2)
       end do
    end do
    if (rank == nranks - 1) v(:, nrow) = 0
    call halo(v)
    do j = 1, nrow
       do i = 1, nx
          w = mod(i + nx - 2, nx) + 1
          h(i, j) = h(i, j) - dt * depth * (u(i, j) - u(w, j) + v(i, j) - v(i, j - 1)) / dx
       end do
    end do
  end subroutine step

  subroutine keep(fh, frame)
    integer, intent(in) :: fh, frame
    integer(mpi_offset_kind) :: where
    where = (int(frame, mpi_offset_kind) * ny + rank * nrow) * nx * 8
    call mpi_file_write_at(fh, where, h(1, 1), nx * nrow, mpi_double_precision, mpi_status_ignore, ierr)
  end subroutine keep
end module grid

program shallow
  use grid
  implicit none
  integer :: n, nsteps, fh
  integer, parameter :: nsave = 40
  real(dp) :: energy, total
  character(len=32) :: arg
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, nranks, ierr)
  nsteps = 600
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg)
     read (arg, *) nsteps
  end if
  call setup
  call mpi_file_open(mpi_comm_world, 'height.dat', mpi_mode_create + mpi_mode_wronly, mpi_info_null, fh, ierr)
  do n = 1, nsteps
     call step
     if (mod(n, nsave) == 0) call keep(fh, n / nsave - 1)
  end do
  call mpi_file_close(fh, ierr)
  energy = sum(0.5_dp * g * h(:, 1:nrow)**2 + 0.5_dp * depth * (u(:, 1:nrow)**2 + v(:, 1:nrow)**2)) / (nx * ny)
  call mpi_reduce(energy, total, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
  if (rank == 0) print '(a,i0,a,es15.8)', 'steps ', nsteps, '  energy ', total
  call mpi_finalize(ierr)
end program shallow
