! Time stepping of a column model with a look-up table of absorption
! coefficients (pressure x temperature x gas).
module absorption
  use iso_fortran_env, only: real64
  implicit none
  integer, parameter :: np = 128, nt = 128, ng = 32
  character(*), parameter :: table_file = 'absorption.tab'
  real(real64), allocatable :: kappa(:, :, :)
contains

  subroutine make_table()
    integer :: u, p, t, g
    allocate(kappa(np, nt, ng))
    do g = 1, ng
      do t = 1, nt
        do p = 1, np
          kappa(p, t, g) = 1.0e-3_real64*(p + 0.5_real64*t)/(g + 3.0_real64)
        end do
      end do
    end do
    open(newunit=u, file=table_file, form='unformatted', status='replace')
    do g = 1, ng
      write(u) kappa(:, :, g)
    end do
    close(u)
    kappa = 0.0_real64
  end subroutine make_table

  subroutine read_table()
    integer :: u, g
    open(newunit=u, file=table_file, form='unformatted', status='old', action='read')
    do g = 1, ng
      read(u) kappa(:, :, g)
    end do
    close(u)
  end subroutine read_table

  function heating(p, t, gas) result(h)
    integer, intent(in) :: p
    real(real64), intent(in) :: t, gas(ng)
    real(real64) :: h
    integer :: it
    it = max(1, min(nt, int(t/3.0_real64)))
    h = sum(kappa(p, it, :)*gas)
  end function heating

end module absorption

program column
  use absorption
  implicit none
  integer :: steps, s, p
  real(real64) :: temperature(np), gas(ng), rate(np)
  character(32) :: arg

  steps = 300
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read(arg, *) steps
  end if
  call make_table()
  do p = 1, np
    temperature(p) = 200.0_real64 + 0.7_real64*p
  end do
  gas = [(1.0_real64/p, p = 1, ng)]

  call read_table()
  do s = 1, steps
    do p = 1, np
      rate(p) = heating(p, temperature(p), gas) - 2.0e-10_real64*temperature(p)**4
    end do
    temperature = temperature + 0.2_real64*rate
    do p = 2, np - 1
      temperature(p) = temperature(p) + 0.1_real64*(temperature(p - 1) - 2*temperature(p) + temperature(p + 1))
    end do
  end do
  print '(a,f14.8,a,f14.8)', 'ground ', temperature(np), '  top ', temperature(1)
end program column
