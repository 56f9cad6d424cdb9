! One-layer tidal model of a bay: gauge records, a request file that lets the
! user end the run early, and a restart at every fifth of the run.
program tidal_basin
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nx = 180, ny = 120, ngauge = 12
  real(dp), parameter :: g = 9.81_dp, dx = 500.0_dp, dt = 8.0_dp
  real(dp) :: z(nx, ny), u(nx, ny), v(nx, ny), depth(nx, ny)
  integer :: gi(ngauge), gj(ngauge), n, steps, ug, ur, k
  character(len=32) :: arg

  steps = 6000
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read (arg, *) steps
  end if
  call bathymetry(depth)
  z = 0.0_dp; u = 0.0_dp; v = 0.0_dp
  do k = 1, ngauge
     gi(k) = 10 + (k - 1) * 13
     gj(k) = 20 + mod(k * 37, 80)
  end do

  open (newunit=ug, file='gauges.txt', status='replace')
  open (newunit=ur, file='restart.bin', access='direct', recl=8 * nx * ny, status='replace')
  do n = 1, steps
     call boundary(n * dt)
     call momentum()
     call continuity()
     if (mod(n, 60) == 0) then
        write (ug, '(f10.1,12f9.4)') n * dt, (z(gi(k), gj(k)), k = 1, ngauge)
        flush (ug)
        if (stop_requested()) exit
     end if
     if (mod(n, max(1, steps / 5)) == 0) call restart()
  end do
  close (ug)
  close (ur)
  print '(a,i0,a,f9.5,a,f9.5)', 'steps ', steps, '  highest level ', maxval(z), '  volume ', sum(z) / (nx * ny)

contains

  subroutine bathymetry(d)
    real(dp), intent(out) :: d(:, :)
    integer :: i, j
    do j = 1, ny
       do i = 1, nx
          d(i, j) = 8.0_dp + 40.0_dp * (1.0_dp - real(i, dp) / nx) + 3.0_dp * sin(0.2_dp * i) * cos(0.17_dp * j)
       end do
    end do
  end subroutine bathymetry

  subroutine boundary(t)
    real(dp), intent(in) :: t
    real(dp), parameter :: m2 = 1.405189e-4_dp, s2 = 1.454441e-4_dp
    z(1, :) = 1.1_dp * sin(m2 * t) + 0.35_dp * sin(s2 * t + 0.4_dp)
  end subroutine boundary

  subroutine momentum()
    integer :: i, j
    real(dp) :: fr
    do j = 1, ny
       do i = 1, nx - 1
          fr = 0.0025_dp * abs(u(i, j)) / depth(i, j)
          u(i, j) = (u(i, j) - dt * g * (z(i + 1, j) - z(i, j)) / dx) / (1.0_dp + dt * fr)
       end do
    end do
    do j = 1, ny - 1
       do i = 1, nx
          fr = 0.0025_dp * abs(v(i, j)) / depth(i, j)
          v(i, j) = (v(i, j) - dt * g * (z(i, j + 1) - z(i, j)) / dx) / (1.0_dp + dt * fr)
       end do
    end do
  end subroutine momentum

  subroutine continuity()
    integer :: i, j
    real(dp) :: fw, fe, fs, fn
    do j = 1, ny
       do i = 2, nx
          fw = u(i - 1, j) * depth(i - 1, j)
          fe = 0.0_dp
          if (i < nx) fe = u(i, j) * depth(i, j)
          fs = 0.0_dp
          if (j > 1) fs = v(i, j - 1) * depth(i, j - 1)
          fn = 0.0_dp
          if (j < ny) fn = v(i, j) * depth(i, j)
          z(i, j) = z(i, j) - dt / dx * (fe - fw + fn - fs)
       end do
    end do
  end subroutine continuity

  logical function stop_requested()
    inquire (file='STOP', exist=stop_requested)
  end function stop_requested

  subroutine restart()
    write (ur, rec=1) z
    write (ur, rec=2) u
    write (ur, rec=3) v
    flush (ur)
  end subroutine restart

end program tidal_basin
