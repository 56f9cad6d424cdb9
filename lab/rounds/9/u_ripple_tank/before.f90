! Ripples in a square tank: 2-D wave equation on slabs, MPI halo exchange,
! snapshots of the whole tank in one file.
program ripples
  use mpi
  implicit none
  integer, parameter :: sp = kind(1.0)
  integer :: n = 1536, nsteps = 180, every = 45
  integer :: ierr, rank, nproc, fh, k, i, j, j0, rows, up, down, nsnap
  integer(kind=MPI_OFFSET_KIND) :: off
  real(sp), allocatable :: a(:,:), b(:,:), c(:,:)
  real(sp) :: c2, e
  double precision :: mine, total
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg); read(arg, *) nsteps
  end if

  j0 = rank * n / nproc
  rows = (rank + 1) * n / nproc - j0
  up = merge(MPI_PROC_NULL, rank + 1, rank == nproc - 1)
  down = merge(MPI_PROC_NULL, rank - 1, rank == 0)
  allocate(a(n, 0:rows+1), b(n, 0:rows+1), c(n, 0:rows+1))
  a = 0; c = 0
  do j = 1, rows
    do i = 1, n
      e = ((i - 300.0)**2 + (j0 + j - 410.0)**2) / 400.0
      a(i, j) = exp(-min(e, 60.0))
    end do
  end do
  b = a
  c2 = 0.25
  nsnap = 0

  call MPI_File_open(MPI_COMM_WORLD, 'tank.raw', ior(MPI_MODE_CREATE, MPI_MODE_WRONLY), &
                     MPI_INFO_NULL, fh, ierr)
  do k = 1, nsteps
    call swap(b)
    do j = 1, rows
      if (j0 + j == 1 .or. j0 + j == n) cycle
      do i = 2, n - 1
        c(i,j) = 2*b(i,j) - a(i,j) &
               + c2 * (b(i-1,j) + b(i+1,j) + b(i,j-1) + b(i,j+1) - 4*b(i,j))
      end do
    end do
    a = b
    b = c
    if (mod(k, every) == 0) then
      off = (int(nsnap, MPI_OFFSET_KIND) * n + j0) * n * 4
      call MPI_File_write_at_all(fh, off, b(1,1), n * rows, MPI_REAL, MPI_STATUS_IGNORE, ierr)
      nsnap = nsnap + 1
    end if
  end do
  call MPI_File_close(fh, ierr)

  mine = sum(dble(b(:, 1:rows))**2)
  call MPI_Reduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(A,I5,A,ES16.8)', 'snapshots', nsnap, '  energy', total
  call MPI_Finalize(ierr)

contains

  subroutine swap(x)
    real(sp), intent(inout) :: x(n, 0:rows+1)
    call MPI_Sendrecv(x(1, rows), n, MPI_REAL, up, 1, x(1, 0), n, MPI_REAL, down, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(x(1, 1), n, MPI_REAL, down, 2, x(1, rows+1), n, MPI_REAL, up, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine
end program
