! Folds model spectra through the detector response for a series of exposures.
module detector
  implicit none
  integer, parameter :: sp = kind(1.0), dp = kind(1.0d0)
  integer, parameter :: nchan = 1024, nbin = 800, halfwidth = 6
contains

  subroutine make_response(name)
    character(len=*), intent(in) :: name
    real(sp), allocatable :: r(:, :)
    integer :: lun, c, b
    allocate (r(nchan, nbin))
    do b = 1, nbin
      do c = 1, nchan
        r(c, b) = exp(-0.02 * (c - 1.28 * b)**2)
      end do
    end do
    open (newunit=lun, file=name, form='unformatted', status='replace', action='write')
    write (lun) nchan, nbin
    write (lun) r
    close (lun)
  end subroutine make_response

  subroutine load_response(name, r)
    character(len=*), intent(in) :: name
    real(sp), intent(out) :: r(nchan, nbin)
    integer :: lun, nc, nb
    open (newunit=lun, file=name, form='unformatted', status='old', action='read')
    read (lun) nc, nb
    if (nc /= nchan .or. nb /= nbin) stop 'response does not match'
    read (lun) r
    close (lun)
  end subroutine load_response

  subroutine fold(r, flux, counts)
    real(sp), intent(in)  :: r(nchan, nbin), flux(nbin)
    real(sp), intent(out) :: counts(nchan)
    integer :: b, c, mid
    counts = 0.0
    do b = 1, nbin
      mid = nint(1.28 * b)
      do c = max(1, mid - halfwidth), min(nchan, mid + halfwidth)
        counts(c) = counts(c) + r(c, b) * flux(b)
      end do
    end do
  end subroutine fold
end module detector

program exposure
  use detector
  implicit none
  integer :: nexp, n, b, lun
  real(sp), allocatable :: response(:, :), flux(:), counts(:)
  real(dp) :: total
  character(len=32) :: arg

  nexp = 900
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nexp
  end if
  call make_response('response.rmf')
  allocate (response(nchan, nbin), flux(nbin), counts(nchan))
  open (newunit=lun, file='counts.out', form='unformatted', status='replace', action='write')
  call load_response('response.rmf', response)
  total = 0.0_dp
  do n = 1, nexp
    do b = 1, nbin
      flux(b) = 10.0 * (b / 100.0 + 0.1)**(-1.7 - 0.0001 * n)
    end do
    call fold(response, flux, counts)
    write (lun) counts
    total = total + sum(real(counts, dp))
  end do
  close (lun)
  print '(a,es16.8)', 'total counts ', total
end program exposure
