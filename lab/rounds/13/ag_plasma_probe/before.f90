! Langmuir probes in a small 1-D particle-in-cell plasma.  Every rank runs a
! plasma column of its own (other density), with 8 probe values at each step.
! probes.dat: for each rank a section of nsteps records of 8 real*8
program plasma_probe
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: ncell = 64, npart = 1500, nprobe = 8
  real(dp), parameter :: dt = 0.1_dp, boxlen = 25.0_dp
  real(dp) :: x(npart), v(npart), rho(ncell), e(ncell), probe(nprobe)
  real(dp) :: energy, total
  integer :: rank, nranks, ierr, fh, nsteps, step
  character(len=32) :: arg

  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, nranks, ierr)
  nsteps = 20000
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg)
     read (arg, *) nsteps
  end if

  call mpi_file_open(mpi_comm_world, 'probes.dat', mpi_mode_create + mpi_mode_wronly, &
                     mpi_info_null, fh, ierr)
  call load_beam(x, v, rank)
  energy = 0
  do step = 1, nsteps
     call deposit(x, rho)
     call field(rho, e)
     call push(x, v, e)
     call sample(e, rho, probe)
     call record(fh, rank, nsteps, step, probe)
     energy = energy + sum(e**2) / ncell
  end do
  call mpi_file_close(fh, ierr)

  call mpi_reduce(energy, total, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
  if (rank == 0) print '(a,i0,a,es14.7)', 'steps ', nsteps, '  mean field energy ', total / nsteps / nranks
  call mpi_finalize(ierr)

contains

  ! two cold beams with a small ripple
  subroutine load_beam(x, v, rank)
    real(dp), intent(out) :: x(:), v(:)
    integer, intent(in) :: rank
    real(dp), parameter :: twopi = 6.283185307179586_dp
    integer :: i
    do i = 1, npart
       x(i) = boxlen * (i - 0.5_dp) / npart
       v(i) = merge(1.0_dp, -1.0_dp, mod(i, 2) == 0)
       x(i) = modulo(x(i) + 0.02_dp * sin(twopi * (2 + rank) * x(i) / boxlen), boxlen)
    end do
  end subroutine load_beam

  subroutine deposit(x, rho)
    real(dp), intent(in) :: x(:)
    real(dp), intent(out) :: rho(:)
    real(dp) :: s, w
    integer :: i, j
    rho = 1.0_dp
    do i = 1, npart
       s = x(i) * ncell / boxlen
       j = int(s)
       w = s - j
       j = modulo(j, ncell) + 1
       rho(j) = rho(j) - (1 - w) * ncell / npart
       j = modulo(j, ncell) + 1
       rho(j) = rho(j) - w * ncell / npart
    end do
  end subroutine deposit

  ! Gauss' law in one dimension, mean field zero
  subroutine field(rho, e)
    real(dp), intent(in) :: rho(:)
    real(dp), intent(out) :: e(:)
    integer :: j
    e(1) = 0
    do j = 2, ncell
       e(j) = e(j - 1) + 0.5_dp * (rho(j) + rho(j - 1)) * boxlen / ncell
    end do
    e = e - sum(e) / ncell
  end subroutine field

  subroutine push(x, v, e)
    real(dp), intent(inout) :: x(:), v(:)
    real(dp), intent(in) :: e(:)
    integer :: i, j
    do i = 1, npart
       j = min(int(x(i) * ncell / boxlen), ncell - 1) + 1
       v(i) = v(i) - dt * e(j)
       x(i) = x(i) + dt * v(i)
       if (x(i) < 0) x(i) = x(i) + boxlen
       if (x(i) >= boxlen) x(i) = x(i) - boxlen
    end do
  end subroutine push

  subroutine sample(e, rho, probe)
    real(dp), intent(in) :: e(:), rho(:)
    real(dp), intent(out) :: probe(:)
    integer :: k
    do k = 1, nprobe / 2
       probe(2 * k - 1) = e(k * ncell / 4)
       probe(2 * k) = rho(k * ncell / 4)
    end do
  end subroutine sample

  subroutine record(fh, rank, nsteps, step, probe)
    integer, intent(in) :: fh, rank, nsteps, step
    real(dp), intent(in) :: probe(:)
    integer(mpi_offset_kind) :: where
    where = (int(rank, mpi_offset_kind) * nsteps + step - 1) * nprobe * 8
    call mpi_file_write_at_all(fh, where, probe, nprobe, mpi_double_precision, mpi_status_ignore, ierr)
  end subroutine record

end program plasma_probe
