! Heat conduction in a plate with a moving source, rows split over the ranks.
! Three snapshots of the plate are kept for the report.
program heat_slab
  use mpi
  use iso_fortran_env, only: real64
  implicit none
  integer, parameter :: nx = 1000, nsteps = 240, nsnap = 3
  integer :: ierr, rank, nranks, ny, j0, step, i, j, fh, up, down, snap
  integer :: sizes(2), subs(2), starts(2), slab
  real(real64), allocatable :: t(:, :), tn(:, :)
  real(real64) :: heat, total, xs, ys, r2
  integer(kind=MPI_OFFSET_KIND) :: disp
  character(len=32) :: name

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  j0 = nx * rank / nranks
  ny = nx * (rank + 1) / nranks - j0
  up = merge(rank + 1, MPI_PROC_NULL, rank + 1 < nranks)
  down = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  allocate (t(0:nx + 1, 0:ny + 1), tn(0:nx + 1, 0:ny + 1))
  t = 0
  tn = 0
  sizes = [nx, nx]
  subs = [nx, ny]
  starts = [0, j0]
  call MPI_Type_create_subarray(2, sizes, subs, starts, MPI_ORDER_FORTRAN, MPI_REAL8, slab, ierr)
  call MPI_Type_commit(slab, ierr)

  snap = 0
  do step = 1, nsteps
    call MPI_Sendrecv(t(:, ny), nx + 2, MPI_REAL8, up, 1, t(:, 0), nx + 2, MPI_REAL8, down, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(t(:, 1), nx + 2, MPI_REAL8, down, 2, t(:, ny + 1), nx + 2, MPI_REAL8, up, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    xs = nx * (0.5_real64 + 0.3_real64 * cos(0.02_real64 * step))
    ys = nx * (0.5_real64 + 0.3_real64 * sin(0.02_real64 * step))
    do j = 1, ny
      do i = 1, nx
        r2 = (i - xs)**2 + (j + j0 - ys)**2
        tn(i, j) = t(i, j) + 0.2_real64 * (t(i + 1, j) + t(i - 1, j) + t(i, j + 1) + t(i, j - 1) - 4 * t(i, j)) &
                   + 1.0_real64 / (1.0_real64 + 0.05_real64 * r2)
      end do
    end do
    t = tn
    if (mod(step, nsteps / nsnap) == 0) then
      snap = snap + 1
      write (name, '(a,i2.2,a)') 'plate_', snap, '.dat'
      call MPI_File_open(MPI_COMM_WORLD, trim(name), MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
      disp = 0
      call MPI_File_set_view(fh, disp, MPI_REAL8, slab, 'native', MPI_INFO_NULL, ierr)
      call MPI_File_write_all(fh, t(1:nx, 1:ny), nx * ny, MPI_REAL8, MPI_STATUS_IGNORE, ierr)
      call MPI_File_close(fh, ierr)
    end if
  end do

  heat = sum(t(1:nx, 1:ny))
  call MPI_Reduce(heat, total, 1, MPI_REAL8, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,es18.9)', 'heat content ', total
  call MPI_Type_free(slab, ierr)
  call MPI_Finalize(ierr)
end program heat_slab
