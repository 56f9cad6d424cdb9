! Explicit heat conduction in a square plate, divided into strips of rows over
! the ranks; settings come from a namelist, the result is one raw file.
program heat_slab
  use mpi
  implicit none
  integer :: ierr, rank, nranks, n, nsteps, report, mine, first, i, j, s, unit, log, fh
  integer :: up, down
  integer(kind=MPI_OFFSET_KIND) :: offset
  real(8) :: alpha, conf(4), local(2), total(2)
  real(8), allocatable :: t(:,:), tn(:,:)
  namelist /slab/ n, nsteps, report, alpha

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)

  if (rank == 0) then
     open(newunit=unit, file='slab.nml', status='old', action='read')
     read(unit, nml=slab)
     close(unit)
     conf = (/ dble(n), dble(nsteps), dble(report), alpha /)
     open(newunit=log, file='slab.log', status='replace', action='write')
  end if
  call MPI_Bcast(conf, 4, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  n = nint(conf(1)); nsteps = nint(conf(2)); report = nint(conf(3)); alpha = conf(4)

  first = n*rank/nranks
  mine = n*(rank + 1)/nranks - first
  up = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  down = merge(rank + 1, MPI_PROC_NULL, rank < nranks - 1)
  allocate(t(n, 0:mine + 1), tn(n, 0:mine + 1))
  t = 0.0d0
  do j = 1, mine
     do i = 1, n
        t(i, j) = 100.0d0*exp(-((i - 0.4d0*n)**2 + (first + j - 0.55d0*n)**2)/(0.01d0*n*n))
     end do
  end do
  tn = t

  do s = 1, nsteps
     call MPI_Sendrecv(t(1, 1), n, MPI_DOUBLE_PRECISION, up, 1, t(1, mine + 1), n, &
          MPI_DOUBLE_PRECISION, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
     call MPI_Sendrecv(t(1, mine), n, MPI_DOUBLE_PRECISION, down, 2, t(1, 0), n, &
          MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
     do j = 1, mine
        if (first + j == 1 .or. first + j == n) cycle
        do i = 2, n - 1
           tn(i, j) = t(i, j) + alpha*(t(i - 1, j) + t(i + 1, j) + t(i, j - 1) + t(i, j + 1) - 4.0d0*t(i, j))
        end do
     end do
     t(:, 1:mine) = tn(:, 1:mine)
     if (mod(s, report) == 0) then
        local = (/ sum(t(:, 1:mine)), sum(t(:, 1:mine)**2) /)
        call MPI_Reduce(local, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
        if (rank == 0) write(log, '(i6,2es20.11)') s, total
     end if
  end do

  call MPI_File_open(MPI_COMM_WORLD, 'temperature.raw', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
       MPI_INFO_NULL, fh, ierr)
  offset = int(first, MPI_OFFSET_KIND)*n*8
  call MPI_File_write_at_all(fh, offset, t(1, 1), n*mine, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
  call MPI_File_close(fh, ierr)

  if (rank == 0) then
     close(log)
     write(*, '(a,es20.12)') 'heat left in the plate ', total(1)
  end if
  call MPI_Finalize(ierr)
end program heat_slab
