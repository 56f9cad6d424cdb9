! Linear wave on a ring; keeps a space-time history for later analysis.
program ring_wave
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer :: ncell, nout, nsub, n, s, lun
  real(dp), allocatable :: h(:), hold(:), hnew(:), history(:, :)
  real(dp) :: courant
  character(len=32) :: arg

  ncell = 2000
  nout = 420
  nsub = 10
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nout
  end if
  allocate (h(ncell), hold(ncell), hnew(ncell), history(ncell, nout))
  courant = 0.5_dp
  call initial_bump(h)
  hold = h

  open (newunit=lun, file='ring_history.bin', access='stream', form='unformatted', &
        status='replace', action='write')
  do n = 1, nout
    do s = 1, nsub
      call leapfrog(hold, h, hnew)
      hold = h
      h = hnew
    end do
    history(:, n) = h
    call save_history(n)
  end do
  close (lun)
  print '(a,es18.10)', 'energy ', sum(h * h) / ncell

contains

  subroutine initial_bump(f)
    real(dp), intent(out) :: f(:)
    integer :: i
    do i = 1, size(f)
      f(i) = exp(-0.001_dp * (i - size(f) / 3)**2)
    end do
  end subroutine initial_bump

  subroutine leapfrog(fold, f, fnew)
    real(dp), intent(in)  :: fold(:), f(:)
    real(dp), intent(out) :: fnew(:)
    integer :: i, m
    m = size(f)
    do i = 2, m - 1
      fnew(i) = 2.0_dp * f(i) - fold(i) + courant**2 * (f(i + 1) - 2.0_dp * f(i) + f(i - 1))
    end do
    fnew(1) = 2.0_dp * f(1) - fold(1) + courant**2 * (f(2) - 2.0_dp * f(1) + f(m))
    fnew(m) = 2.0_dp * f(m) - fold(m) + courant**2 * (f(1) - 2.0_dp * f(m) + f(m - 1))
  end subroutine leapfrog

  subroutine save_history(nrec)
    integer, intent(in) :: nrec
    write (lun, pos=1) nrec, ncell
    write (lun, pos=9_8 + 8_8 * ncell * (nrec - 1)) history(:, nrec)
    flush (lun)
  end subroutine save_history

end program ring_wave
