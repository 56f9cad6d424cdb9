! Phase separation of an alloy (Cahn-Hilliard).  A coarse map and a table of
! the composition histogram are written as text for every stage.
module alloy
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: n = 128
  real(dp) :: c(n, n), mu(n, n)
contains
  subroutine start
    integer :: i, j
    integer(8) :: s
    s = 4711_8
    do j = 1, n
      do i = 1, n
        s = mod(s*16807_8, 2147483647_8)
        c(i, j) = 0.1_dp*(real(s, dp)/2147483647.0_dp - 0.5_dp)
      end do
    end do
  end subroutine

  real(dp) function lap(f, i, j)
    real(dp), intent(in) :: f(n, n)
    integer, intent(in) :: i, j
    integer :: e, w, no, so
    e = merge(1, i + 1, i == n)
    w = merge(n, i - 1, i == 1)
    no = merge(1, j + 1, j == n)
    so = merge(n, j - 1, j == 1)
    lap = f(e, j) + f(w, j) + f(i, no) + f(i, so) - 4.0_dp*f(i, j)
  end function

  subroutine advance(dt)
    real(dp), intent(in) :: dt
    integer :: i, j
    do j = 1, n
      do i = 1, n
        mu(i, j) = c(i, j)**3 - c(i, j) - 0.6_dp*lap(c, i, j)
      end do
    end do
    do j = 1, n
      do i = 1, n
        c(i, j) = c(i, j) + dt*lap(mu, i, j)
      end do
    end do
  end subroutine

  subroutine write_stage(k)
    integer, intent(in) :: k
    integer :: lun, i, j, b, hist(20)
    character(32) :: name
    write(name, '(a,i3.3,a)') 'stage_', k, '.txt'
    open(newunit=lun, file=name, status='replace')
    write(lun, '(a,i0)') '# stage ', k
    do j = 1, n, 8
      write(lun, '(16f8.4)') (c(i, j), i=1, n, 8)
    end do
    hist = 0
    do j = 1, n
      do i = 1, n
        b = min(20, max(1, int((c(i, j) + 1.2_dp)/0.12_dp) + 1))
        hist(b) = hist(b) + 1
      end do
    end do
    do b = 1, 20
      write(lun, '(f8.3,i8)') -1.2_dp + 0.12_dp*(b - 0.5_dp), hist(b)
    end do
    close(lun)
  end subroutine
end module

program quench_maps
  use alloy
  implicit none
  integer :: nstep, s
  character(32) :: arg

  nstep = 10000
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read(arg, *) nstep
  end if
  call start
  do s = 1, nstep
    call advance(0.02_dp)
    if (mod(s, 500) == 0) call write_stage(s/500)
  end do
  print '(a,es16.8,a,f12.8)', 'mean ', sum(c)/n**2, '  variance ', sum(c**2)/n**2
end program
