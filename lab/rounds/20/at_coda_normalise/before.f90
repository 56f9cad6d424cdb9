! Normalise the coda windows of a direct-access file by their rms, in place,
! and print the distribution of the amplitudes found.
module windows
  use iso_fortran_env, only: real32, real64
  implicit none
  integer, parameter :: samples = 64
  type :: store
    integer :: unit = -1
    integer :: records = 0
  end type
contains
  subroutine store_open(s, path)
    type(store), intent(inout) :: s
    character(*), intent(in) :: path
    integer(8) :: bytes
    integer :: ios
    inquire(file=path, size=bytes)
    s%records = int(bytes / (4 * samples))
    open(newunit=s%unit, file=path, access='direct', form='unformatted', &
         recl=4 * samples, status='old', action='readwrite', iostat=ios)
    if (ios /= 0) then
      print *, 'cannot open ', path
      stop 1
    end if
  end subroutine

  subroutine fetch(s, k, w)
    type(store), intent(in) :: s
    integer, intent(in) :: k
    real(real32), intent(out) :: w(samples)
    read(s%unit, rec=k) w
  end subroutine

  subroutine put(s, k, w)
    type(store), intent(in) :: s
    integer, intent(in) :: k
    real(real32), intent(in) :: w(samples)
    write(s%unit, rec=k) w
  end subroutine

  real(real64) function rms(w)
    real(real32), intent(in) :: w(:)
    rms = sqrt(sum(real(w, real64)**2) / size(w))
  end function

  subroutine normalise(w, floor_level, r)
    real(real32), intent(inout) :: w(:)
    real(real64), intent(in) :: floor_level
    real(real64), intent(out) :: r
    w = w - sum(w) / size(w)
    r = rms(w)
    w = w / real(max(r, floor_level), real32)
  end subroutine
end module

program coda_normalise
  use windows
  implicit none
  type(store) :: s
  integer, parameter :: bins = 10
  integer :: k, b, hist(bins), u
  real(real32) :: w(samples)
  real(real64) :: r, floor_level, total, top
  character(256) :: path, arg

  path = 'coda.dat'
  floor_level = 0.5d0
  if (command_argument_count() >= 1) call get_command_argument(1, path)
  if (command_argument_count() >= 2) then
    call get_command_argument(2, arg)
    read(arg, *) floor_level
  end if
  hist = 0
  total = 0
  top = 0

  call store_open(s, trim(path))
  do k = 1, s%records
    call fetch(s, k, w)
    call normalise(w, floor_level, r)
    call put(s, k, w)
    b = min(bins, 1 + int(r / 10))
    hist(b) = hist(b) + 1
    total = total + r
    top = max(top, real(maxval(abs(w)), real64))
  end do
  close(s%unit)

  open(newunit=u, file='coda.hist', status='replace', action='write')
  write(u, '(a)') '# rms from, windows'
  do b = 1, bins
    write(u, '(f8.1,i10)') 10.0 * (b - 1), hist(b)
  end do
  close(u)
  print '(a,i9,a,f12.5,a,f10.5)', 'windows', s%records, ' mean rms', total / max(1, s%records), ' peak', top
  print '(10i9)', hist
end program
