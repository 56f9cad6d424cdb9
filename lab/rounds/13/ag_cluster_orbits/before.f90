! Open star cluster: direct N-body with softening, leap-frog.
! Units: parsec, km/s, solar masses.  Snapshots as a table for gnuplot.
program cluster
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: n = 320, every = 25
  real(dp), parameter :: g = 4.30091d-3, eps2 = 0.05_dp**2, dt = 0.002_dp
  real(dp) :: m(n), x(3, n), v(3, n), a(3, n)
  real(dp) :: ekin, epot, rhalf
  integer :: step, nsteps, i
  character(len=32) :: arg

  nsteps = 1500
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg)
     read (arg, *) nsteps
  end if
  call plummer
  call forces(epot)
  open (10, file='snapshots.txt', status='replace')
  open (11, file='energy.txt', status='replace')
  do step = 1, nsteps
     v = v + 0.5_dp * dt * a
     x = x + dt * v
     call forces(epot)
     v = v + 0.5_dp * dt * a
     if (mod(step, every) == 0) then
        ekin = 0.5_dp * sum(m * sum(v**2, dim=1))
        rhalf = half_mass_radius()
        write (11, '(i7,4es16.7)') step, ekin, epot, ekin + epot, rhalf
        flush (11)
        do i = 1, n
           write (10, '(i7,i5,7es15.6)') step, i, m(i), x(:, i), v(:, i)
        end do
        write (10, *)
     end if
  end do
  close (10)
  close (11)
  print '(a,es15.7,a,f8.4)', 'energy ', ekin + epot, '  half-mass radius ', rhalf

contains

  ! positions and speeds from a Plummer sphere, own random numbers so that
  ! the cluster is the same with every compiler
  subroutine plummer
    integer(8) :: seed
    integer :: i, k
    real(dp) :: r, u(5), speed
    seed = 12345
    do i = 1, n
       do k = 1, 5
          seed = mod(seed * 16807_8, 2147483647_8)
          u(k) = real(seed, dp) / 2147483647.0_dp
       end do
       m(i) = 0.3_dp * (1 - 0.98_dp * u(5))**(-0.7_dp)
       r = 1.2_dp / sqrt(max(u(1), 0.05_dp)**(-2.0_dp / 3) - 0.9_dp)
       x(3, i) = r * (2 * u(2) - 1)
       x(1, i) = sqrt(r**2 - x(3, i)**2) * cos(6.2831853_dp * u(3))
       x(2, i) = sqrt(r**2 - x(3, i)**2) * sin(6.2831853_dp * u(3))
       speed = 0.5_dp * sqrt(2 * g * 200 / sqrt(r**2 + 1.44_dp)) * u(4)
       v(:, i) = speed * [sin(9.0_dp * u(2)), cos(9.0_dp * u(2)) * sin(7.0_dp * u(1)), &
                          cos(9.0_dp * u(2)) * cos(7.0_dp * u(1))]
    end do
  end subroutine plummer

  subroutine forces(epot)
    real(dp), intent(out) :: epot
    real(dp) :: d(3), r2, f
    integer :: i, j
    a = 0
    epot = 0
    do i = 1, n - 1
       do j = i + 1, n
          d = x(:, j) - x(:, i)
          r2 = d(1)**2 + d(2)**2 + d(3)**2 + eps2
          f = g / (r2 * sqrt(r2))
          a(:, i) = a(:, i) + f * m(j) * d
          a(:, j) = a(:, j) - f * m(i) * d
          epot = epot - f * m(i) * m(j) * r2
       end do
    end do
  end subroutine forces

  function half_mass_radius() result(r)
    real(dp) :: r, lo, hi, c(3), r2(n)
    integer :: k
    c = matmul(x, m) / sum(m)
    r2 = (x(1, :) - c(1))**2 + (x(2, :) - c(2))**2 + (x(3, :) - c(3))**2
    lo = 0
    hi = 50
    do k = 1, 50
       r = 0.5_dp * (lo + hi)
       if (sum(m, mask=r2 < r**2) < 0.5_dp * sum(m)) then
          lo = r
       else
          hi = r
       end if
    end do
  end function half_mass_radius
end program cluster
