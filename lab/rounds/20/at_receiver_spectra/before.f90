! Spectral ratios of receiver records. The records of a direct-access file are taken
! in the order of the back azimuth, not in that of the file.
module spectra
  use iso_fortran_env, only: real32, real64
  implicit none
  integer, parameter :: samples = 8192
contains
  subroutine order_by_azimuth(n, order)
    integer, intent(in) :: n
    integer, intent(out) :: order(n)
    real(real64) :: az(n)
    integer :: i, j, t
    do i = 1, n
      az(i) = modulo(i * 137.508d0, 360d0)
      order(i) = i
    end do
    do i = 2, n
      t = order(i)
      j = i - 1
      do while (j >= 1)
        if (az(order(j)) <= az(t)) exit
        order(j + 1) = order(j)
        j = j - 1
      end do
      order(j + 1) = t
    end do
  end subroutine

  ! Goertzel: power at one frequency
  real(real64) function power_at(x, f)
    real(real32), intent(in) :: x(:)
    real(real64), intent(in) :: f
    real(real64) :: c, s0, s1, s2
    integer :: i
    c = 2 * cos(2 * acos(-1d0) * f)
    s1 = 0
    s2 = 0
    do i = 1, size(x)
      s0 = x(i) + c * s1 - s2
      s2 = s1
      s1 = s0
    end do
    power_at = s1 * s1 + s2 * s2 - c * s1 * s2
  end function
end module

program receiver_spectra
  use spectra
  implicit none
  integer, parameter :: bands = 48
  integer :: unit, out, records, i, b, ios
  integer(8) :: bytes
  integer, allocatable :: order(:)
  real(real32) :: x(samples)
  real(real64) :: p(bands), mean(bands), ratio
  character(256) :: path

  path = 'receivers.dat'
  if (command_argument_count() >= 1) call get_command_argument(1, path)
  inquire(file=trim(path), size=bytes)
  records = int(bytes / (4 * samples))
  open(newunit=unit, file=trim(path), access='direct', recl=4 * samples, &
       form='unformatted', status='old', action='read', iostat=ios)
  if (ios /= 0) then
    print *, 'cannot open ', trim(path)
    stop 1
  end if
  allocate(order(records))
  call order_by_azimuth(records, order)

  open(newunit=out, file='ratios.txt', status='replace', action='write')
  mean = 0
  do i = 1, records
    read(unit, rec=order(i)) x
    x = x - sum(x) / samples
    do b = 1, bands
      p(b) = power_at(x, 0.001d0 * 1.12d0**b)
    end do
    mean = mean + p / records
    ratio = sum(p(:bands / 2)) / sum(p(bands / 2 + 1:))
    write(out, '(i6,f14.6)') order(i), ratio
  end do
  close(out)
  close(unit)

  print '(a,i6)', 'records', records
  do b = 1, bands, 6
    print '(a,i3,es16.6)', 'band', b, mean(b)
  end do
end program
