! Explicit diffusion with a reaction term; a monitor line every few steps.
program diffuse
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer :: n, nstep, step, mon, prof, i, j
  real(dp), allocatable :: c(:, :), cn(:, :)
  real(dp) :: d, rate, total, peak
  character(len=32) :: arg, name

  n = 400
  nstep = 1500
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nstep
  end if
  allocate (c(n, n), cn(n, n))
  d = 0.2_dp
  rate = 1.0e-4_dp
  do j = 1, n
    do i = 1, n
      c(i, j) = exp(-0.002_dp * ((i - n / 2)**2 + (j - n / 2)**2))
    end do
  end do
  cn = c

  open (newunit=mon, file='monitor.txt', status='replace', action='write')
  write (mon, '(a)') '#  step            total             peak'
  do step = 1, nstep
    call advance(c, cn)
    c = cn
    if (mod(step, 5) == 0) then
      total = sum(c)
      peak = maxval(c)
      write (mon, '(i7,2es17.8)') step, total, peak
      flush (mon)
    end if
    if (mod(step, 250) == 0) then
      write (name, '(a,i5.5,a)') 'profile_', step, '.txt'
      open (newunit=prof, file=name, status='replace', action='write')
      do i = 1, n
        write (prof, '(i6,es17.8)') i, c(i, n / 2)
      end do
      close (prof)
    end if
  end do
  close (mon)
  print '(a,es18.10)', 'final mass ', sum(c)

contains

  subroutine advance(f, fn)
    real(dp), intent(in)    :: f(:, :)
    real(dp), intent(inout) :: fn(:, :)
    integer :: ii, jj
    do jj = 2, n - 1
      do ii = 2, n - 1
        fn(ii, jj) = f(ii, jj) + d * (f(ii - 1, jj) + f(ii + 1, jj) + f(ii, jj - 1) &
                     + f(ii, jj + 1) - 4.0_dp * f(ii, jj)) &
                     + rate * f(ii, jj) * (1.0_dp - f(ii, jj)) / (1.0_dp + f(ii, jj)**2)
      end do
    end do
  end subroutine advance

end program diffuse
