! Joins the sections "depth" and "sound speed" of a sonar survey file into
! travel times.
module survey
  use iso_fortran_env, only: int64, real64
  implicit none
  integer, parameter :: header_bytes = 64
contains

  subroutine make_survey(path, n)
    character(*), intent(in) :: path
    integer, intent(in) :: n
    real(real64), allocatable :: depth(:), speed(:)
    integer :: u, i
    character(header_bytes) :: header
    allocate(depth(n), speed(n))
    do i = 1, n
      depth(i) = 800.0_real64 + 300.0_real64*sin(1.0e-3_real64*i)
      speed(i) = 1500.0_real64 + 12.0_real64*cos(2.7e-4_real64*i)
    end do
    write(header, '(a,i10)') 'SURVEY ', n
    open(newunit=u, file=path, access='stream', form='unformatted', status='replace')
    write(u) header
    write(u) depth
    write(u) speed
    close(u)
  end subroutine make_survey

  function depth_position(i) result(p)
    integer, intent(in) :: i
    integer(int64) :: p
    p = 1_int64 + header_bytes + 8_int64*(i - 1)
  end function depth_position

  function speed_position(i, n) result(p)
    integer, intent(in) :: i, n
    integer(int64) :: p
    p = 1_int64 + header_bytes + 8_int64*n + 8_int64*(i - 1)
  end function speed_position

end module survey

program section_merge
  use survey
  implicit none
  integer :: n, u, i, bins(200), b
  real(real64), allocatable :: depth(:), speed(:)
  real(real64) :: t, total, tmax
  character(32) :: arg

  n = 50000
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read(arg, *) n
  end if
  call make_survey('survey.dat', n)

  bins = 0
  total = 0.0_real64
  tmax = 0.0_real64
  open(newunit=u, file='survey.dat', access='stream', form='unformatted', status='old', action='read')
  allocate(depth(n), speed(n))
  read(u, pos=depth_position(1)) depth
  read(u, pos=speed_position(1, n)) speed
  do i = 1, n
    t = 2.0_real64*depth(i)/speed(i)
    total = total + t
    tmax = max(tmax, t)
    b = 1 + min(199, int(t*100.0_real64))
    bins(b) = bins(b) + 1
  end do
  close(u)
  print '(a,f12.8,a,f12.8,a,i8)', 'mean time ', total/n, '  longest ', tmax, '  fullest bin ', maxval(bins)
end program section_merge
