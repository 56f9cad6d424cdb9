! Common-midpoint stacking of a small marine survey.
! File: two integers, the table of trace headers (32 bytes each), then the samples.
module survey_mod
  use iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  integer, parameter :: hdrlen = 32, ncmp = 60
  real(real64), parameter :: dt = 0.004_real64

  type :: trace_header
    integer(int32) :: id, cmp
    real(real32) :: offset, vel, stat, scal, spare(2)
  end type trace_header

contains

  subroutine read_headers(u, h)
    integer, intent(in) :: u
    type(trace_header), intent(out) :: h(:)
    read (u) h
  end subroutine read_headers

  subroutine read_samples(u, x)
    integer, intent(in) :: u
    real(real32), intent(out) :: x(:)
    read (u) x
  end subroutine read_samples

  ! normal move-out correction and addition to the stack of its midpoint
  subroutine add_trace(h, x, stack, fold)
    type(trace_header), intent(in) :: h
    real(real32), intent(in) :: x(:)
    real(real64), intent(inout) :: stack(:, :)
    integer, intent(inout) :: fold(:)
    integer :: k, j, c
    real(real64) :: t0, t, w, r
    c = h%cmp + 1
    r = (real(h%offset, real64) / h%vel)**2
    do k = 1, size(x)
      t0 = (k - 1) * dt
      t = sqrt(t0 * t0 + r) / dt
      j = int(t) + 1
      if (j >= size(x)) exit
      w = t - int(t)
      stack(k, c) = stack(k, c) + h%scal * ((1 - w) * x(j) + w * x(j + 1))
    end do
    fold(c) = fold(c) + 1
  end subroutine add_trace

end module survey_mod

program survey_stack
  use survey_mod
  implicit none
  integer :: u, i, o, c
  integer(int32) :: ntr, ns
  type(trace_header), allocatable :: h(:)
  real(real32), allocatable :: x(:)
  real(real64), allocatable :: stack(:, :)
  integer :: fold(ncmp)

  open (newunit=u, file='survey.dat', access='stream', form='unformatted', status='old', action='read')
  read (u) ntr, ns
  allocate (h(ntr), x(ns), stack(ns, ncmp))
  stack = 0
  fold = 0
  call read_headers(u, h)
  do i = 1, ntr
    call read_samples(u, x)
    call add_trace(h(i), x, stack, fold)
  end do
  close (u)

  do c = 1, ncmp
    if (fold(c) > 0) stack(:, c) = stack(:, c) / fold(c)
  end do
  open (newunit=o, file='stack.dat', access='stream', form='unformatted', status='replace')
  write (o) fold, stack
  close (o)
  print '(a,i0,a,es16.8)', 'traces ', ntr, ' rms ', sqrt(sum(stack**2) / size(stack))
end program survey_stack
