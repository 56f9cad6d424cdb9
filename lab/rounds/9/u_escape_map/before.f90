! Escape times of the area-preserving Henon map: one picture per rotation
! number, all pictures in one file.
program escape
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer :: n = 512, nmaps = 10, maxit = 400
  integer :: ierr, rank, nproc, fh, k, j0, j1, rows
  integer(kind=MPI_OFFSET_KIND) :: off
  integer, allocatable :: band(:,:)
  integer(kind=8) :: mine, total
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg); read(arg, *) n
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, arg); read(arg, *) nmaps
  end if

  j0 = rank * n / nproc
  j1 = (rank + 1) * n / nproc
  rows = j1 - j0
  allocate(band(n, rows))

  call MPI_File_open(MPI_COMM_WORLD, 'escape.map', ior(MPI_MODE_CREATE, MPI_MODE_WRONLY), &
                     MPI_INFO_NULL, fh, ierr)
  mine = 0
  do k = 1, nmaps
    call fill_band(band, j0, 1.20_dp + 0.02_dp * k)
    mine = mine + sum(int(band, 8))
    off = (int(k - 1, MPI_OFFSET_KIND) * n + j0) * n * 4
    call MPI_File_write_at_all(fh, off, band, n * rows, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  end do
  call MPI_File_close(fh, ierr)

  call MPI_Reduce(mine, total, 1, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(A,I4,A,I14)', 'maps:', nmaps, '  iterations:', total
  call MPI_Finalize(ierr)

contains

  subroutine fill_band(b, first, alpha)
    integer, intent(out) :: b(:,:)
    integer, intent(in) :: first
    real(dp), intent(in) :: alpha
    integer :: i, j
    real(dp) :: y
    do j = 1, size(b, 2)
      y = -2.2_dp + 3.0_dp * (first + j - 1) / n
      do i = 1, n
        b(i, j) = escape_time(-1.3_dp + 2.6_dp * (i - 1) / n, y, alpha)
      end do
    end do
  end subroutine

  integer function escape_time(x0, y0, alpha)
    real(dp), intent(in) :: x0, y0, alpha
    real(dp) :: x, y, t, c, s
    integer :: it
    c = cos(alpha); s = sin(alpha)
    x = x0; y = y0
    do it = 1, maxit
      t = y - x*x
      y = x * s + t * c
      x = x * c - t * s
      if (x*x + y*y > 100.0_dp) exit
    end do
    escape_time = min(it, maxit)
  end function
end program
