! Refine the proper motions of a star catalogue kept as fixed records.
module star_records
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  type star
    real(dp) :: ra, dec
    real(dp) :: pm_ra, pm_dec
    real(dp) :: mag
    real(dp) :: weight
  end type star
contains

  subroutine make_catalogue(path, n)
    character(*), intent(in) :: path
    integer, intent(in) :: n
    type(star), allocatable :: s(:)
    integer :: i, u
    allocate(s(n))
    do i = 1, n
      s(i)%ra = modulo(137.50776405_dp * i, 360.0_dp)
      s(i)%dec = 90.0_dp * sin(0.37_dp * i)
      s(i)%pm_ra = 4.0_dp * sin(1.7_dp * i)
      s(i)%pm_dec = 4.0_dp * cos(2.3_dp * i)
      s(i)%mag = 6.0_dp + modulo(0.618_dp * i, 9.0_dp)
      s(i)%weight = 0.0_dp
    end do
    open(newunit=u, file=path, access='stream', form='unformatted', status='replace')
    write(u) s
    close(u)
    deallocate(s)
  end subroutine make_catalogue

  pure subroutine refine(s, epoch)
    type(star), intent(inout) :: s
    real(dp), intent(in) :: epoch
    real(dp) :: obs_ra, obs_dec, gain, rad
    rad = acos(-1.0_dp) / 180.0_dp
    obs_ra = s%ra + epoch * s%pm_ra / 3.6e6_dp + 1.0e-7_dp * sin(s%mag * epoch)
    obs_dec = s%dec + epoch * s%pm_dec / 3.6e6_dp + 1.0e-7_dp * cos(s%mag * epoch)
    gain = 1.0_dp / (s%weight + 2.0_dp)
    s%pm_ra = s%pm_ra + gain * ((obs_ra - s%ra) * 3.6e6_dp / epoch - s%pm_ra) * cos(s%dec * rad)
    s%pm_dec = s%pm_dec + gain * ((obs_dec - s%dec) * 3.6e6_dp / epoch - s%pm_dec)
    s%weight = s%weight + 1.0_dp
  end subroutine refine

  subroutine update_epoch(path, n, epoch)
    character(*), intent(in) :: path
    integer, intent(in) :: n
    real(dp), intent(in) :: epoch
    integer, parameter :: block = 8192
    type(star), allocatable :: s(:)
    integer :: i, u, first, m, length
    type(star) :: one
    inquire(iolength=length) one
    allocate(s(block))
    open(newunit=u, file=path, access='stream', form='unformatted', status='old')
    do first = 1, n, block
      m = min(block, n - first + 1)
      read(u, pos=1_8 + int(first - 1, 8) * length) s(1:m)
      do i = 1, m
        call refine(s(i), epoch)
      end do
      write(u, pos=1_8 + int(first - 1, 8) * length) s(1:m)
    end do
    close(u)
  end subroutine update_epoch

  subroutine summary(path, n)
    character(*), intent(in) :: path
    integer, intent(in) :: n
    type(star), allocatable :: s(:)
    integer :: u
    allocate(s(n))
    open(newunit=u, file=path, access='stream', form='unformatted', status='old')
    read(u) s
    close(u)
    print '(a,i0,a,f14.8,a,f6.1)', 'stars ', n, '  mean motion ', &
      sum(sqrt(s%pm_ra**2 + s%pm_dec**2)) / n, '  weight ', sum(s%weight) / n
  end subroutine summary
end module star_records

program proper_motions
  use star_records
  implicit none
  character(32) :: arg
  integer :: n, epochs, k
  n = 20000
  epochs = 5
  call get_command_argument(1, arg)
  if (len_trim(arg) > 0) read(arg, *) n
  call get_command_argument(2, arg)
  if (len_trim(arg) > 0) read(arg, *) epochs
  call make_catalogue('stars.cat', n)
  do k = 1, epochs
    call update_epoch('stars.cat', n, 1.5_dp * k)
  end do
  call summary('stars.cat', n)
end program proper_motions
