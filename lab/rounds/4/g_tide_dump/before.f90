! Linear shallow water model of a rectangular bay, with regular restart dumps.
module bay_state
  use iso_fortran_env, only: real64
  implicit none
  integer, parameter :: nx = 240, ny = 200
  real(real64), parameter :: g = 9.81_real64, depth = 25.0_real64, dx = 500.0_real64
  real(real64) :: eta(nx, ny), u(nx, ny), v(nx, ny)
contains
  subroutine start_state()
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        eta(i, j) = exp(-((i - 80.0_real64)**2 + (j - 90.0_real64)**2) / 300.0_real64)
      end do
    end do
    u = 0
    v = 0
  end subroutine start_state

  subroutine advance(dt)
    real(real64), intent(in) :: dt
    integer :: i, j
    do j = 2, ny - 1
      do i = 2, nx - 1
        u(i, j) = 0.9995_real64 * u(i, j) - dt * g * (eta(i, j) - eta(i - 1, j)) / dx
        v(i, j) = 0.9995_real64 * v(i, j) - dt * g * (eta(i, j) - eta(i, j - 1)) / dx
      end do
    end do
    do j = 2, ny - 1
      do i = 2, nx - 1
        eta(i, j) = eta(i, j) - dt * depth * (u(i + 1, j) - u(i, j) + v(i, j + 1) - v(i, j)) / dx
      end do
    end do
  end subroutine advance

  subroutine dump_state(step)
    integer, intent(in) :: step
    character(len=32) :: name
    integer :: lun
    write (name, '(a,i6.6,a)') 'bay_', step, '.rst'
    open (newunit=lun, file=name, status='replace', action='write')
    write (lun, *) step, nx, ny
    write (lun, *) eta
    write (lun, *) u
    write (lun, *) v
    close (lun)
  end subroutine dump_state

  subroutine load_state(step)
    integer, intent(in) :: step
    character(len=32) :: name
    integer :: lun, kstep, kx, ky
    write (name, '(a,i6.6,a)') 'bay_', step, '.rst'
    open (newunit=lun, file=name, status='old', action='read')
    read (lun, *) kstep, kx, ky
    if (kstep /= step .or. kx /= nx .or. ky /= ny) stop 'restart file does not fit'
    read (lun, *) eta
    read (lun, *) u
    read (lun, *) v
    close (lun)
  end subroutine load_state
end module bay_state

program bay_model
  use bay_state
  implicit none
  integer :: step, nstep, every
  character(len=16) :: arg
  nstep = 400
  every = 50
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nstep
  end if
  call start_state()
  do step = 1, nstep
    call advance(12.0_real64)
    if (mod(step, every) == 0) call dump_state(step)
  end do
  print '(a,es16.8)', 'energy at the end      ', sum(eta**2) * g + sum(u**2 + v**2) * depth
  call load_state(nstep / 2 / every * every)
  print '(a,es16.8)', 'energy at half the time', sum(eta**2) * g + sum(u**2 + v**2) * depth
end program bay_model
