! Two-dimensional diffusion of a dye patch with the alternating direction implicit scheme
! (Peaceman-Rachford).  The second half step needs the field turned by 90 degrees.
!
! usage: adi n nsteps
program adi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: diffusivity = 0.05_dp, length = 1.0_dp, dt = 2.0e-5_dp
  real(dp), allocatable :: field(:,:), turned(:,:)
  real(dp) :: h, lambda, total
  integer :: n, nsteps, step, u
  character(len=32) :: arg

  n = 48
  nsteps = 5000
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg); read (arg, *) n
  end if
  if (command_argument_count() >= 2) then
     call get_command_argument(2, arg); read (arg, *) nsteps
  end if
  allocate (field(n, n), turned(n, n))
  h = length / (n - 1)
  lambda = diffusivity * dt / (2.0_dp * h * h)
  call dye_patch(field)

  do step = 1, nsteps
     call half_step(field, lambda)
     call turn(field, turned)
     call half_step(turned, lambda)
     call turn(turned, field)
     call source(field, step)
  end do

  total = sum(field) * h * h
  open (newunit=u, file='dye.bin', form='unformatted', access='stream', status='replace')
  write (u) n, nsteps, field
  close (u)
  print '(a,es16.8,a,es16.8)', ' dye in the basin ', total, '  peak ', maxval(field)

contains

  subroutine dye_patch(f)
    real(dp), intent(out) :: f(:,:)
    integer :: i, j
    real(dp) :: x, y
    do j = 1, n
       do i = 1, n
          x = (i - 1) * h - 0.35_dp
          y = (j - 1) * h - 0.6_dp
          f(i, j) = exp(-(x * x + y * y) / 0.01_dp)
       end do
    end do
  end subroutine dye_patch

  subroutine source(f, step)
    real(dp), intent(inout) :: f(:,:)
    integer, intent(in) :: step
    f(n / 2, n / 3) = f(n / 2, n / 3) + dt * (1.0_dp + sin(0.01_dp * step))
  end subroutine source

  ! implicit along the first index, explicit along the second; no-flux walls
  subroutine half_step(f, lam)
    real(dp), intent(inout) :: f(:,:)
    real(dp), intent(in) :: lam
    real(dp) :: rhs(n, n), cp(n), den, left, right
    integer :: i, j
    do j = 1, n
       do i = 1, n
          left = f(i, max(j - 1, 1))
          right = f(i, min(j + 1, n))
          rhs(i, j) = f(i, j) + lam * (left - 2.0_dp * f(i, j) + right)
       end do
    end do
    cp(1) = -lam / (1.0_dp + lam)
    do i = 2, n
       den = merge(1.0_dp + lam, 1.0_dp + 2.0_dp * lam, i == n) + lam * cp(i - 1)
       cp(i) = -lam / den
    end do
    do j = 1, n
       f(1, j) = rhs(1, j) / (1.0_dp + lam)
       do i = 2, n
          den = merge(1.0_dp + lam, 1.0_dp + 2.0_dp * lam, i == n) + lam * cp(i - 1)
          f(i, j) = (rhs(i, j) + lam * f(i - 1, j)) / den
       end do
       do i = n - 1, 1, -1
          f(i, j) = f(i, j) - cp(i) * f(i + 1, j)
       end do
    end do
  end subroutine half_step

  ! b is a turned: rows become columns
  subroutine turn(a, b)
    real(dp), intent(in) :: a(:,:)
    real(dp), intent(out) :: b(:,:)
    integer :: j
    do j = 1, n
       b(j, :) = a(:, j)
    end do
  end subroutine turn

end program adi
