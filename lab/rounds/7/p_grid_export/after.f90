! Advects a tracer on a periodic grid and exports the field for the analysis.
module advection
  use iso_fortran_env, only: real64
  implicit none
contains

  subroutine set_blob(c)
    real(real64), intent(out) :: c(:, :)
    integer :: i, j, n, m
    n = size(c, 1)
    m = size(c, 2)
    do j = 1, m
       do i = 1, n
          c(i, j) = exp(-((i - 0.3_real64 * n) / (0.1_real64 * n))**2 &
               - ((j - 0.5_real64 * m) / (0.1_real64 * m))**2)
       end do
    end do
  end subroutine set_blob

  subroutine upwind(c, cx, cy)
    real(real64), intent(inout) :: c(:, :)
    real(real64), intent(in) :: cx, cy
    real(real64), allocatable :: old(:, :)
    integer :: i, j, iw, js
    old = c
    do j = 1, size(c, 2)
       js = merge(size(c, 2), j - 1, j == 1)
       do i = 1, size(c, 1)
          iw = merge(size(c, 1), i - 1, i == 1)
          c(i, j) = old(i, j) - cx * (old(i, j) - old(iw, j)) &
               - cy * (old(i, j) - old(i, js))
       end do
    end do
  end subroutine upwind

  subroutine export_field(c, number)
    real(real64), intent(in) :: c(:, :)
    integer, intent(in) :: number
    character(32) :: path
    integer :: u
    write(path, '(a,i3.3,a)') 'tracer_', number, '.fld'
    open(newunit=u, file=path, status='replace', action='write', &
         access='stream', form='unformatted')
    write(u) number, size(c, 1), size(c, 2)
    write(u) c
    close(u)
  end subroutine export_field

end module advection

program tracer_run
  use advection
  implicit none
  integer :: nx, nexport, k, s
  real(real64), allocatable :: c(:, :)
  character(32) :: arg

  nx = 400
  nexport = 8
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg)
     read(arg, *) nx
  end if
  if (command_argument_count() >= 2) then
     call get_command_argument(2, arg)
     read(arg, *) nexport
  end if

  allocate(c(nx, nx))
  call set_blob(c)
  do k = 1, nexport
     do s = 1, 10
        call upwind(c, 0.4_real64, 0.2_real64)
     end do
     call export_field(c, k)
     print '(a,i4,a,f18.8,a,f12.8)', 'export ', k, '  mass ', sum(c), &
          '  peak ', maxval(c)
  end do
end program tracer_run
