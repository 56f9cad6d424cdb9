! Dust drifting and growing in a protoplanetary disc. The disc is cut into
! rings (azimuth runs fastest), each rank has a block of rings; surface
! density snapshots of all ranks make one file.
module snap_mod
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
contains
  subroutine snapshot(fh, isnap, sigma, nphi, nr, rank, nranks)
    integer, intent(in) :: fh, isnap, nphi, nr, rank, nranks
    real(dp), intent(in) :: sigma(nphi, nr)
    integer(MPI_OFFSET_KIND) :: at
    integer :: ierr
    at = (int(isnap, MPI_OFFSET_KIND) * nranks + rank) * nphi * nr * 8
    call MPI_File_write_at_all(fh, at, sigma, nphi * nr, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
  end subroutine snapshot
end module snap_mod

module disc_mod
  use snap_mod, only: dp
  use mpi
  implicit none
  type disc
     integer :: nphi, nr, rank, nranks
     real(dp), allocatable :: sig(:, :), stokes(:, :)
  end type disc
contains
  subroutine disc_init(d, nphi, nr, rank, nranks)
    type(disc), intent(out) :: d
    integer, intent(in) :: nphi, nr, rank, nranks
    integer :: i, j
    real(dp) :: r
    d%nphi = nphi
    d%nr = nr
    d%rank = rank
    d%nranks = nranks
    allocate(d%sig(nphi, 0:nr+1), d%stokes(nphi, 0:nr+1))
    do j = 0, nr + 1
       r = radius(d, j)
       do i = 1, nphi
          d%sig(i, j) = 1.0_dp / r * (1.0_dp + 0.3_dp * cos(6.2831853_dp * 3 * i / nphi + 4.0_dp * r))
          d%stokes(i, j) = 1.0e-3_dp
       end do
    end do
  end subroutine disc_init

  pure function radius(d, j) result(r)
    type(disc), intent(in) :: d
    integer, intent(in) :: j
    real(dp) :: r
    r = 1.0_dp + 9.0_dp * real(d%rank * d%nr + j, dp) / (d%nranks * d%nr)
  end function radius

  subroutine halo(d, f)
    type(disc), intent(in) :: d
    real(dp), intent(inout) :: f(d%nphi, 0:d%nr+1)
    integer :: in, out, ierr
    in = d%rank - 1
    out = d%rank + 1
    if (in < 0) in = MPI_PROC_NULL
    if (out >= d%nranks) out = MPI_PROC_NULL
    call MPI_Sendrecv(f(1, 1), d%nphi, MPI_DOUBLE_PRECISION, in, 1, f(1, d%nr+1), d%nphi, &
         MPI_DOUBLE_PRECISION, out, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(f(1, d%nr), d%nphi, MPI_DOUBLE_PRECISION, out, 2, f(1, 0), d%nphi, &
         MPI_DOUBLE_PRECISION, in, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine halo

  subroutine drift_step(d, dt)
    type(disc), intent(inout) :: d
    real(dp), intent(in) :: dt
    real(dp), allocatable :: new(:, :)
    real(dp) :: r, vin, vout, eta, diff, dr
    integer :: i, j, l, m
    allocate(new(d%nphi, d%nr))
    call halo(d, d%sig)
    call halo(d, d%stokes)
    dr = 9.0_dp / (d%nranks * d%nr)
    do j = 1, d%nr
       r = radius(d, j)
       do i = 1, d%nphi
          l = modulo(i - 2, d%nphi) + 1
          m = modulo(i, d%nphi) + 1
          eta = 0.003_dp * sqrt(r) * (1.0_dp - 0.9_dp * exp(-((r - 5.0_dp) / 0.4_dp)**2))
          vin = 2.0_dp * eta * d%stokes(i, j) / (1.0_dp + d%stokes(i, j)**2)
          vout = 2.0_dp * eta * d%stokes(i, j+1) / (1.0_dp + d%stokes(i, j+1)**2)
          diff = 2.0e-6_dp * (d%sig(i, j+1) - 2*d%sig(i, j) + d%sig(i, j-1)) / dr**2 &
               + 2.0e-6_dp * (d%sig(m, j) - 2*d%sig(i, j) + d%sig(l, j)) / (r * 6.2831853_dp / d%nphi)**2
          new(i, j) = d%sig(i, j) + dt * ((vout * d%sig(i, j+1) - vin * d%sig(i, j)) / dr + diff)
          d%stokes(i, j) = min(0.3_dp, d%stokes(i, j) * (1.0_dp + dt * 2.0e-3_dp * d%sig(i, j) / r**1.5_dp))
       end do
    end do
    d%sig(:, 1:d%nr) = max(new, 0.0_dp)
  end subroutine drift_step
end module disc_mod

program dust_disc
  use mpi
  use snap_mod
  use disc_mod
  implicit none
  type(disc) :: d
  integer :: rank, nranks, ierr, fh, istep, nsteps, every
  real(dp) :: mass, total
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  nsteps = 280
  every = 70
  call disc_init(d, 1024, 512 / nranks, rank, nranks)
  call MPI_File_open(MPI_COMM_WORLD, 'sigma.snap', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
  do istep = 1, nsteps
     call drift_step(d, 0.05_dp)
     if (mod(istep, every) == 0) &
          call snapshot(fh, istep / every - 1, d%sig(:, 1:d%nr), d%nphi, d%nr, rank, nranks)
  end do
  call MPI_File_close(fh, ierr)
  mass = sum(d%sig(:, 1:d%nr))
  call MPI_Reduce(mass, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,es16.8)', 'dust mass ', total
  call MPI_Finalize(ierr)
end program dust_disc
