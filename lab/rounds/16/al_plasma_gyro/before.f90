! Test ions in a tokamak-like field with a drift wave: Boris pusher, samples of the
! energy distribution.  An operator may stop the run or change the wave with steering.txt.
!
! usage: gyro nions nsteps
module orbits
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: qm = 1.0_dp        ! charge over mass, normalised
  real(dp), parameter :: dt = 0.05_dp
  real(dp), parameter :: major = 30.0_dp    ! major radius in gyro radii

  type steering
     integer :: stop_flag = 0
     real(dp) :: amplitude = 1.0_dp
     integer :: every = 500
  end type steering

contains

  subroutine fields(x, t, amp, e, b)
    real(dp), intent(in) :: x(3), t, amp
    real(dp), intent(out) :: e(3), b(3)
    real(dp) :: phase
    phase = 0.7_dp * x(2) - 0.3_dp * t
    e = (/ 0.02_dp * amp * cos(phase), 0.05_dp * amp * sin(phase), 0.0_dp /)
    b = (/ 0.0_dp, 0.1_dp, major / (major + x(1)) /)
  end subroutine fields

  pure function cross(a, b) result(c)
    real(dp), intent(in) :: a(3), b(3)
    real(dp) :: c(3)
    c = (/ a(2) * b(3) - a(3) * b(2), a(3) * b(1) - a(1) * b(3), a(1) * b(2) - a(2) * b(1) /)
  end function cross

  subroutine push(x, v, t, amp)
    real(dp), intent(inout) :: x(3), v(3)
    real(dp), intent(in) :: t, amp
    real(dp) :: e(3), b(3), half(3), tv(3), sv(3)
    call fields(x, t, amp, e, b)
    half = v + 0.5_dp * dt * qm * e
    tv = 0.5_dp * dt * qm * b
    sv = 2.0_dp * tv / (1.0_dp + dot_product(tv, tv))
    v = half + cross(half + cross(half, tv), sv) + 0.5_dp * dt * qm * e
    x = x + dt * v
    if (abs(x(1)) > 0.5_dp * major) v(1) = -v(1)      ! wall
  end subroutine push

  subroutine look_at_steering(u, s)
    integer, intent(in) :: u
    type(steering), intent(inout) :: s
    integer :: stat
    rewind (u)
    read (u, *, iostat=stat) s%stop_flag
    read (u, *, iostat=stat) s%amplitude
    read (u, *, iostat=stat) s%every
  end subroutine look_at_steering

end module orbits

program gyro
  use orbits
  implicit none
  real(dp), allocatable :: x(:,:), v(:,:)
  type(steering) :: ctl
  integer :: nions, nsteps, step, i, usteer, uout, samples
  real(dp) :: energy, angle
  character(len=32) :: arg

  nions = 16
  nsteps = 200000
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg); read (arg, *) nions
  end if
  if (command_argument_count() >= 2) then
     call get_command_argument(2, arg); read (arg, *) nsteps
  end if

  allocate (x(3, nions), v(3, nions))
  do i = 1, nions
     angle = 2.399963_dp * i
     x(:, i) = (/ 3.0_dp * cos(angle), real(i, dp), 0.0_dp /)
     v(:, i) = (/ sin(angle), cos(angle), 0.3_dp /)
  end do

  open (newunit=usteer, file='steering.txt', action='read', status='old')
  open (newunit=uout, file='energy.txt', action='write', status='replace')
  samples = 0
  call look_at_steering(usteer, ctl)
  do step = 1, nsteps
     call look_at_steering(usteer, ctl)
     if (ctl%stop_flag /= 0) exit
     do i = 1, nions
        call push(x(:, i), v(:, i), step * dt, ctl%amplitude)
     end do
     if (mod(step, ctl%every) == 0) then
        energy = 0.5_dp * sum(v * v) / nions
        write (uout, '(f12.3,es18.9)') step * dt, energy
        samples = samples + 1
     end if
  end do
  close (uout)
  close (usteer)
  print '(i0,a,es16.8)', samples, ' samples, last mean energy ', energy
end program gyro
