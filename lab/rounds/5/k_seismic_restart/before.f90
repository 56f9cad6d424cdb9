! Acoustic wave propagation in a layered basin, domain split along x.  Each
! rank keeps its own restart file, the surface seismograms of all ranks are
! written together in short sections.
program seismic_restart
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer :: ierr, rank, nproc, left, right, nx, nz, nstep, step, i, k, fh, ios, section, filled
  integer(kind=MPI_OFFSET_KIND) :: offset
  real(dp), allocatable :: p(:,:), pold(:,:), pnew(:,:), c2(:,:), trace(:,:)
  real(dp) :: dt, h
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nstep = 700
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read(arg, *, iostat=ios) nstep
  end if
  nx = 300
  nz = 480
  section = 100
  h = 10.0_dp
  dt = 0.001_dp
  left = merge(MPI_PROC_NULL, rank - 1, rank == 0)
  right = merge(MPI_PROC_NULL, rank + 1, rank == nproc - 1)
  allocate(p(nz, 0:nx+1), pold(nz, 0:nx+1), pnew(nz, 0:nx+1), c2(nz, 0:nx+1), trace(nx, section))
  p = 0.0_dp
  pold = 0.0_dp
  pnew = 0.0_dp
  do i = 0, nx + 1
    do k = 1, nz
      c2(k, i) = (1500.0_dp + 2.5_dp * k)**2 * (dt / h)**2
    end do
  end do

  call MPI_File_open(MPI_COMM_WORLD, 'seismogram.bin', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
       MPI_INFO_NULL, fh, ierr)
  filled = 0
  do step = 1, nstep
    call exchange_edges()
    do i = 1, nx
      do k = 2, nz - 1
        pnew(k, i) = 2.0_dp * p(k, i) - pold(k, i) + c2(k, i) * (p(k-1, i) + p(k+1, i) &
             + p(k, i-1) + p(k, i+1) - 4.0_dp * p(k, i))
      end do
    end do
    if (rank == nproc / 2) pnew(20, nx / 2) = pnew(20, nx / 2) + ricker(step * dt)
    pold = p
    p = pnew
    filled = filled + 1
    trace(:, filled) = p(3, 1:nx)
    if (filled == section) call store_section()
    if (mod(step, nstep / 2) == 0) call store_restart(step)
  end do
  call MPI_File_close(fh, ierr)
  if (rank == 0) print '(a,i0,a)', 'finished ', nstep, ' steps'
  call MPI_Finalize(ierr)

contains

  subroutine exchange_edges()
    call MPI_Sendrecv(p(:, nx), nz, MPI_DOUBLE_PRECISION, right, 1, p(:, 0), nz, &
         MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(p(:, 1), nz, MPI_DOUBLE_PRECISION, left, 2, p(:, nx+1), nz, &
         MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine exchange_edges

  subroutine store_section()
    offset = (int(step / section - 1, MPI_OFFSET_KIND) * nproc + rank) * nx * section * 8
    call MPI_File_write_at_all(fh, offset, trace, nx * section, MPI_DOUBLE_PRECISION, &
         MPI_STATUS_IGNORE, ierr)
    filled = 0
  end subroutine store_section

  subroutine store_restart(at)
    integer, intent(in) :: at
    character(len=48) :: fname
    integer :: unit
    write(fname, '(a,i4.4,a,i6.6)') 'restart_r', rank, '_', at
    open(newunit=unit, file=trim(fname), access='stream', form='unformatted', status='replace')
    write(unit) at
    write(unit) p
    write(unit) pold
    close(unit)
  end subroutine store_restart

  pure function ricker(t) result(s)
    real(dp), intent(in) :: t
    real(dp) :: s, a
    a = (3.141592653589793_dp * 15.0_dp * (t - 0.08_dp))**2
    s = (1.0_dp - 2.0_dp * a) * exp(-a)
  end function ricker
end program seismic_restart
