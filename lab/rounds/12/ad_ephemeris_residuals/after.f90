! Residuals of asteroid astrometry against a Chebyshev ephemeris kernel.
! The observations come from plate archives of several observatories and are
! processed in catalogue order (by designation), each with light-time
! iteration for the perturbing bodies.
module kernel
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer, parameter :: nbody = 9, ncf = 13, nd = 2 + nbody*3*ncf
  real(dp), parameter :: granule = 8d0
  integer :: unit_eph = -1, nrec = 0, current = -1
  real(dp) :: coef(nd)
  real(dp), allocatable :: all_coef(:,:)
contains
  subroutine kernel_open(path)
    character(*), intent(in) :: path
    integer :: bytes
    inquire(file=path, size=bytes)
    nrec = bytes / (nd*8)
    open(newunit=unit_eph, file=path, access='stream', form='unformatted', &
         status='old', action='read')
    allocate(all_coef(nd, nrec))
    read(unit_eph) all_coef
    close(unit_eph)
  end subroutine kernel_open

  ! make the granule which covers day t the current one
  subroutine kernel_seek(t)
    real(dp), intent(in) :: t
    integer :: r
    r = int(t/granule) + 1
    if (r == current) return
    if (r < 1 .or. r > nrec) stop 'epoch outside of kernel'
    coef = all_coef(:, r)
    current = r
  end subroutine kernel_seek

  ! barycentric position of a body at day t (Clenshaw sum)
  function position_of(body, t) result(p)
    integer, intent(in) :: body
    real(dp), intent(in) :: t
    real(dp) :: p(3), x, b0, b1, b2
    integer :: c, k, o
    call kernel_seek(t)
    x = 2*(t - coef(1))/granule - 1
    do c = 1, 3
      o = 2 + ((body - 1)*3 + c - 1)*ncf
      b1 = 0; b2 = 0
      do k = ncf, 2, -1
        b0 = 2*x*b1 - b2 + coef(o + k)
        b2 = b1; b1 = b0
      end do
      p(c) = x*b1 - b2 + coef(o + 1)
    end do
  end function position_of
end module kernel

program residuals
  use kernel
  implicit none
  real(dp), parameter :: clight = 173.14463d0, arcsec = 206264.806d0
  integer, parameter :: earth = 3
  integer :: nobs, i, b, it
  integer(8) :: state
  real(dp) :: t, obs(2), ast(3), pe(3), pb(3), d(3), r, tau, pull(3), ra, de
  real(dp) :: rms(2), worst
  character(32) :: arg
  nobs = 40000
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg); read(arg, *) nobs
  end if
  call kernel_open('kernel.eph')
  state = 20041117_8
  rms = 0; worst = 0
  do i = 1, nobs
    t = 100 + uniform()*(nrec*granule - 200)
    pe = position_of(earth, t)
    call asteroid(t, ast)
    ! indirect effect of the perturbers, at the retarded time
    pull = 0
    do b = 1, nbody
      if (b == earth) cycle
      tau = 0
      do it = 1, 3
        pb = position_of(b, max(t - tau, floor(t/granule)*granule))
        d = pb - ast
        r = sqrt(sum(d*d))
        tau = r/clight
      end do
      pull = pull + 1d-7*b*d/(r*r*r + 1d-3)
    end do
    d = ast + pull - pe
    ra = atan2(d(2), d(1))
    de = asin(d(3)/sqrt(sum(d*d)))
    obs = [ra + (uniform() - 0.5d0)*1d-6, de + (uniform() - 0.5d0)*1d-6]
    rms = rms + ((obs - [ra, de])*arcsec)**2
    worst = max(worst, maxval(abs(pull)))
  end do
  rms = sqrt(rms/nobs)
  open(10, file='residuals.txt', status='replace')
  write(10, '(a,i8,a,2f10.6,a,es13.5)') 'obs', nobs, '  rms', rms, '  max pull', worst
  close(10)
  print '(a,i8,a,2f10.6)', 'observations', nobs, '  rms (arcsec)', rms
contains
  function uniform() result(u)
    real(dp) :: u
    state = mod(state*16807_8, 2147483647_8)
    u = real(state, dp)/2147483647d0
  end function uniform

  subroutine asteroid(t, p)
    real(dp), intent(in) :: t
    real(dp), intent(out) :: p(3)
    real(dp) :: m, e, ecc
    integer :: k
    ecc = 0.17d0
    m = mod(0.0037d0*t, 6.283185307179586d0)
    e = m
    do k = 1, 6
      e = e - (e - ecc*sin(e) - m)/(1 - ecc*cos(e))
    end do
    p = [2.7d0*(cos(e) - ecc), 2.66d0*sin(e), 0.2d0*sin(e + 1)]
  end subroutine asteroid
end program residuals
