! Linear shallow water waves in a closed bay; water level at some tide gauges
! every 250 steps to a text file, full field at the end.
!   usage: shallow_gauges N NSTEPS
program shallow_gauges
  implicit none
  integer, parameter :: dp = kind(1d0), ngauge = 12
  integer :: n, nsteps, s
  integer :: gi(ngauge), gj(ngauge)
  real(dp), allocatable :: h(:,:), u(:,:), v(:,:), depth(:,:)
  real(dp), parameter :: g = 9.81d0, dx = 500d0, dt = 4d0
  character(len=32) :: arg

  call get_command_argument(1, arg); read (arg, *) n
  call get_command_argument(2, arg); read (arg, *) nsteps
  allocate (h(n, n), u(0:n, n), v(n, 0:n), depth(n, n))
  call setup()
  call new_series('gauges.txt')

  do s = 1, nsteps
    call momentum()
    call continuity()
    if (mod(s, 250) == 0) call append_series('gauges.txt', s * dt)
  end do
  call save_field('level.bin')
  print '(a,i0,a,es18.10,a,es18.10)', 'steps ', nsteps, '  volume ', sum(h), '  energy ', sum(g * h**2) / n**2

contains

  subroutine setup()
    integer :: i, j, k
    do j = 1, n
      do i = 1, n
        depth(i, j) = 20d0 + 60d0 * dble(i) / n + 5d0 * sin(12d0 * j / n)
        h(i, j) = exp(-60d0 * ((dble(i) / n - 0.7d0)**2 + (dble(j) / n - 0.4d0)**2))
      end do
    end do
    u = 0d0
    v = 0d0
    do k = 1, ngauge
      gi(k) = max(1, n / 20)
      gj(k) = 1 + (n - 2) * k / (ngauge + 1)
    end do
  end subroutine

  subroutine momentum()
    integer :: i, j
    do j = 1, n
      do i = 1, n - 1
        u(i, j) = u(i, j) - dt * g * (h(i + 1, j) - h(i, j)) / dx
      end do
    end do
    do j = 1, n - 1
      do i = 1, n
        v(i, j) = v(i, j) - dt * g * (h(i, j + 1) - h(i, j)) / dx
      end do
    end do
  end subroutine

  subroutine continuity()
    integer :: i, j
    do j = 1, n
      do i = 1, n
        h(i, j) = h(i, j) - dt * depth(i, j) * (u(i, j) - u(i - 1, j) + v(i, j) - v(i, j - 1)) / dx
      end do
    end do
  end subroutine

  subroutine new_series(name)
    character(len=*), intent(in) :: name
    integer :: unit, k
    open (newunit=unit, file=name, status='replace', action='write')
    write (unit, '(a,12(1x,i0,",",i0))') '# seconds', (gi(k), gj(k), k=1, ngauge)
    close (unit)
  end subroutine

  subroutine append_series(name, t)
    character(len=*), intent(in) :: name
    real(dp), intent(in) :: t
    integer :: unit, k
    open (newunit=unit, file=name, position='append', status='old', action='write')
    write (unit, '(f12.1,12(1x,f10.6))') t, (h(gi(k), gj(k)), k=1, ngauge)
    close (unit)
  end subroutine

  subroutine save_field(name)
    character(len=*), intent(in) :: name
    integer :: unit
    open (newunit=unit, file=name, access='stream', form='unformatted', status='replace')
    write (unit) h
    close (unit)
  end subroutine
end program
