! Two-dimensional wave equation; the displacement is written as a whole every
! hundred steps, and the restart file at the end.
module wave
  use iso_fortran_env, only: real32, real64
  implicit none
contains

  subroutine leap(u, um, c2)
    real(real64), intent(in) :: u(:, :), c2(:, :)
    real(real64), intent(inout) :: um(:, :)
    integer :: i, j, n
    n = size(u, 1)
    do j = 2, n - 1
      do i = 2, n - 1
        um(i, j) = 2*u(i, j) - um(i, j) + c2(i, j) &
          *(u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1) - 4*u(i, j))
      end do
    end do
  end subroutine leap

  subroutine save_slab(unit, u)
    integer, intent(in) :: unit
    real(real64), intent(in) :: u(:, :)
    write(unit) real(u, real32)
  end subroutine save_slab

end module wave

program wave_slabs
  use wave
  implicit none
  integer :: n, steps, s, i, j, out
  real(real64), allocatable :: u(:, :), um(:, :), c2(:, :), energy
  character(32) :: arg

  n = 500
  steps = 2000
  if (command_argument_count() >= 2) then
    call get_command_argument(1, arg)
    read(arg, *) n
    call get_command_argument(2, arg)
    read(arg, *) steps
  end if
  allocate(u(n, n), um(n, n), c2(n, n))
  do j = 1, n
    do i = 1, n
      u(i, j) = exp(-0.01_real64*((i - n/2)**2 + (j - n/3)**2))
      c2(i, j) = merge(0.2_real64, 0.4_real64, i > 2*n/3)
    end do
  end do
  um = u

  open(newunit=out, file='slabs.f32', access='stream', form='unformatted', status='replace')
  do s = 1, steps, 2
    call leap(u, um, c2)
    call leap(um, u, c2)
    if (mod(s, 200) == 1) call save_slab(out, u)
  end do
  close(out)

  open(newunit=out, file='restart.bin', access='stream', form='unformatted', status='replace')
  write(out) steps, n
  write(out) u
  write(out) um
  close(out)
  energy = sum(u*u)
  print '(a,es16.8)', 'squared displacement ', energy
end program wave_slabs
