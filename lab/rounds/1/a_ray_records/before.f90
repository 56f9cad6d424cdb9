! Seismic rays through a layered earth; the rays of the sources are stored in a
! direct access file under the number of their receiver, in order of arrival.
program ray_records
  use iso_fortran_env, only: real64
  implicit none
  integer, parameter :: layers = 400, samples = 320
  integer :: receivers, r, k, l, u, reclen, slot, step
  real(real64) :: v(layers), thick, p, x, t, sine, trace(samples), total
  character(32) :: arg

  receivers = 499
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read(arg, *) receivers
  end if
  do l = 1, layers
    v(l) = 1.5_real64 + 0.015_real64*l
  end do
  thick = 0.05_real64
  inquire(iolength=reclen) r, trace
  open(newunit=u, file='rays.dir', access='direct', form='unformatted', recl=reclen, status='replace')

  slot = 1
  step = 389
  do r = 1, receivers
    slot = 1 + mod(slot - 1 + step, receivers)
    do k = 1, samples
      p = (0.02_real64 + 0.1_real64*k/samples)*(1.0_real64 + 1.0e-4_real64*slot)
      call shoot(p, x, t)
      trace(k) = t - p*x
    end do
    write(u, rec=slot) slot, trace
  end do

  total = 0.0_real64
  do r = receivers, 1, -7
    read(u, rec=r) slot, trace
    total = total + sum(trace)
  end do
  close(u)
  print '(a,es18.10)', 'sum of delays ', total

contains

  subroutine shoot(p, x, t)
    real(real64), intent(in) :: p
    real(real64), intent(out) :: x, t
    real(real64) :: c
    integer :: i, pass
    x = 0.0_real64
    t = 0.0_real64
    do pass = 1, 8
      do i = 1, layers
        sine = min(0.999_real64, p*v(i)*(1.0_real64 + 1.0e-3_real64*pass))
        c = sqrt(1.0_real64 - sine*sine)
        x = x + thick*sine/c
        t = t + thick/(v(i)*c)
      end do
    end do
  end subroutine shoot

end program ray_records
