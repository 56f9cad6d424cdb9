! Shallow-water basin with a monitoring station log and restart files.
module basin
  use iso_fortran_env, only: real64
  implicit none
  real(real64), parameter :: g = 9.81_real64, depth = 40.0_real64
contains

  subroutine fill(h, u, v)
    real(real64), intent(out) :: h(:, :), u(:, :), v(:, :)
    integer :: i, j
    u = 0.0_real64
    v = 0.0_real64
    do j = 1, size(h, 2)
       do i = 1, size(h, 1)
          h(i, j) = 0.5_real64 * exp(-0.002_real64 * &
               real((i - size(h, 1) / 3)**2 + (j - size(h, 2) / 2)**2, real64))
       end do
    end do
  end subroutine fill

  subroutine advance(h, u, v, dt, dx)
    real(real64), intent(inout) :: h(:, :), u(:, :), v(:, :)
    real(real64), intent(in) :: dt, dx
    integer :: i, j, n, m
    n = size(h, 1)
    m = size(h, 2)
    do j = 2, m - 1
       do i = 2, n - 1
          u(i, j) = u(i, j) - dt * g * (h(i + 1, j) - h(i, j)) / dx &
               - dt * 1.0e-3_real64 * u(i, j) * sqrt(u(i, j)**2 + v(i, j)**2)
          v(i, j) = v(i, j) - dt * g * (h(i, j + 1) - h(i, j)) / dx &
               - dt * 1.0e-3_real64 * v(i, j) * sqrt(u(i, j)**2 + v(i, j)**2)
       end do
    end do
    do j = 2, m - 1
       do i = 2, n - 1
          h(i, j) = h(i, j) - dt * depth * (u(i, j) - u(i - 1, j) &
               + v(i, j) - v(i, j - 1)) / dx
       end do
    end do
  end subroutine advance

  subroutine log_station(step, h)
    integer, intent(in) :: step
    real(real64), intent(in) :: h(:, :)
    integer :: unit
    open(newunit=unit, file='station.log', position='append', action='write')
    write(unit, '(i8,4f14.8)') step, h(20, 20), h(60, 40), maxval(h), minval(h)
    close(unit)
  end subroutine log_station

  subroutine save_restart(step, h, u, v)
    integer, intent(in) :: step
    real(real64), intent(in) :: h(:, :), u(:, :), v(:, :)
    integer :: unit
    open(newunit=unit, file='restart.bin', form='unformatted', &
         access='stream', status='replace', action='write')
    write(unit) step, h, u, v
    close(unit)
  end subroutine save_restart

end module basin

program basin_run
  use basin
  implicit none
  integer, parameter :: n = 300
  real(real64) :: h(n, n), u(n, n), v(n, n)
  integer :: nstep, step
  character(32) :: arg

  nstep = 2000
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg)
     read(arg, *) nstep
  end if
  call fill(h, u, v)
  do step = 1, nstep
     call advance(h, u, v, 0.5_real64, 50.0_real64)
     if (mod(step, 10) == 0) call log_station(step, h)
     if (mod(step, 500) == 0) call save_restart(step, h, u, v)
  end do
  print '(a,i0,a,f14.8)', 'steps ', nstep, '  volume ', sum(h)
end program basin_run
