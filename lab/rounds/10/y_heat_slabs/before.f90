! Heat conduction in a block of layered rock, explicit scheme in three
! dimensions, slabs in z over the ranks, a few complete snapshots.
!   usage: heat_slabs N NSTEPS EVERY
program heat_slabs
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nranks, n, nz, nsteps, every, s, fh, up, down
  real(dp), allocatable :: t(:,:,:), tn(:,:,:), k(:,:,:)
  real(dp) :: mine(2), all(2)
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  call get_command_argument(1, arg); read (arg, *) n
  call get_command_argument(2, arg); read (arg, *) nsteps
  call get_command_argument(3, arg); read (arg, *) every
  nz = n / nranks
  up = merge(MPI_PROC_NULL, rank + 1, rank == nranks - 1)
  down = merge(MPI_PROC_NULL, rank - 1, rank == 0)
  allocate (t(n, n, 0:nz+1), tn(n, n, 0:nz+1), k(n, n, nz))
  call setup()

  call MPI_File_open(MPI_COMM_WORLD, 'heat.dat', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
  do s = 1, nsteps
    call exchange()
    call conduct()
    if (mod(s, every) == 0) call snapshot(s / every - 1)
  end do
  call MPI_File_close(fh, ierr)

  mine = [sum(t(:, :, 1:nz)), sum(t(:, :, 1:nz)**2)]
  call MPI_Reduce(mine, all, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,i0,2(a,es20.12))', 'steps ', nsteps, '  mean ', all(1) / dble(n)**3, &
    '  mean square ', all(2) / dble(n)**3
  call MPI_Finalize(ierr)

contains

  subroutine setup()
    integer :: i, j, l
    real(dp) :: x, y, z
    t = 10d0
    do l = 1, nz
      z = dble(rank * nz + l) / n
      do j = 1, n
        y = dble(j) / n
        do i = 1, n
          x = dble(i) / n
          k(i, j, l) = merge(0.12d0, 0.05d0, modulo(z + 0.1d0 * sin(6d0 * x), 0.3d0) < 0.15d0)
          t(i, j, l) = 10d0 + 30d0 * z + 400d0 * exp(-90d0 * ((x - 0.4d0)**2 + (y - 0.6d0)**2 + (z - 0.5d0)**2))
        end do
      end do
    end do
    if (rank == 0) t(:, :, 0) = t(:, :, 1)
    if (rank == nranks - 1) t(:, :, nz + 1) = t(:, :, nz)
    tn = t
  end subroutine

  subroutine exchange()
    call MPI_Sendrecv(t(1, 1, nz), n * n, MPI_DOUBLE_PRECISION, up, 1, &
                      t(1, 1, 0), n * n, MPI_DOUBLE_PRECISION, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(t(1, 1, 1), n * n, MPI_DOUBLE_PRECISION, down, 2, &
                      t(1, 1, nz + 1), n * n, MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine

  subroutine conduct()
    integer :: i, j, l
    do l = 1, nz
      do j = 2, n - 1
        do i = 2, n - 1
          tn(i, j, l) = t(i, j, l) + k(i, j, l) * (t(i-1, j, l) + t(i+1, j, l) + t(i, j-1, l) + t(i, j+1, l) &
                        + t(i, j, l-1) + t(i, j, l+1) - 6d0 * t(i, j, l))
        end do
      end do
    end do
    t(:, :, 1:nz) = tn(:, :, 1:nz)
  end subroutine

  subroutine snapshot(rec)
    integer, intent(in) :: rec
    integer(MPI_OFFSET_KIND) :: at
    real(4), allocatable :: part(:,:,:)
    part = real(t(:, :, 1:nz), 4)
    at = 4_MPI_OFFSET_KIND * n * n * (int(rec, MPI_OFFSET_KIND) * n + rank * nz)
    call MPI_File_write_at_all(fh, at, part, size(part), MPI_REAL, MPI_STATUS_IGNORE, ierr)
  end subroutine
end program
