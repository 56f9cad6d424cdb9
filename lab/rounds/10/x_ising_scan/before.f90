! Temperature scan of the two dimensional Ising model (checkerboard Metropolis)
! with a table of the observables and a thinned time series as text.
module lattice
  implicit none
  integer, parameter :: l = 96
  integer(8) :: seed = 123456789_8
contains

  real(8) function uniform()
    seed = iand(seed*1103515245_8 + 12345_8, 2147483647_8)
    uniform = real(seed, 8)/2147483648.0d0
  end function uniform

  subroutine sweep(s, boltz)
    integer, intent(inout) :: s(l, l)
    real(8), intent(in) :: boltz(-4:4)
    integer :: i, j, colour, h
    do colour = 0, 1
       do j = 1, l
          do i = 1 + mod(j + colour, 2), l, 2
             h = s(merge(1, i + 1, i == l), j) + s(merge(l, i - 1, i == 1), j) &
               + s(i, merge(1, j + 1, j == l)) + s(i, merge(l, j - 1, j == 1))
             if (uniform() < boltz(h*s(i, j))) s(i, j) = -s(i, j)
          end do
       end do
    end do
  end subroutine sweep

  real(8) function energy(s)
    integer, intent(in) :: s(l, l)
    energy = -real(sum(s*(cshift(s, 1, 1) + cshift(s, 1, 2))), 8)/(l*l)
  end function energy

end module lattice

program ising_scan
  use lattice
  implicit none
  integer, parameter :: ntemp = 20, thin = 5
  integer :: s(l, l), k, n, h, sweeps, table, series
  real(8) :: t, boltz(-4:4), e, m, se, se2, sm, sm2
  character(len=16) :: arg

  sweeps = 560
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg)
     read(arg, *) sweeps
  end if

  open(newunit=table, file='table.txt', status='replace', action='write')
  open(newunit=series, file='series.txt', status='replace', action='write')
  write(table, '(a)') '# T  energy  heat_capacity  magnetisation  susceptibility'
  s = 1
  do k = 1, ntemp
     t = 1.6d0 + 0.07d0*k
     do h = -4, 4
        boltz(h) = min(1.0d0, exp(-2.0d0*h/t))
     end do
     do n = 1, sweeps/4
        call sweep(s, boltz)
     end do
     se = 0; se2 = 0; sm = 0; sm2 = 0
     do n = 1, sweeps
        call sweep(s, boltz)
        e = energy(s)
        m = abs(real(sum(s), 8))/(l*l)
        se = se + e
        se2 = se2 + e*e
        sm = sm + m
        sm2 = sm2 + m*m
        if (mod(n, thin) == 0) write(series, '(i4,i8,2f14.8)') k, n, e, m
     end do
     se = se/sweeps; se2 = se2/sweeps; sm = sm/sweeps; sm2 = sm2/sweeps
     write(table, '(f8.4,4es18.9)') t, se, (se2 - se*se)*l*l/(t*t), sm, (sm2 - sm*sm)*l*l/t
  end do
  close(table)
  close(series)
  write(*, '(a,f12.8)') 'last magnetisation ', sm
end program ising_scan
