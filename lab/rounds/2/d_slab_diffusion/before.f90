! Reaction-diffusion (Gray-Scott) in slabs of rows; the concentration is
! stored a few times and each store is followed by a small header update.
program slab_diffusion
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nx = 512, nloc = 256
  integer :: ierr, rank, nranks, step, nsteps, fh, rec, below, above
  character(len=32) :: arg
  real(dp) :: a(nx, 0:nloc + 1), b(nx, 0:nloc + 1), local, total

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  nsteps = 300
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nsteps
  end if
  below = merge(MPI_PROC_NULL, rank - 1, rank == 0)
  above = merge(MPI_PROC_NULL, rank + 1, rank == nranks - 1)
  call seed_fields(rank * nloc)
  call MPI_File_open(MPI_COMM_WORLD, 'concentration.dat', &
                     MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
  rec = 0
  do step = 1, nsteps
    if (mod(step, 4) == 1) then
      call swap_edges(a)
      call swap_edges(b)
    end if
    call react(a, b)
    if (mod(step, 100) == 0) then
      call store(b, rec)
      rec = rec + 1
    end if
  end do
  call MPI_File_close(fh, ierr)
  local = sum(b(:, 1:nloc))
  call MPI_Reduce(local, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,i5,a,f16.8)', 'records ', rec, ' amount ', total
  call MPI_Finalize(ierr)

contains

  subroutine seed_fields(first)
    integer, intent(in) :: first
    integer :: i, j
    do j = 0, nloc + 1
      do i = 1, nx
        a(i, j) = 1.0_dp
        b(i, j) = merge(0.5_dp, 0.0_dp, mod(i, 37) < 9 .and. mod(first + j, 29) < 8)
      end do
    end do
  end subroutine seed_fields

  subroutine swap_edges(f)
    real(dp), intent(inout) :: f(nx, 0:nloc + 1)
    call MPI_Sendrecv(f(1, nloc), nx, MPI_DOUBLE_PRECISION, above, 1, f(1, 0), nx, &
                      MPI_DOUBLE_PRECISION, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(f(1, 1), nx, MPI_DOUBLE_PRECISION, below, 2, f(1, nloc + 1), nx, &
                      MPI_DOUBLE_PRECISION, above, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine swap_edges

  subroutine react(a, b)
    real(dp), intent(inout) :: a(nx, 0:nloc + 1), b(nx, 0:nloc + 1)
    real(dp) :: r, da, db, na(nx, nloc), nb(nx, nloc)
    integer :: i, j
    na = a(:, 1:nloc)
    nb = b(:, 1:nloc)
    do j = 1, nloc
      do i = 2, nx - 1
        da = a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - 4.0_dp * a(i, j)
        db = b(i - 1, j) + b(i + 1, j) + b(i, j - 1) + b(i, j + 1) - 4.0_dp * b(i, j)
        r = a(i, j) * b(i, j)**2 / sqrt(1.0_dp + 0.01_dp * b(i, j)**2)
        na(i, j) = a(i, j) + 0.16_dp * da - r + 0.035_dp * (1.0_dp - a(i, j))
        nb(i, j) = b(i, j) + 0.08_dp * db + r - 0.1_dp * b(i, j)
      end do
    end do
    a(:, 1:nloc) = na
    b(:, 1:nloc) = nb
  end subroutine react

  subroutine store(f, rec)
    real(dp), intent(in) :: f(nx, 0:nloc + 1)
    integer, intent(in) :: rec
    integer(MPI_OFFSET_KIND) :: at
    integer :: header(4)
    header = [nx, nloc * nranks, rec + 1, step]
    at = 0
    if (rank == 0) call MPI_File_write_at(fh, at, header, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    at = 64 + 8_8 * nx * nloc * (int(rec, 8) * nranks + rank)
    call MPI_File_write_at_all(fh, at, f(1, 1), nx * nloc, MPI_DOUBLE_PRECISION, &
                               MPI_STATUS_IGNORE, ierr)
  end subroutine store

end program slab_diffusion
