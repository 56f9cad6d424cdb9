! Sort shot traces into common midpoint gathers and stack them.
program cmp_stack
  use iso_fortran_env, only: real32, real64, int64
  implicit none
  integer, parameter :: nshot = 400, nrec = 120, nsamp = 256
  integer, parameter :: ntrace = nshot * nrec
  integer :: ncmp
  integer, allocatable :: fold(:), first(:), members(:)
  real(real64), allocatable :: stack(:, :)
  integer :: unit, reclen, icmp

  inquire (iolength=reclen) [real(real32) :: spread(0.0, 1, nsamp)]
  open (newunit=unit, file='shots.vol', form='unformatted', access='direct', &
        recl=reclen, status='old', action='read')

  call make_geometry()
  allocate (stack(nsamp, ncmp))
  stack = 0.0_real64
  do icmp = 1, ncmp
    call stack_gather(icmp)
  end do
  close (unit)

  print '(a,i0,a,i0)', 'midpoints ', ncmp, ' largest fold ', maxval(fold)
  do icmp = 1, ncmp, max(1, ncmp / 8)
    print '(i6,i6,2f16.4)', icmp, fold(icmp), sum(stack(:, icmp)), maxval(abs(stack(:, icmp)))
  end do
contains

  ! midpoint number of a trace: crooked line, the receivers leapfrog
  pure integer function midpoint(itrace) result(m)
    integer, intent(in) :: itrace
    integer :: ishot, irec, place
    ishot = (itrace - 1) / nrec
    irec = mod(itrace - 1, nrec)
    place = mod(ishot * 97, nshot)
    m = 1 + place * 2 + mod(irec * 53 + ishot * 11, 4 * nrec) 
  end function midpoint

  subroutine make_geometry()
    integer :: it, m
    integer, allocatable :: filled(:)
    ncmp = 0
    do it = 1, ntrace
      ncmp = max(ncmp, midpoint(it))
    end do
    allocate (fold(ncmp), first(ncmp + 1), filled(ncmp), members(ntrace))
    fold = 0
    do it = 1, ntrace
      m = midpoint(it)
      fold(m) = fold(m) + 1
    end do
    first(1) = 1
    do m = 1, ncmp
      first(m + 1) = first(m) + fold(m)
    end do
    filled = 0
    do it = 1, ntrace
      m = midpoint(it)
      members(first(m) + filled(m)) = it
      filled(m) = filled(m) + 1
    end do
  end subroutine make_geometry

  subroutine stack_gather(m)
    integer, intent(in) :: m
    real(real32) :: trace(nsamp)
    integer :: k, shift
    do k = first(m), first(m + 1) - 1
      read (unit, rec=members(k)) trace
      shift = mod(members(k), 7)
      stack(:, m) = stack(:, m) + cshift(trace, shift)
    end do
  end subroutine stack_gather
end program cmp_stack
