! Removes the tide from the sea-level records of many gauges and keeps the
! surge: harmonic fit of the main constituents, then a low-pass filter.
program tide_filter
  implicit none
  integer, parameter :: nt = 720                  ! hours in a record
  integer, parameter :: nc = 4                    ! constituents
  real(8), parameter :: period(nc) = (/ 12.4206d0, 12.0d0, 25.8193d0, 23.9345d0 /)
  real(8) :: level(nt), tide(nt), surge(nt), amp(nc)
  real(8) :: peak, mean_amp(nc)
  integer :: ngauge, g, out
  character(len=32) :: arg

  ngauge = 11000
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read(arg, *) ngauge
  end if
  mean_amp = 0d0
  open(newunit=out, file='surge_peaks.bin', access='stream', form='unformatted', status='replace')
  do g = 1, ngauge
     call record(g, level)
     call harmonic_fit(level, tide, amp)
     call pass_on(g, level, tide)
     call fetch(g, surge)
     call low_pass(surge)
     peak = maxval(surge)
     mean_amp = mean_amp + amp
     write(out) g, peak
  end do
  close(out)
  print '(a,i7,a,4f9.5)', 'gauges ', ngauge, '  mean amplitudes (m) ', mean_amp / ngauge

contains

  ! synthetic hourly record of gauge g
  subroutine record(g, z)
    integer, intent(in) :: g
    real(8), intent(out) :: z(:)
    real(8), parameter :: pi2 = 6.283185307179586d0
    integer :: i, c
    real(8) :: a
    z = 0d0
    do c = 1, nc
       a = (1.2d0 - 0.25d0 * c) * (1d0 + 0.2d0 * sin(0.01d0 * g * c))
       do i = 1, nt
          z(i) = z(i) + a * cos(pi2 * i / period(c) + 0.1d0 * g)
       end do
    end do
    do i = 1, nt
       z(i) = z(i) + 0.6d0 * exp(-((i - 300d0 - mod(g, 200)) / 18d0)**2)
    end do
  end subroutine

  ! projection on each constituent
  subroutine harmonic_fit(z, tide, amp)
    real(8), intent(in) :: z(:)
    real(8), intent(out) :: tide(:), amp(:)
    real(8), save :: co(nt, nc), si(nt, nc)
    logical, save :: first = .true.
    real(8) :: a, b
    integer :: i, c
    if (first) then
       do c = 1, nc
          do i = 1, nt
             co(i, c) = cos(6.283185307179586d0 * i / period(c))
             si(i, c) = sin(6.283185307179586d0 * i / period(c))
          end do
       end do
       first = .false.
    end if
    tide = 0d0
    do c = 1, nc
       a = 2d0 * dot_product(z, co(:, c)) / nt
       b = 2d0 * dot_product(z, si(:, c)) / nt
       amp(c) = sqrt(a * a + b * b)
       tide = tide + a * co(:, c) + b * si(:, c)
    end do
  end subroutine

  ! hands level and tide over to the second stage
  subroutine pass_on(g, z, tide)
    integer, intent(in) :: g
    real(8), intent(in) :: z(:), tide(:)
    character(len=24) :: name
    integer :: u
    write(name, '(a,i6.6,a)') 'stage_', g, '.wrk'
    open(newunit=u, file=name, form='unformatted', status='replace')
    write(u) z
    write(u) tide
    close(u)
  end subroutine

  subroutine fetch(g, surge)
    integer, intent(in) :: g
    real(8), intent(out) :: surge(:)
    real(8) :: z(nt), tide(nt)
    character(len=24) :: name
    integer :: u
    write(name, '(a,i6.6,a)') 'stage_', g, '.wrk'
    open(newunit=u, file=name, form='unformatted', status='old')
    read(u) z
    read(u) tide
    close(u, status='delete')
    surge = z - tide
  end subroutine

  ! running mean over 5 hours, twice
  subroutine low_pass(x)
    real(8), intent(inout) :: x(:)
    real(8) :: y(nt)
    integer :: i, pass
    do pass = 1, 2
       y = x
       do i = 3, nt - 2
          x(i) = sum(y(i-2:i+2)) / 5d0
       end do
    end do
  end subroutine
end program
