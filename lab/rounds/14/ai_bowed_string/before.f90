! Bowed string, digital waveguide with hyperbolic friction (Helmholtz motion).
! One record per audio sample is kept for the later listening test:
!   time, string velocity under the bow, friction force.
module string_model
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: fs      = 44100.0_dp   ! sampling rate [Hz]
  real(dp), parameter :: f0      = 196.0_dp     ! open G string
  real(dp), parameter :: beta    = 0.13_dp      ! relative bow position
  real(dp), parameter :: zc      = 0.22_dp      ! wave impedance [kg/s]
  real(dp), parameter :: refl    = 0.985_dp     ! bridge reflection
  type :: line
     integer :: n = 0, head = 1
     real(dp), allocatable :: v(:)
  end type line
contains
  subroutine setup(l, n)
    type(line), intent(inout) :: l
    integer, intent(in) :: n
    l%n = n
    allocate(l%v(n))
    l%v = 0.0_dp
    l%head = 1
  end subroutine setup

  function oldest(l) result(r)
    type(line), intent(in) :: l
    real(dp) :: r
    r = l%v(l%head)
  end function oldest

  subroutine push(l, x)
    type(line), intent(inout) :: l
    real(dp), intent(in) :: x
    l%v(l%head) = x
    l%head = l%head + 1
    if (l%head > l%n) l%head = 1
  end subroutine push

  ! friction coefficient against slip velocity
  pure function mu(dv) result(m)
    real(dp), intent(in) :: dv
    real(dp) :: m
    m = 0.3_dp + 0.5_dp/(1.0_dp + abs(dv)/0.1_dp)
  end function mu

  ! damped fixed point iteration for the force at the bow
  subroutine bow(vh, vb, fb, v, f)
    real(dp), intent(in)  :: vh, vb, fb
    real(dp), intent(out) :: v, f
    integer :: k
    f = 2.0_dp*zc*(vb - vh)
    if (abs(f) <= fb*0.8_dp) then
       v = vb                                 ! sticking
       return
    end if
    v = vh
    do k = 1, 8
       f = sign(fb*mu(v - vb), vb - v)
       v = 0.5_dp*v + 0.5_dp*(vh + f/(2.0_dp*zc))
    end do
  end subroutine bow

  subroutine keep(u, t, v, f)
    integer, intent(in) :: u
    real(dp), intent(in) :: t, v, f
    write(u) real(t), real(v), real(f)
    flush(u)
  end subroutine keep
end module string_model

program bowed_string
  use string_model
  implicit none
  type(line) :: nut, bridge
  integer :: i, nsamp, u, total
  real(dp) :: seconds, vin_n, vin_b, v, f, vb, fb, lp, power
  character(len=32) :: arg
  seconds = 36.0_dp
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read(arg, *) seconds
  end if
  nsamp = int(seconds*fs)
  total = int(fs/f0)
  call setup(bridge, max(1, int(beta*total)))
  call setup(nut, total - bridge%n)
  open(newunit=u, file='string.raw', access='stream', form='unformatted', status='replace')
  lp = 0.0_dp
  power = 0.0_dp
  do i = 1, nsamp
     ! slow crescendo of bow speed and force
     vb = 0.12_dp + 0.1_dp*i/nsamp
     fb = 0.5_dp + 0.6_dp*i/nsamp
     vin_n = -oldest(nut)
     lp = 0.6_dp*oldest(bridge) + 0.4_dp*lp
     vin_b = -refl*lp
     call bow(vin_n + vin_b, vb, fb, v, f)
     call push(nut, v - vin_n)
     call push(bridge, v - vin_b)
     power = power + f*v
     call keep(u, i/fs, v, f)
  end do
  close(u)
  print '(a,f10.5,a)', ' mean bow power ', power/nsamp, ' W'
end program bowed_string
