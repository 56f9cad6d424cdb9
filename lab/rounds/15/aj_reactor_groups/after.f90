! reactor_groups: multi-group neutron diffusion in a slab, k-effective by power iteration
!
! The groups are solved from fast to thermal; when all are done, the fission source
! of the next outer iteration is summed from the stored group fluxes.
!
! usage: reactor_groups n_outer
module slab_data
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: ng = 8            ! energy groups
  integer, parameter :: nx = 600          ! mesh cells
  real(dp), parameter :: width = 120.0_dp ! cm
  real(dp) :: dif(ng), sig_r(ng), nusf(ng), chi(ng), sig_s(ng)
contains
  subroutine cross_sections()
    integer :: g
    do g = 1, ng
       dif(g)   = 1.9_dp / (1.0_dp + 0.18_dp * g)
       sig_r(g) = 0.016_dp + 0.006_dp * g
       nusf(g)  = 0.002_dp + 0.0011_dp * g * g
       sig_s(g) = 0.012_dp + 0.004_dp * g
       chi(g)   = merge(0.5_dp / g, 0.0_dp, g <= 3)
    end do
    chi = chi / sum(chi)
  end subroutine cross_sections
end module slab_data

module flux_store
  use slab_data
  implicit none
  real(dp) :: area(nx, ng)
contains
  subroutine put_flux(g, flux, unit)
    integer, intent(in)  :: g
    real(dp), intent(in) :: flux(nx)
    integer, intent(out) :: unit
    unit = g
    area(:, unit) = flux
  end subroutine put_flux

  subroutine get_flux(unit, flux)
    integer, intent(in)   :: unit
    real(dp), intent(out) :: flux(nx)
    flux = area(:, unit)
  end subroutine get_flux
end module flux_store

module diffusion
  use slab_data
  implicit none
contains
  ! tridiagonal solve of -D phi'' + sig_r phi = src, zero flux outside
  subroutine solve_group(g, src, flux)
    integer, intent(in)   :: g
    real(dp), intent(in)  :: src(nx)
    real(dp), intent(out) :: flux(nx)
    real(dp) :: cp(nx), dpr(nx), a, b, m, h
    integer :: i
    h = width / nx
    a = -dif(g) / h**2
    b = 2.0_dp * dif(g) / h**2 + sig_r(g)
    cp(1) = a / b
    dpr(1) = src(1) / b
    do i = 2, nx
       m = b - a * cp(i - 1)
       cp(i) = a / m
       dpr(i) = (src(i) - a * dpr(i - 1)) / m
    end do
    flux(nx) = dpr(nx)
    do i = nx - 1, 1, -1
       flux(i) = dpr(i) - cp(i) * flux(i + 1)
    end do
  end subroutine solve_group
end module diffusion

program reactor_groups
  use slab_data
  use flux_store
  use diffusion
  implicit none
  real(dp) :: flux(nx), fission(nx), down(nx), src(nx), keff, total, old
  integer :: n_outer, outer, g, units(ng)
  character(len=16) :: arg

  n_outer = 1000
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg)
     read (arg, *) n_outer
  end if

  call cross_sections()
  keff = 1.0_dp
  fission = 1.0_dp
  old = sum(fission)
  do outer = 1, n_outer
     down = 0.0_dp
     do g = 1, ng
        src = chi(g) * fission / keff + down
        call solve_group(g, src, flux)
        call put_flux(g, flux, units(g))
        down = sig_s(g) * flux            ! slowing down into the next group
     end do
     fission = 0.0_dp
     do g = 1, ng
        call get_flux(units(g), flux)
        fission = fission + nusf(g) * flux
     end do
     total = sum(fission)
     keff = keff * total / old
     old = total
  end do
  write (*, '(a,i6,a,f12.8)') 'after ', n_outer, ' outer iterations: k-eff = ', keff
  open (newunit=g, file='fission.txt', status='replace')
  write (g, '(f9.3,es16.7)') ((outer - 0.5_dp) * width / nx, fission(outer) / total, outer=1, nx)
  close (g)
end program reactor_groups
