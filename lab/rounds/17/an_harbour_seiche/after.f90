! Seiches of a harbour basin by linear long waves on MPI ranks, strips of the basin in x.
! Gauges along the quay record the level at each step; the series goes to one file shared
! by the ranks, the gauges of a step next to each other from west to east.
!
! usage: mpirun -n 2 seiche nx ny nsteps
program seiche
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: gravity = 9.81_dp, dx = 15.0_dp
  integer, parameter :: gauges = 16   ! of each rank
  integer, parameter :: length = 5000  ! steps written at a time
  real(dp), allocatable :: eta(:,:), u(:,:), v(:,:), depth(:,:)
  real(dp) :: level(gauges), series(gauges, length)
  integer :: ierr, rank, nranks, nx, ny, cols, nsteps, step, west, east, file
  real(dp) :: dt, mine(2), total(2)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  nx = argument(1, 64)
  ny = argument(2, 48)
  nsteps = argument(3, 60000)
  cols = nx / nranks
  west = merge(MPI_PROC_NULL, rank - 1, rank == 0)
  east = merge(MPI_PROC_NULL, rank + 1, rank == nranks - 1)
  allocate (eta(0:cols+1, ny), u(0:cols+1, ny), v(0:cols+1, 0:ny), depth(0:cols+1, ny))
  call basin
  dt = 0.5_dp * dx / sqrt(gravity * 14.0_dp)

  call MPI_File_open(MPI_COMM_WORLD, 'gauges.bin', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
       MPI_INFO_NULL, file, ierr)
  call set_gauges
  do step = 1, nsteps
     call momentum
     call continuity
     call read_gauges(level)
     call record(step, level)
  end do
  call MPI_File_close(file, ierr)

  mine(1) = sum(eta(1:cols, :)) * dx * dx
  mine(2) = 0.5_dp * gravity * sum(eta(1:cols, :)**2) * dx * dx
  call MPI_Reduce(mine, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(i0,a,es14.6,a,es14.6)', nsteps, ' steps, volume ', total(1), &
       ' energy ', total(2)
  call MPI_Finalize(ierr)

contains

  integer function argument(k, default)
    integer, intent(in) :: k, default
    character(len=32) :: text
    argument = default
    if (command_argument_count() < k) return
    call get_command_argument(k, text)
    read (text, *) argument
  end function argument

  ! a basin that shoals to the quay in the north, with the level raised by wind in the west
  subroutine basin
    integer :: i, j
    real(dp) :: x, y
    u = 0
    v = 0
    do j = 1, ny
       y = (j - 0.5_dp) / ny
       do i = 0, cols + 1
          x = (rank * cols + i - 0.5_dp) / nx
          depth(i, j) = 14.0_dp - 6.0_dp / (1.0_dp + exp(-15.0_dp * (y - 0.7_dp)))
          eta(i, j) = 0.2_dp * exp(-20.0_dp * ((x - 0.2_dp)**2 + 0.3_dp * (y - 0.4_dp)**2))
       end do
    end do
  end subroutine basin

  subroutine momentum
    integer :: i, j
    call border(eta)
    do j = 1, ny
       do i = 1, cols
          u(i, j) = u(i, j) - gravity * dt / dx * (eta(i+1, j) - eta(i, j))
       end do
       if (east == MPI_PROC_NULL) u(cols, j) = 0
    end do
    do j = 1, ny - 1
       do i = 1, cols
          v(i, j) = v(i, j) - gravity * dt / dx * (eta(i, j+1) - eta(i, j))
       end do
    end do
    call border(u)
  end subroutine momentum

  subroutine continuity
    integer :: i, j
    do j = 1, ny
       do i = 1, cols
          eta(i, j) = eta(i, j) - dt * depth(i, j) / dx * (u(i, j) - u(i-1, j) + v(i, j) - v(i, j-1))
       end do
    end do
  end subroutine continuity

  subroutine border(a)
    real(dp), intent(inout) :: a(0:, :)
    real(dp) :: send(ny), recv(ny)
    integer :: stat(MPI_STATUS_SIZE)
    send = a(1, :)
    recv = a(cols+1, :)
    call MPI_Sendrecv(send, ny, MPI_DOUBLE_PRECISION, west, 1, recv, ny, &
         MPI_DOUBLE_PRECISION, east, 1, MPI_COMM_WORLD, stat, ierr)
    a(cols+1, :) = recv
    send = a(cols, :)
    recv = a(0, :)
    call MPI_Sendrecv(send, ny, MPI_DOUBLE_PRECISION, east, 2, recv, ny, &
         MPI_DOUBLE_PRECISION, west, 2, MPI_COMM_WORLD, stat, ierr)
    a(0, :) = recv
  end subroutine border

  ! level at the gauges of this rank, two cells off the quay
  subroutine read_gauges(level)
    real(dp), intent(out) :: level(gauges)
    integer :: k
    do k = 1, gauges
       level(k) = eta(1 + (k - 1) * cols / gauges, ny - 2)
    end do
  end subroutine read_gauges

  ! the part of this rank in the steps of the file
  subroutine set_gauges
    integer :: part
    call MPI_Type_create_subarray(1, [gauges * nranks], [gauges], [gauges * rank], &
         MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, part, ierr)
    call MPI_Type_commit(part, ierr)
    call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_DOUBLE_PRECISION, part, 'native', &
         MPI_INFO_NULL, ierr)
    call MPI_Type_free(part, ierr)
  end subroutine set_gauges

  ! keeps the levels of the step; a full series is written by all the ranks together
  subroutine record(step, level)
    integer, intent(in) :: step
    real(dp), intent(in) :: level(gauges)
    integer :: kept, stat(MPI_STATUS_SIZE)
    kept = mod(step - 1, length) + 1
    series(:, kept) = level
    if (kept == length .or. step == nsteps) then
       call MPI_File_write_all(file, series, gauges * kept, MPI_DOUBLE_PRECISION, stat, ierr)
    end if
  end subroutine record

end program seiche
