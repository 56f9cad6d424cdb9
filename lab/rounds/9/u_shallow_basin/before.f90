! Linear shallow-water seiche in a closed rotating basin (Arakawa C grid)
module basin
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: g = 9.81_dp, depth = 40.0_dp, f = 1.0d-4, dx = 500.0_dp
contains
  subroutine initial(eta, u, v)
    real(dp), intent(out) :: eta(:,:), u(:,:), v(:,:)
    integer :: i, j, n, m
    n = size(eta, 1); m = size(eta, 2)
    do j = 1, m
      do i = 1, n
        eta(i,j) = 0.8_dp * exp(-((i - 0.3_dp*n)**2 + (j - 0.4_dp*m)**2) / (0.02_dp*n*m)) &
                 + 0.1_dp * sin(6.0_dp*i/n) * cos(9.0_dp*j/m)
      end do
    end do
    u = 0; v = 0
  end subroutine

  subroutine step(eta, u, v, dt)
    real(dp), intent(inout) :: eta(:,:), u(:,:), v(:,:)
    real(dp), intent(in) :: dt
    integer :: i, j, n, m
    real(dp) :: unew, west, south
    n = size(eta, 1); m = size(eta, 2)
    do j = 1, m
      do i = 1, n
        unew = 0
        if (i < n) unew = u(i,j) + dt * (f*v(i,j) - g*(eta(i+1,j) - eta(i,j))/dx)
        if (j < m) v(i,j) = v(i,j) - dt * (f*u(i,j) + g*(eta(i,j+1) - eta(i,j))/dx)
        u(i,j) = unew
      end do
    end do
    do j = 1, m
      do i = 1, n
        west = 0; south = 0
        if (i > 1) west = u(i-1,j)
        if (j > 1) south = v(i,j-1)
        eta(i,j) = eta(i,j) - dt*depth*(u(i,j) - west + v(i,j) - south)/dx
      end do
    end do
  end subroutine

  subroutine save_state(lun, istep, eta, u, v)
    integer, intent(in) :: lun, istep
    real(dp), intent(in) :: eta(:,:), u(:,:), v(:,:)
    write(lun, '(A,I8,2I6)') '# step', istep, shape(eta)
    write(lun, '(8ES16.8)') eta
    write(lun, '(8ES16.8)') u
    write(lun, '(8ES16.8)') v
  end subroutine
end module

program seiche
  use basin
  implicit none
  integer :: n, nsteps, every, k, lun
  character(len=32) :: arg
  real(dp), allocatable :: eta(:,:), u(:,:), v(:,:)

  n = 160; nsteps = 1500; every = 50
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg); read(arg, *) n
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, arg); read(arg, *) nsteps
  end if
  if (command_argument_count() >= 3) then
    call get_command_argument(3, arg); read(arg, *) every
  end if

  allocate(eta(n,n), u(n,n), v(n,n))
  call initial(eta, u, v)
  open(newunit=lun, file='seiche.dat', status='replace', action='write')
  do k = 1, nsteps
    call step(eta, u, v, 10.0_dp)
    if (mod(k, every) == 0) call save_state(lun, k, eta, u, v)
  end do
  close(lun)
  print '(A,3ES18.10)', 'volume, ekin, max level:', sum(eta), sum(u**2 + v**2), maxval(eta)
end program
