! Box chemistry in the columns of a regional model.  The profile of each
! column is stored for the deposition step.
module chem
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: nlev = 24, nspec = 5
contains
  subroutine init_column(ix, iy, c)
    integer, intent(in) :: ix, iy
    real(dp), intent(out) :: c(nspec, nlev)
    integer :: k
    do k = 1, nlev
      c(1, k) = 40.0_dp + 0.5_dp*k + 0.1_dp*mod(ix*7 + iy*3, 11)
      c(2, k) = 5.0_dp*exp(-0.15_dp*k)
      c(3, k) = 1.0_dp*exp(-0.10_dp*k) + 0.01_dp*mod(ix, 5)
      c(4, k) = 0.1_dp
      c(5, k) = 120.0_dp - k
    end do
  end subroutine

  subroutine react(c, dt, nstep)
    real(dp), intent(inout) :: c(nspec, nlev)
    real(dp), intent(in) :: dt
    integer, intent(in) :: nstep
    real(dp) :: jno2, k1, r1, r2, r3
    integer :: s, k
    do s = 1, nstep
      do k = 1, nlev
        jno2 = 8.d-3*(1.0_dp + 0.01_dp*k)
        k1 = 4.4d-4
        r1 = jno2*c(3, k)
        r2 = k1*c(2, k)*c(1, k)
        r3 = 2.d-6*c(4, k)*c(5, k)
        c(1, k) = c(1, k) + dt*(r1 - r2)
        c(2, k) = c(2, k) + dt*(r1 - r2 - r3)
        c(3, k) = c(3, k) + dt*(r2 - r1 + r3)
        c(4, k) = c(4, k) + dt*(1.d-3 - r3 - 1.d-2*c(4, k))
        c(5, k) = c(5, k) - dt*r3
      end do
    end do
  end subroutine
end module

program column_chem
  use chem
  implicit none
  integer :: nx, ny, ix, iy, u
  real(dp) :: c(nspec, nlev), burden(nspec)
  character(64) :: name
  character(32) :: arg

  nx = 100
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read(arg, *) nx
  end if
  ny = nx
  call execute_command_line('mkdir -p columns')
  burden = 0.0_dp
  do iy = 1, ny
    do ix = 1, nx
      call init_column(ix, iy, c)
      call react(c, 1.0_dp, 40)
      write(name, '(a,i4.4,a,i4.4,a)') 'columns/x', ix, '_y', iy, '.col'
      open(newunit=u, file=name, form='unformatted', access='stream', status='replace')
      write(u) ix, iy, c
      close(u)
      burden = burden + sum(c, 2)
    end do
  end do
  print '(a,5es14.6)', 'burden ', burden/(nx*ny)
end program
