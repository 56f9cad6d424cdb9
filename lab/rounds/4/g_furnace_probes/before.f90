! Heat flow in a furnace wall. Prints probe temperatures as text, keeps
! profiles in a direct-access file and stops when the operator asks for it.
program furnace
  use iso_fortran_env, only: real64
  implicit none
  integer, parameter :: nx = 400, ny = 300, nprobe = 6
  real(real64) :: t(nx, ny), tn(nx, ny), kappa(nx, ny), change
  integer :: step, nstep, i, j, probe_lun, profile_lun, reclen, row
  integer, parameter :: px(nprobe) = [20, 80, 140, 200, 300, 380]
  logical :: stop_wanted
  character(len=16) :: arg

  nstep = 10000
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nstep
  end if
  do j = 1, ny
    do i = 1, nx
      kappa(i, j) = 0.12_real64 + 0.08_real64 * sin(0.05_real64 * i) * cos(0.03_real64 * j)
    end do
  end do
  t = 20.0_real64
  t(:, 1) = 900.0_real64
  tn = t

  open (newunit=probe_lun, file='probes.txt', status='replace', action='write')
  inquire (iolength=reclen) t(:, 1)
  open (newunit=profile_lun, file='profiles.dat', form='unformatted', access='direct', &
        recl=reclen, status='replace')
  row = 0
  do step = 1, nstep
    change = 0
    do j = 2, ny - 1
      do i = 2, nx - 1
        tn(i, j) = t(i, j) + kappa(i, j) * (t(i + 1, j) + t(i - 1, j) + t(i, j + 1) &
                   + t(i, j - 1) - 4 * t(i, j)) + 1.0e-11_real64 * (1200.0_real64 - t(i, j))**4 * 1.0e-3_real64
        change = max(change, abs(tn(i, j) - t(i, j)))
      end do
    end do
    t(2:nx - 1, 2:ny - 1) = tn(2:nx - 1, 2:ny - 1)
    if (mod(step, 20) == 0) then
      write (probe_lun, *) step, change, t(px, 40)
      inquire (file='STOP', exist=stop_wanted)
      if (stop_wanted) exit
    end if
    if (mod(step, 80) == 0) then
      row = row + 1
      write (profile_lun, rec=row) t(:, 100)
    end if
  end do
  close (probe_lun)
  close (profile_lun)
  print '(a,i0,a,f12.6,a,es12.4)', 'profiles ', row, ' mean ', sum(t) / size(t), ' last change ', change
end program furnace
