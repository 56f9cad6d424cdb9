! Diurnal cycle of 2 m temperature at stations, taken from hourly model fields.
module field_file
  implicit none
  integer, parameter :: nx = 90, ny = 60, nt = 240
  integer :: unit_field = -1
  real, allocatable :: cube(:, :, :)
contains

  subroutine field_open(path)
    character(*), intent(in) :: path
    allocate (cube(nx, ny, nt))
    open (newunit=unit_field, file=path, access='stream', form='unformatted', &
          status='old', action='read')
    read (unit_field) cube
    close (unit_field)
  end subroutine field_open

  ! Value of one grid cell at one hour.
  real function field_at(i, j, hour)
    integer, intent(in) :: i, j, hour
    field_at = cube(i, j, hour)
  end function field_at

  subroutine field_series(i, j, series)
    integer, intent(in) :: i, j
    real, intent(out) :: series(nt)
    integer :: hour
    do hour = 1, nt
      series(hour) = field_at(i, j, hour)
    end do
  end subroutine field_series

  subroutine field_close()
    deallocate (cube)
  end subroutine field_close
end module field_file

module harmonics
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: pi = 3.14159265358979323846_dp
contains

  ! Amplitude and phase of the harmonic with the given period (hours).
  subroutine fit_harmonic(series, period, amplitude, phase)
    real, intent(in) :: series(:)
    real(dp), intent(in) :: period
    real(dp), intent(out) :: amplitude, phase
    real(dp) :: c, s, mean, w
    integer :: t
    mean = sum(real(series, dp))/size(series)
    c = 0
    s = 0
    do t = 1, size(series)
      w = 2*pi*t/period
      c = c + (series(t) - mean)*cos(w)
      s = s + (series(t) - mean)*sin(w)
    end do
    c = 2*c/size(series)
    s = 2*s/size(series)
    amplitude = sqrt(c*c + s*s)
    phase = modulo(atan2(s, c)*period/(2*pi), period)
  end subroutine fit_harmonic
end module harmonics

program station_cycle
  use field_file
  use harmonics
  implicit none
  integer :: nstation, k, i, j
  character(32) :: arg
  real :: series(nt)
  real(dp) :: amp1, ph1, amp2, ph2, total1, total2, weight

  nstation = 200
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read (arg, *) nstation
  end if
  call field_open('t2m.dat')
  total1 = 0
  total2 = 0
  weight = 0
  do k = 1, nstation
    i = 1 + modulo(k*37, nx)
    j = 1 + modulo(k*23, ny)
    call field_series(i, j, series)
    call fit_harmonic(series, 24.0_dp, amp1, ph1)
    call fit_harmonic(series, 12.0_dp, amp2, ph2)
    total1 = total1 + amp1*cos(pi*j/ny)
    total2 = total2 + amp2
    weight = weight + ph1
  end do
  call field_close()
  write (*, '(a,i6,a,f12.6,a,f12.6,a,f12.6)') 'stations', nstation, ' diurnal', total1/nstation, &
    ' semidiurnal', total2/nstation, ' phase', weight/nstation
end program station_cycle
