! Explicit heat conduction in a block with OpenMP; probes are appended to their
! text file every few steps so that the run can be followed.
program heat_append
  use iso_fortran_env, only: real64
  implicit none
  integer :: n, steps, s, i, j, k
  real(real64), allocatable :: a(:, :, :), b(:, :, :)
  character(32) :: arg

  n = 96
  steps = 600
  if (command_argument_count() >= 2) then
    call get_command_argument(1, arg)
    read(arg, *) n
    call get_command_argument(2, arg)
    read(arg, *) steps
  end if
  allocate(a(n, n, n), b(n, n, n))
  a = 20.0_real64
  a(n/3:n/2, n/3:n/2, n/3:n/2) = 400.0_real64
  b = a
  call probes_start('probes.txt')

  do s = 1, steps
    !$omp parallel do private(i, j)
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          b(i, j, k) = a(i, j, k) + 0.12_real64*(a(i-1, j, k) + a(i+1, j, k) &
            + a(i, j-1, k) + a(i, j+1, k) + a(i, j, k-1) + a(i, j, k+1) - 6*a(i, j, k))
        end do
      end do
    end do
    !$omp parallel do
    do k = 2, n - 1
      a(2:n-1, 2:n-1, k) = b(2:n-1, 2:n-1, k)
    end do
    if (mod(s, 5) == 0) call probes_append('probes.txt', s)
  end do
  print '(a,f12.6)', 'centre ', a(n/2, n/2, n/2)

contains

  subroutine probes_start(path)
    character(*), intent(in) :: path
    integer :: u
    open(newunit=u, file=path, status='replace')
    write(u, '(a)') '#   step     centre       edge     corner'
    close(u)
  end subroutine probes_start

  subroutine probes_append(path, step)
    character(*), intent(in) :: path
    integer, intent(in) :: step
    integer :: u
    open(newunit=u, file=path, status='old', position='append')
    write(u, '(i8,3f11.5)') step, a(n/2, n/2, n/2), a(2, n/2, n/2), a(2, 2, 2)
    flush(u)
    close(u)
  end subroutine probes_append

end program heat_append
