! Heat flow in a bundle of rods spread over the ranks; the temperatures go to one file at chosen times.
module rods
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: cells = 2048, per_rank = 48
contains

  subroutine fill(t, rank)
    real(dp), intent(out) :: t(cells, per_rank)
    integer, intent(in) :: rank
    integer :: i, j
    do j = 1, per_rank
      do i = 1, cells
        t(i, j) = 20.0d0 + 60.0d0 * exp(-((i - 900.0d0 - 3.0d0 * (j + rank * per_rank)) / 150.0d0)**2)
      end do
    end do
  end subroutine fill

  subroutine diffuse(t, rounds)
    real(dp), intent(inout) :: t(cells, per_rank)
    integer, intent(in) :: rounds
    real(dp) :: next(cells), k
    integer :: i, j, r
    do j = 1, per_rank
      do r = 1, rounds
        next(1) = 20.0d0
        next(cells) = 20.0d0
        do i = 2, cells - 1
          k = 0.2d0 / (1.0d0 + 1.0d-3 * t(i, j))
          next(i) = t(i, j) + k * (t(i - 1, j) - 2.0d0 * t(i, j) + t(i + 1, j))
        end do
        t(:, j) = next
      end do
    end do
  end subroutine diffuse
end module rods

program heat_rods
  use mpi
  use rods
  implicit none
  real(dp) :: t(cells, per_rank), mine, hottest
  integer :: ierr, rank, nranks, fh, outputs, n
  integer(kind=MPI_OFFSET_KIND) :: where
  character(len=32) :: word

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  outputs = 5
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) outputs
  end if
  call fill(t, rank)
  call MPI_File_open(MPI_COMM_WORLD, 'rods.bin', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
  hottest = 0.0d0
  do n = 0, outputs - 1
    call diffuse(t, 1800)
    where = 8_MPI_OFFSET_KIND * cells * per_rank * (int(n, MPI_OFFSET_KIND) * nranks + rank)
    call MPI_File_write_at_all(fh, where, t, cells * per_rank, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
    mine = maxval(t)
    call MPI_Reduce(mine, hottest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  end do
  call MPI_File_close(fh, ierr)
  if (rank == 0) print '(a,i0,a,f9.4)', 'outputs ', outputs, ', hottest cell ', hottest
  call MPI_Finalize(ierr)
end program heat_rods
