! Advects passive tracers in a double gyre and stores their trajectories.
module gyre_flow
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: pi = 3.14159265358979323846_dp
  real(dp), parameter :: amp = 0.1_dp, eps = 0.25_dp, omega = 2.0_dp * pi / 10.0_dp
contains
  subroutine velocity(x, y, t, u, v)
    real(dp), intent(in)  :: x, y, t
    real(dp), intent(out) :: u, v
    real(dp) :: a, b, f, dfdx
    a = eps * sin(omega * t)
    b = 1.0_dp - 2.0_dp * a
    f = a * x * x + b * x
    dfdx = 2.0_dp * a * x + b
    u = -pi * amp * sin(pi * f) * cos(pi * y)
    v =  pi * amp * cos(pi * f) * sin(pi * y) * dfdx
  end subroutine velocity
end module gyre_flow

program tracer
  use gyre_flow
  implicit none
  integer :: ntracer, nstep, i, n, lun
  real(dp) :: dt, t, u, v, um, vm
  real(dp), allocatable :: x(:), y(:), uu(:), vv(:)
  character(len=32) :: arg

  ntracer = 12000
  nstep = 25
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) ntracer
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, arg)
    read (arg, *) nstep
  end if
  allocate (x(ntracer), y(ntracer), uu(ntracer), vv(ntracer))
  do i = 1, ntracer
    x(i) = 2.0_dp * mod(i * 0.618033988749895_dp, 1.0_dp)
    y(i) = mod(i * 0.754877666246693_dp, 1.0_dp)
  end do

  dt = 0.1_dp
  t = 0.0_dp
  open (newunit=lun, file='trajectories.dat', status='replace', action='write', &
        access='stream', form='unformatted')
  do n = 1, nstep
    do i = 1, ntracer
      call velocity(x(i), y(i), t, u, v)
      call velocity(x(i) + 0.5_dp * dt * u, y(i) + 0.5_dp * dt * v, t + 0.5_dp * dt, um, vm)
      x(i) = x(i) + dt * um
      y(i) = y(i) + dt * vm
      uu(i) = um
      vv(i) = vm
    end do
    t = t + dt
    call store_positions(lun, n, t)
  end do
  close (lun)
  print '(a,2f14.9)', 'centre of mass ', sum(x) / ntracer, sum(y) / ntracer

contains

  subroutine store_positions(unit, step, time)
    integer, intent(in) :: unit, step
    real(dp), intent(in) :: time
    write (unit) step, ntracer, time
    write (unit) x, y, uu, vv
  end subroutine store_positions

end program tracer
