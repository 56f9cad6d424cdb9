! Shallow water in a closed basin; a line for the tide gauges is appended
! to the log now and then, the log is closed again at once.
module basin
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: nx = 160, ny = 120
  real(dp) :: h(nx, ny), u(nx + 1, ny), v(nx, ny + 1), depth(nx, ny)
contains
  subroutine start
    integer :: i, j
    u = 0.0_dp
    v = 0.0_dp
    do j = 1, ny
      do i = 1, nx
        depth(i, j) = 20.0_dp + 10.0_dp*sin(0.03_dp*i)*cos(0.05_dp*j)
        h(i, j) = 0.5_dp*exp(-((i - 40)**2 + (j - 60)**2)/200.0_dp)
      end do
    end do
  end subroutine

  subroutine advance(dt, dx)
    real(dp), intent(in) :: dt, dx
    real(dp), parameter :: g = 9.81_dp, cd = 2.5d-3
    integer :: i, j
    do j = 1, ny
      do i = 2, nx
        u(i, j) = (u(i, j) - dt*g*(h(i, j) - h(i - 1, j))/dx) &
                  /(1.0_dp + dt*cd*abs(u(i, j))/depth(i, j))
      end do
    end do
    do j = 2, ny
      do i = 1, nx
        v(i, j) = (v(i, j) - dt*g*(h(i, j) - h(i, j - 1))/dx) &
                  /(1.0_dp + dt*cd*abs(v(i, j))/depth(i, j))
      end do
    end do
    do j = 1, ny
      do i = 1, nx
        h(i, j) = h(i, j) - dt*depth(i, j)*(u(i + 1, j) - u(i, j) + v(i, j + 1) - v(i, j))/dx
      end do
    end do
  end subroutine

  subroutine log_gauges(step, time)
    integer, intent(in) :: step
    real(dp), intent(in) :: time
    integer :: lun
    open(newunit=lun, file='tide.log', status='unknown', position='append', action='write')
    write(lun, '(i8,f12.2,4f12.6)') step, time, h(10, 10), h(80, 60), h(150, 20), h(120, 110)
    close(lun)
  end subroutine
end module

program tide_log
  use basin
  implicit none
  integer :: nstep, s
  real(dp) :: dt
  character(32) :: arg

  nstep = 10000
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read(arg, *) nstep
  end if
  dt = 1.5_dp
  call start
  do s = 1, nstep
    call advance(dt, 100.0_dp)
    if (mod(s, 100) == 0) call log_gauges(s, s*dt)
  end do
  print '(a,f14.8,a,f14.8)', 'volume ', sum(h), '  largest ', maxval(abs(h))
end program
