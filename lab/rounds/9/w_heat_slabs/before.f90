! Heat conduction in a plate, slabs over the ranks; a few snapshots of the
! whole plate are put into one file with collective MPI-IO.
program heat_slabs
  use mpi
  implicit none
  integer, parameter :: nx = 2048, nytot = 2048
  integer :: rank, nproc, ny, ierr, fh, s, k, i, j, nsnap, up, down, every
  real(8), allocatable :: t(:,:), tn(:,:)
  real(8) :: heat, total, src
  integer(MPI_OFFSET_KIND) :: off
  character(len=16) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nsnap = 3
  every = 50
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read (arg, *) nsnap
  end if
  ny = nytot / nproc
  up = merge(MPI_PROC_NULL, rank + 1, rank == nproc - 1)
  down = merge(MPI_PROC_NULL, rank - 1, rank == 0)
  allocate (t(nx, 0:ny+1), tn(nx, 0:ny+1))
  t = 20d0
  if (rank == 0) t(:, 0) = 90d0
  tn = t

  call MPI_File_open(MPI_COMM_WORLD, 'plate.dat', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
  do s = 0, nsnap - 1
     do k = 1, every
        call MPI_Sendrecv(t(1, ny), nx, MPI_DOUBLE_PRECISION, up, 0, t(1, 0), nx, MPI_DOUBLE_PRECISION, &
             down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Sendrecv(t(1, 1), nx, MPI_DOUBLE_PRECISION, down, 1, t(1, ny+1), nx, MPI_DOUBLE_PRECISION, &
             up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        do j = 1, ny
           src = merge(0.4d0, 0d0, mod(rank * ny + j, 128) < 8)
           do i = 2, nx - 1
              tn(i, j) = t(i, j) + 0.2d0 * (t(i-1, j) + t(i+1, j) + t(i, j-1) + t(i, j+1) - 4d0 * t(i, j)) + src
           end do
        end do
        t(2:nx-1, 1:ny) = tn(2:nx-1, 1:ny)
     end do
     off = (int(s, MPI_OFFSET_KIND) * nytot + int(rank, MPI_OFFSET_KIND) * ny) * nx * 8
     call MPI_File_write_at_all(fh, off, t(1, 1), nx * ny, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
     heat = sum(t(:, 1:ny))
     call MPI_Reduce(heat, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
     if (rank == 0) print '(a,i3,a,f12.5)', 'snapshot', s, '  mean temperature', total / (dble(nx) * nytot)
  end do
  call MPI_File_close(fh, ierr)
  call MPI_Finalize(ierr)
end program heat_slabs
