! Shallow-water waves in a basin, split in slabs of rows over the ranks.
! Surface height is stored at regular output times.
program shallow_water
  use mpi
  implicit none
  integer, parameter :: nx = 1024
  integer, parameter :: dp = kind(1.0d0)
  integer :: ierr, rank, nranks, ny, nloc, step, nsteps, unit, rec
  character(len=32) :: arg
  real(dp), allocatable :: h(:,:), u(:,:), v(:,:)
  real(dp) :: local_mass, mass

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  nsteps = 8
  nloc = 512
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nsteps
  end if
  ny = nloc * nranks
  allocate (h(nx, nloc), u(nx, nloc), v(nx, nloc))
  call initial_state(h, u, v, rank * nloc)
  call open_output()
  rec = 0
  do step = 1, nsteps
    call advance(h, u, v)
    call write_height(h, rec)
    rec = rec + 1
  end do
  call close_output()
  local_mass = sum(h)
  call MPI_Reduce(local_mass, mass, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,i4,a,f18.6)', 'steps ', nsteps, ' mass ', mass
  call MPI_Finalize(ierr)

contains

  subroutine initial_state(h, u, v, first)
    real(dp), intent(out) :: h(:,:), u(:,:), v(:,:)
    integer, intent(in) :: first
    integer :: i, j
    do j = 1, size(h, 2)
      do i = 1, nx
        h(i, j) = 10.0_dp + 1.0e-3_dp * i + 2.0e-4_dp * (first + j)
        u(i, j) = 0.0_dp
        v(i, j) = 0.0_dp
      end do
    end do
  end subroutine initial_state

  subroutine advance(h, u, v)
    real(dp), intent(inout) :: h(:,:), u(:,:), v(:,:)
    integer :: i, j
    do j = 2, size(h, 2) - 1
      do i = 2, nx - 1
        u(i, j) = u(i, j) - 0.01_dp * (h(i + 1, j) - h(i - 1, j))
        v(i, j) = v(i, j) - 0.01_dp * (h(i, j + 1) - h(i, j - 1))
      end do
    end do
    do j = 2, size(h, 2) - 1
      do i = 2, nx - 1
        h(i, j) = h(i, j) - 0.05_dp * (u(i + 1, j) - u(i - 1, j) + v(i, j + 1) - v(i, j - 1))
      end do
    end do
  end subroutine advance

  subroutine open_output()
    call MPI_File_open(MPI_COMM_WORLD, 'height.dat', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                       MPI_INFO_NULL, unit, ierr)
  end subroutine open_output

  subroutine write_height(h, rec)
    real(dp), intent(in) :: h(:,:)
    integer, intent(in) :: rec
    integer(MPI_OFFSET_KIND) :: at
    at = 8_8 * nx * (int(rec, 8) * ny + rank * nloc)
    call MPI_File_write_at_all(unit, at, h, nx * nloc, MPI_DOUBLE_PRECISION, &
                               MPI_STATUS_IGNORE, ierr)
  end subroutine write_height

  subroutine close_output()
    call MPI_File_close(unit, ierr)
  end subroutine close_output

end program shallow_water
