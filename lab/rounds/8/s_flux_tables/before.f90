! Two-group neutron diffusion in a slab reactor with time-dependent rods.
! The fluxes of all steps are kept for a later detector simulation.
module slab
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  type :: medium
    real(dp), allocatable :: d1(:), d2(:), sa1(:), sa2(:), s12(:), nf1(:), nf2(:)
  end type medium
contains

  subroutine make_medium(m, n)
    type(medium), intent(out) :: m
    integer, intent(in) :: n
    integer :: i
    allocate(m%d1(n), m%d2(n), m%sa1(n), m%sa2(n), m%s12(n), m%nf1(n), m%nf2(n))
    do i = 1, n
      m%d1(i) = 1.4_dp
      m%d2(i) = 0.37_dp
      m%sa1(i) = 0.0095_dp
      m%sa2(i) = 0.080_dp
      m%s12(i) = 0.016_dp
      if (i < n/10 .or. i > n - n/10) then
        m%nf1(i) = 0.0_dp
        m%nf2(i) = 0.0_dp
      else
        m%nf1(i) = 0.0060_dp
        m%nf2(i) = 0.125_dp
      end if
    end do
  end subroutine make_medium

  subroutine set_rods(m, step)
    type(medium), intent(inout) :: m
    integer, intent(in) :: step
    integer :: lo, hi, n
    n = size(m%sa2)
    lo = n/2 - n/20
    hi = n/2 + n/20
    m%sa2(lo:hi) = 0.080_dp + 0.004_dp*sin(0.3_dp*step)
  end subroutine set_rods

  subroutine sweep(d, sig, src, h, phi)
    real(dp), intent(in) :: d(:), sig(:), src(:), h
    real(dp), intent(inout) :: phi(:)
    real(dp) :: c(size(phi)), q(size(phi)), a, b
    integer :: i, n
    n = size(phi)
    c(1) = 0.0_dp
    q(1) = 0.0_dp
    do i = 2, n
      a = d(i)/h**2
      b = 2.0_dp*a + sig(i)
      c(i) = a/(b - a*c(i-1))
      q(i) = (src(i) + a*q(i-1))/(b - a*c(i-1))
    end do
    phi(n) = 0.0_dp
    do i = n - 1, 1, -1
      phi(i) = c(i)*phi(i+1) + q(i)
    end do
  end subroutine sweep
end module slab

module flux_store
  use slab, only: dp
  implicit none
  integer, private :: unit_no
contains
  subroutine store_begin()
    open(newunit=unit_no, file='flux.dat', form='formatted', status='replace')
  end subroutine store_begin

  subroutine store_add(step, keff, phi1, phi2)
    integer, intent(in) :: step
    real(dp), intent(in) :: keff, phi1(:), phi2(:)
    write(unit_no, '(i8,es25.16e3)') step, keff
    write(unit_no, '(6es25.16e3)') phi1
    write(unit_no, '(6es25.16e3)') phi2
  end subroutine store_add

  subroutine store_end()
    close(unit_no)
  end subroutine store_end
end module flux_store

program reactor
  use slab
  use flux_store
  implicit none
  integer :: n, nsteps, step, it
  character(32) :: arg
  type(medium) :: m
  real(dp), allocatable :: phi1(:), phi2(:), src(:)
  real(dp) :: keff, old, new, h
  call get_command_argument(1, arg); read(arg, *) n
  call get_command_argument(2, arg); read(arg, *) nsteps
  allocate(phi1(n), phi2(n), src(n))
  call make_medium(m, n)
  h = 300.0_dp/n
  phi1 = 1.0_dp
  phi2 = 0.3_dp
  keff = 1.0_dp
  call store_begin()
  do step = 1, nsteps
    call set_rods(m, step)
    do it = 1, 12
      src = (m%nf1*phi1 + m%nf2*phi2)/keff
      old = sum(src)*keff
      call sweep(m%d1, m%sa1 + m%s12, src, h, phi1)
      call sweep(m%d2, m%sa2, m%s12*phi1, h, phi2)
      new = sum(m%nf1*phi1 + m%nf2*phi2)
      keff = keff*new/(old/keff)
    end do
    call store_add(step, keff, phi1, phi2)
  end do
  call store_end()
  print '(a,f12.8,a,es16.8)', 'keff ', keff, '  peak ', maxval(phi2)
end program reactor
