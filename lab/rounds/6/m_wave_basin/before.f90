! Linear shallow water waves in a closed basin; the surface elevation and the
! two velocity components are stored every few steps for the plotting scripts.
module basin
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nx = 240, ny = 200
  real(dp), parameter :: g = 9.81_dp, depth = 20.0_dp, dx = 50.0_dp, dt = 1.0_dp
  real(dp) :: eta(nx, ny), u(0:nx, ny), v(nx, 0:ny)
contains

  subroutine initial_state()
    integer :: i, j
    u = 0.0_dp
    v = 0.0_dp
    do j = 1, ny
      do i = 1, nx
        eta(i, j) = exp(-((i - 80)**2 + (j - 60)**2) / 150.0_dp)
      end do
    end do
  end subroutine initial_state

  subroutine advance()
    integer :: i, j
    do j = 1, ny
      do i = 1, nx - 1
        u(i, j) = u(i, j) - dt * g * (eta(i + 1, j) - eta(i, j)) / dx
      end do
    end do
    do j = 1, ny - 1
      do i = 1, nx
        v(i, j) = v(i, j) - dt * g * (eta(i, j + 1) - eta(i, j)) / dx
      end do
    end do
    do j = 1, ny
      do i = 1, nx
        eta(i, j) = eta(i, j) - dt * depth * (u(i, j) - u(i - 1, j) &
                    + v(i, j) - v(i, j - 1)) / dx
      end do
    end do
  end subroutine advance

  subroutine open_output(lun)
    integer, intent(out) :: lun
    open(newunit=lun, file='waves.out', status='replace', action='write', form='formatted')
  end subroutine open_output

  subroutine store_fields(lun, step)
    integer, intent(in) :: lun, step
    integer :: j
    write(lun, '(i8,2i6)') step, nx, ny
    do j = 1, ny
      write(lun, '(*(es15.7))') eta(:, j)
    end do
    do j = 1, ny
      write(lun, '(*(es15.7))') u(1:nx, j)
    end do
    do j = 1, ny
      write(lun, '(*(es15.7))') v(:, j)
    end do
  end subroutine store_fields

  real(dp) function total_energy()
    total_energy = 0.5_dp * sum(g * eta**2) + 0.5_dp * depth * (sum(u**2) + sum(v**2))
  end function total_energy

end module basin

program waves
  use basin
  implicit none
  integer :: nsteps, step, lun
  character(len=32) :: arg

  nsteps = 400
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read(arg, *) nsteps
  end if
  call initial_state()
  call open_output(lun)
  do step = 1, nsteps
    call advance()
    if (mod(step, 20) == 0) call store_fields(lun, step)
  end do
  close(lun)
  print '(a,i6,a,es16.8)', 'steps ', nsteps, '  energy ', total_energy()
end program waves
