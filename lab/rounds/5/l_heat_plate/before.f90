! Heat conduction in a plate with a moving source, restart file and stop file.
program heat_plate
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: n = 160
  real(dp), parameter :: alpha = 0.2_dp
  real(dp) :: t(0:n + 1, 0:n + 1), tnew(0:n + 1, 0:n + 1)
  real(dp) :: sx, sy, change
  integer :: nsteps, step, i, j, lun
  logical :: stop_asked
  character(len=32) :: arg

  nsteps = 90000
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nsteps
  end if

  t = 293.0_dp
  tnew = t
  open (newunit=lun, file='probe.txt', status='replace', action='write')
  write (lun, '(a)') '# step  centre  corner  change'

  do step = 1, nsteps
    sx = 0.5_dp * n * (1.0_dp + 0.6_dp * cos(0.002_dp * step))
    sy = 0.5_dp * n * (1.0_dp + 0.6_dp * sin(0.002_dp * step))
    change = 0.0_dp
    do j = 1, n
      do i = 1, n
        tnew(i, j) = t(i, j) + alpha * (t(i - 1, j) + t(i + 1, j) &
                     + t(i, j - 1) + t(i, j + 1) - 4.0_dp * t(i, j))
        change = max(change, abs(tnew(i, j) - t(i, j)))
      end do
    end do
    call heat_spot(tnew, nint(sx), nint(sy))
    call insulate(tnew)
    t = tnew

    if (mod(step, 100) == 0) then
      inquire (file='STOP', exist=stop_asked)
      if (stop_asked) exit
    end if
    if (mod(step, 1000) == 0) then
      write (lun, '(i8,3f14.6)') step, t(n / 2, n / 2), t(2, 2), change
      flush (lun)
    end if
    if (mod(step, 5000) == 0) call save_restart(step, t)
  end do

  close (lun)
  print '(a,f14.8,a,f14.8)', 'mean ', sum(t(1:n, 1:n)) / (n * n), '  max ', maxval(t)

contains

  subroutine heat_spot(field, ic, jc)
    real(dp), intent(inout) :: field(0:, 0:)
    integer, intent(in) :: ic, jc
    integer :: ii, jj
    do jj = max(1, jc - 3), min(n, jc + 3)
      do ii = max(1, ic - 3), min(n, ic + 3)
        field(ii, jj) = field(ii, jj) + 0.5_dp * exp(-0.3_dp * ((ii - ic)**2 + (jj - jc)**2))
      end do
    end do
  end subroutine heat_spot

  subroutine insulate(field)
    real(dp), intent(inout) :: field(0:, 0:)
    field(0, :) = field(1, :)
    field(n + 1, :) = field(n, :)
    field(:, 0) = field(:, 1)
    field(:, n + 1) = field(:, n)
  end subroutine insulate

  subroutine save_restart(at_step, field)
    integer, intent(in) :: at_step
    real(dp), intent(in) :: field(0:, 0:)
    integer :: rst
    open (newunit=rst, file='restart.bin', form='unformatted', access='stream', &
          status='replace', action='write')
    write (rst) at_step, n
    write (rst) field
    close (rst)
  end subroutine save_restart

end program heat_plate
