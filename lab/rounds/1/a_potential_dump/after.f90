! Gauss-Seidel relaxation of an electrostatic potential on a square plate; the
! potential and the field components are kept for the plotting program.
program potential_dump
  use iso_fortran_env, only: real64
  implicit none
  integer :: n, sweeps, i, j, k
  real(real64), allocatable :: phi(:, :), ex(:, :), ey(:, :)
  real(real64) :: change
  character(32) :: arg

  n = 500
  sweeps = 40
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read(arg, *) n
  end if
  allocate(phi(n, n), ex(n, n), ey(n, n))
  phi = 0.0_real64
  phi(:, 1) = 1.0_real64
  phi(n, :) = -0.5_real64
  ex = 0.0_real64
  ey = 0.0_real64

  do k = 1, sweeps
    change = 0.0_real64
    do j = 2, n - 1
      do i = 2, n - 1
        change = change + abs(relaxed(i, j) - phi(i, j))
        phi(i, j) = relaxed(i, j)
      end do
    end do
  end do
  do j = 2, n - 1
    do i = 2, n - 1
      ex(i, j) = 0.5_real64*(phi(i - 1, j) - phi(i + 1, j))
      ey(i, j) = 0.5_real64*(phi(i, j - 1) - phi(i, j + 1))
    end do
  end do

  call save_map('potential.map', phi)
  call save_map('field_x.map', ex)
  call save_map('field_y.map', ey)
  print '(a,es14.6,a,es14.6)', 'last change ', change, '  centre ', phi(n/2, n/8)

contains

  real(real64) function relaxed(i, j)
    integer, intent(in) :: i, j
    relaxed = 0.25_real64*(phi(i - 1, j) + phi(i + 1, j) + phi(i, j - 1) + phi(i, j + 1))
  end function relaxed

  subroutine save_map(path, field)
    character(*), intent(in) :: path
    real(real64), intent(in) :: field(:, :)
    integer :: u, column
    open(newunit=u, file=path, status='replace', action='write', access='stream', form='unformatted')
    write(u) shape(field)
    do column = 1, size(field, 2)
      write(u) field(:, column)
    end do
    close(u)
  end subroutine save_map

end program potential_dump
