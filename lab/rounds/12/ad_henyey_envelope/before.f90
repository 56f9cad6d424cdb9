! Cooling of a white-dwarf envelope: implicit diffusion of heat through the
! degenerate core boundary, in mass shells. Each time step is solved by Henyey's
! forward elimination; the elimination coefficients are kept on a work unit
! for the backward sweep, as in the original code of 1978.
module work_unit
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: iw = -1
contains
  subroutine work_begin()
    open(newunit=iw, file='henyey.wrk', form='unformatted', access='stream', &
         status='replace', action='readwrite')
  end subroutine work_begin

  subroutine work_put(a)
    real(dp), intent(in) :: a(:,:)
    write(iw) a
  end subroutine work_put

  subroutine work_get(a)
    real(dp), intent(out) :: a(:,:)
    read(iw, pos=1) a
  end subroutine work_get

  subroutine work_end()
    close(iw, status='delete')
  end subroutine work_end
end module work_unit

program envelope
  use work_unit
  implicit none
  integer, parameter :: n = 160
  real(dp), parameter :: lsun_yr = 3.2d0, tcore0 = 3.0d7
  real(dp) :: t(n), told(n), k(n), cv(n), dm(n), age, dt, lum
  integer :: nstep, s, i
  character(32) :: arg
  nstep = 12000
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg); read(arg, *) nstep
  end if
  do i = 1, n
    dm(i) = 0.6d0*exp(-12d0*real(i - 1, dp)/n)
    t(i) = tcore0*(1 - 0.9d0*(real(i - 1, dp)/(n - 1))**2)
  end do
  age = 0
  dt = 2d3
  open(20, file='cooling.txt', status='replace')
  do s = 1, nstep
    told = t
    call matter(t, k, cv)
    call henyey_step(t, told, k, cv, dm, dt, lum)
    age = age + dt
    dt = min(dt*1.0008d0, 5d6)
    if (mod(s, 200) == 0) write(20, '(es12.4,3es14.6)') age, t(1), t(n), lum
  end do
  close(20)
  print '(a,es11.4,a,es12.5,a,es12.5)', 'age ', age, ' yr, core ', t(1), ' K, surface flux ', lum
contains
  ! conductive opacity and heat capacity with a simple Coulomb correction
  subroutine matter(t, k, cv)
    real(dp), intent(in) :: t(:)
    real(dp), intent(out) :: k(:), cv(:)
    real(dp) :: gam, rho
    integer :: i
    do i = 1, n
      rho = 1d6*exp(-9d0*real(i - 1, dp)/n)
      gam = 35.7d0*(rho/1d6)**(1d0/3)*(1d7/t(i))
      cv(i) = 1.5d0 + 1.5d0*gam/(gam + 10d0) + 0.3d0*exp(-((gam - 175d0)/20d0)**2)
      k(i) = 1d-3*(t(i)/1d7)/(1d0 + 0.1d0*log(1d0 + gam))*(rho/1d6)**0.33d0
    end do
  end subroutine matter

  subroutine henyey_step(t, told, k, cv, dm, dt, lum)
    real(dp), intent(inout) :: t(:)
    real(dp), intent(in) :: told(:), k(:), cv(:), dm(:), dt
    real(dp), intent(out) :: lum
    real(dp) :: a, b, c, r, w(2, n), kl, kr, den
    integer :: i
    w = 0
    do i = 1, n
      kl = 0; kr = 0
      if (i > 1) kl = 2*k(i)*k(i-1)/(k(i) + k(i-1))*1d-4
      if (i < n) kr = 2*k(i)*k(i+1)/(k(i) + k(i+1))*1d-4
      a = -dt*kl/(cv(i)*dm(i))*1d-3
      c = -dt*kr/(cv(i)*dm(i))*1d-3
      b = 1 - a - c
      r = told(i)
      if (i == n) r = r/(1 + 1d-9*dt*(told(n)/3d6)**2.5d0)
      if (i == 1) then
        w(:, 1) = [c/b, r/b]
      else
        den = b - a*w(1, i-1)
        w(:, i) = [c/den, (r - a*w(2, i-1))/den]
      end if
    end do
    call work_begin()
    call work_put(w)
    call back_substitute(t)
    call work_end()
    lum = k(n)*(t(n)/1d6)**3.5d0*lsun_yr
  end subroutine henyey_step

  subroutine back_substitute(t)
    real(dp), intent(inout) :: t(:)
    real(dp) :: w(2, n)
    integer :: i
    call work_get(w)
    t(n) = w(2, n)
    do i = n - 1, 1, -1
      t(i) = w(2, i) - w(1, i)*t(i+1)
    end do
  end subroutine back_substitute
end program envelope
