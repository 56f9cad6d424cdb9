! Tracks in the photographs of a cloud chamber: droplets are grouped along a direction
! and each track is fitted with a circle, which gives the momentum in the magnetic field.
!
! The fit was taken over from an older program and wants the points of a track on a unit.
!
! usage: chamber events tracks
program chamber
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: max_points = 48
  real(dp), parameter :: field = 0.79_dp, pi = 3.141592653589793_dp
  integer :: nevents, ntracks, event, track, npoints, fitted, unit, report
  integer(8) :: state = 20091123_8
  real(dp) :: x(max_points), y(max_points), radius, chi2, momentum, sum_p, sum_chi2
  integer :: histogram(0:39)

  nevents = argument(1, 3000)
  ntracks = argument(2, 12)
  fitted = 0
  sum_p = 0
  sum_chi2 = 0
  histogram = 0
  do event = 1, nevents
     do track = 1, ntracks
        call droplets(x, y, npoints)
        call put_points(unit, x, y, npoints)
        call fit_circle(unit, radius, chi2)
        close (unit)
        if (radius <= 0 .or. chi2 > 25) cycle
        momentum = 0.3_dp * field * radius * 1000
        fitted = fitted + 1
        sum_p = sum_p + momentum
        sum_chi2 = sum_chi2 + chi2
        histogram(min(39, int(momentum / 25))) = histogram(min(39, int(momentum / 25))) + 1
     end do
  end do

  open (newunit=report, file='momenta.txt', status='replace')
  do track = 0, 39
     write (report, '(f8.1,i9)') 25.0 * track, histogram(track)
  end do
  close (report)
  print '(i0,a,f10.4,a,f9.5)', fitted, ' tracks, mean momentum ', sum_p / fitted, &
       ' MeV/c, mean chi2 ', sum_chi2 / fitted

contains

  integer function argument(k, default)
    integer, intent(in) :: k, default
    character(len=32) :: text
    argument = default
    if (command_argument_count() < k) return
    call get_command_argument(k, text)
    read (text, *) argument
  end function argument

  real(dp) function uniform()
    state = mod(state * 16807_8, 2147483647_8)
    uniform = real(state, dp) / 2147483647.0_dp
  end function uniform

  real(dp) function normal()
    normal = sqrt(-2 * log(uniform())) * cos(2 * pi * uniform())
  end function normal

  ! points of a curved track as measured on the photograph, in metres
  subroutine droplets(x, y, n)
    real(dp), intent(out) :: x(:), y(:)
    integer, intent(out) :: n
    real(dp) :: r, phi0, step, phi
    integer :: i
    n = 24 + int(24 * uniform())
    r = 0.3_dp + 2.5_dp * uniform()**2
    phi0 = 2 * pi * uniform()
    step = 0.45_dp / (n * r)
    do i = 1, n
       phi = phi0 + i * step
       x(i) = r * (sin(phi) - sin(phi0)) + 3.0e-4_dp * normal()
       y(i) = r * (cos(phi0) - cos(phi)) + 3.0e-4_dp * normal()
    end do
  end subroutine droplets

  subroutine put_points(unit, x, y, n)
    integer, intent(out) :: unit
    real(dp), intent(in) :: x(:), y(:)
    integer, intent(in) :: n
    integer :: i
    open (newunit=unit, status='scratch', form='unformatted', action='readwrite')
    write (unit) n
    do i = 1, n
       write (unit) x(i), y(i)
    end do
    rewind (unit)
  end subroutine put_points

  ! algebraic circle through the points on the unit: x^2 + y^2 + a x + b y + c = 0
  subroutine fit_circle(unit, radius, chi2)
    integer, intent(in) :: unit
    real(dp), intent(out) :: radius, chi2
    real(dp) :: m(3, 4), row(4), px(max_points), py(max_points), f, cx, cy
    integer :: n, i, j, k
    read (unit) n
    m = 0
    do i = 1, n
       read (unit) px(i), py(i)
       row = [px(i), py(i), 1.0_dp, -(px(i)**2 + py(i)**2)]
       do j = 1, 3
          m(j, :) = m(j, :) + row(j) * row
       end do
    end do
    do k = 1, 3
       if (abs(m(k, k)) < 1.0e-14_dp) then
          radius = -1
          chi2 = 0
          return
       end if
       do j = 1, 3
          if (j == k) cycle
          f = m(j, k) / m(k, k)
          m(j, :) = m(j, :) - f * m(k, :)
       end do
    end do
    cx = -0.5_dp * m(1, 4) / m(1, 1)
    cy = -0.5_dp * m(2, 4) / m(2, 2)
    radius = sqrt(max(0.0_dp, cx**2 + cy**2 - m(3, 4) / m(3, 3)))
    chi2 = 0
    do i = 1, n
       chi2 = chi2 + ((hypot(px(i) - cx, py(i) - cy) - radius) / 3.0e-4_dp)**2
    end do
    chi2 = chi2 / max(1, n - 3)
  end subroutine fit_circle

end program chamber
