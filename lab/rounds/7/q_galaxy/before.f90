! Small N-body galaxy with a leapfrog integrator and a rolling restart record.
module nbody
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: soft2 = 1.0e-3_dp
contains

  subroutine initialise(x, v, m)
    real(dp), intent(out) :: x(:,:), v(:,:), m(:)
    real(dp) :: r, phi
    integer :: i, n
    n = size(m)
    do i = 1, n
      r = 0.1_dp + 1.9_dp * modulo(0.6180339887_dp * i, 1.0_dp)
      phi = 2.399963_dp * i
      x(1, i) = r * cos(phi)
      x(2, i) = r * sin(phi)
      x(3, i) = 0.05_dp * sin(7.0_dp * phi)
      v(1, i) = -sin(phi) * sqrt(r / (r + 0.5_dp))
      v(2, i) = cos(phi) * sqrt(r / (r + 0.5_dp))
      v(3, i) = 0.0_dp
      m(i) = 1.0_dp / n
    end do
  end subroutine initialise

  subroutine forces(x, m, a)
    real(dp), intent(in) :: x(:,:), m(:)
    real(dp), intent(out) :: a(:,:)
    real(dp) :: d(3), w
    integer :: i, j
    a = 0.0_dp
    do i = 1, size(m)
      do j = 1, i - 1
        d = x(:, j) - x(:, i)
        w = 1.0_dp / sqrt(sum(d * d) + soft2)**3
        a(:, i) = a(:, i) + m(j) * w * d
        a(:, j) = a(:, j) - m(i) * w * d
      end do
    end do
  end subroutine forces

  function kinetic(v, m) result(e)
    real(dp), intent(in) :: v(:,:), m(:)
    real(dp) :: e
    e = 0.5_dp * sum(m * sum(v * v, dim=1))
  end function kinetic
end module nbody

program galaxy
  use nbody
  implicit none
  integer :: n, steps, k, i, log, tab, rst, length
  real(dp), allocatable :: x(:,:), v(:,:), a(:,:), m(:)
  real(dp), parameter :: dt = 1.0e-3_dp
  character(32) :: arg
  logical :: halt
  n = 400
  steps = 500
  call get_command_argument(1, arg)
  if (len_trim(arg) > 0) read(arg, *) n
  call get_command_argument(2, arg)
  if (len_trim(arg) > 0) read(arg, *) steps
  allocate(x(3, n), v(3, n), a(3, n), m(n))
  call initialise(x, v, m)
  call forces(x, m, a)
  open(newunit=log, file='energy.log', status='replace')
  inquire(iolength=length) x, v
  open(newunit=rst, file='restart.rec', access='direct', form='unformatted', recl=length, &
    status='replace')
  do k = 1, steps
    v = v + 0.5_dp * dt * a
    x = x + dt * v
    call forces(x, m, a)
    v = v + 0.5_dp * dt * a
    write(log, '(i8,2es18.9)') k, k * dt, kinetic(v, m)
    flush(log)
    if (modulo(k, 25) == 0) then
      write(rst, rec=1) x, v
      inquire(file='halt.request', exist=halt)
      if (halt) exit
    end if
  end do
  close(rst)
  close(log)
  open(newunit=tab, file='final.txt', status='replace')
  do i = 1, n
    write(tab, '(i6,6f14.8)') i, x(:, i), v(:, i)
  end do
  close(tab)
  print '(a,i0,a,f14.10)', 'steps ', steps, '  kinetic ', kinetic(v, m)
end program galaxy
