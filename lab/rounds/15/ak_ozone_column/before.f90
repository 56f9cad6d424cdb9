! Total ozone column from direct-sun UV spectra (Dobson pairs, many scans).
! Each scan: temperature profile, slant optical depth, noisy counts and the
! retrieval of the column with a least-squares slope over the Huggins bands.
!
!   usage: ozone <scans>           (reads xsection.f64)
module spectra
  implicit none
  integer, parameter :: nt = 64, nw = 2048, nlay = 3
  real(8), parameter :: dobson = 2.687d16
  real(8) :: xs(nw, nt)
  integer(8) :: state = 20130501_8
contains

  real(8) function uniform()
    state = mod(state * 48271_8, 2147483647_8)
    uniform = real(state, 8) / 2147483647.0d0
  end function uniform

  subroutine open_table(lun)
    integer, intent(out) :: lun
    open (newunit=lun, file='xsection.f64', access='stream', form='unformatted', &
          status='old', action='read')
  end subroutine open_table

  subroutine load_table(lun)
    integer, intent(in) :: lun
    rewind (lun)
    read (lun) xs
  end subroutine load_table

  ! effective cross section of the layered ozone profile of this scan
  subroutine effective(lun, tsurf, xeff)
    integer, intent(in) :: lun
    real(8), intent(in) :: tsurf
    real(8), intent(out) :: xeff(nw)
    real(8) :: share(nlay), temp, f
    integer :: k, j
    call load_table(lun)
    share = (/ 0.1d0, 0.3d0, 0.6d0 /)
    xeff = 0.0d0
    do k = 1, nlay
      temp = tsurf - 22.0d0 * k
      f = min(max((temp - 190.0d0) / 2.0d0, 0.0d0), nt - 2.001d0)
      j = int(f) + 1
      f = f - (j - 1)
      xeff = xeff + share(k) * ((1 - f) * xs(:, j) + f * xs(:, j + 1))
    end do
  end subroutine effective

  subroutine measure(column, airmass, xeff, logratio)
    real(8), intent(in) :: column, airmass, xeff(nw)
    real(8), intent(out) :: logratio(nw)
    integer :: i
    do i = 1, nw
      logratio(i) = column * dobson * airmass * xeff(i) + 0.004d0 * (uniform() - 0.5d0)
    end do
  end subroutine measure

  real(8) function retrieve(logratio, airmass, xeff) result(column)
    real(8), intent(in) :: logratio(nw), airmass, xeff(nw)
    real(8) :: mx, my
    mx = sum(xeff) / nw
    my = sum(logratio) / nw
    column = sum((xeff - mx) * (logratio - my)) / sum((xeff - mx)**2) / (airmass * dobson)
  end function retrieve

end module spectra

program ozone
  use spectra
  implicit none
  integer :: scans, n, lun, out
  real(8) :: truth, tsurf, airmass, found, bias, scatter
  real(8) :: xeff(nw), logratio(nw)
  character(32) :: arg

  scans = 3000
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) scans
  end if

  call open_table(lun)
  open (newunit=out, file='columns.txt', status='replace')
  bias = 0
  scatter = 0
  do n = 1, scans
    truth = 300.0d0 + 60.0d0 * sin(n * 6.28d0 / 365.0d0)
    tsurf = 270.0d0 + 20.0d0 * sin(n * 6.28d0 / 365.0d0 - 0.5d0) + 5.0d0 * uniform()
    airmass = 1.0d0 / cos(0.3d0 + 0.8d0 * uniform())
    call effective(lun, tsurf, xeff)
    call measure(truth, airmass, xeff, logratio)
    found = retrieve(logratio, airmass, xeff)
    bias = bias + found - truth
    scatter = scatter + (found - truth)**2
    if (mod(n, 10) == 0) write (out, '(i7,3f10.3)') n, airmass, truth, found
  end do
  close (out)
  close (lun)
  print '(a,f9.4,a,f9.4,a)', 'bias ', bias / scans, ' DU, scatter ', sqrt(scatter / scans), ' DU'
end program ozone
