! Dispersal of fish larvae by tidal currents and random swimming: every rank carries a
! cohort and writes a record for each settled larva to its own file.
module larvae
  implicit none
  real(8), parameter :: twopi = 6.283185307179586d0
  type larva
    real(8) :: x, y, age
    integer :: origin
  end type larva
contains
  real(8) function rnd(seed)
    integer(8), intent(inout) :: seed
    seed = mod(seed * 48271_8, 2147483647_8)
    rnd = dble(seed) / 2147483647d0
  end function rnd

  subroutine spawn(l, seed, k)
    type(larva), intent(out) :: l
    integer(8), intent(inout) :: seed
    integer, intent(in) :: k
    l%origin = mod(k, 40)
    l%x = 2d0 * l%origin + rnd(seed)
    l%y = rnd(seed)
    l%age = 0d0
  end subroutine spawn

  subroutine drift(l, seed, t)
    type(larva), intent(inout) :: l
    integer(8), intent(inout) :: seed
    real(8), intent(in) :: t
    real(8) :: ph
    ph = twopi * t / 12.42d0
    l%x = l%x + 0.3d0 * cos(ph + 0.02d0 * l%y) + 0.1d0 * (rnd(seed) - 0.5d0)
    l%y = l%y + 0.1d0 * sin(ph + 0.05d0 * l%x) + 0.2d0 * (rnd(seed) - 0.45d0)
    l%age = l%age + 1d0 / 24d0
  end subroutine drift

  logical function settled(l)
    type(larva), intent(in) :: l
    settled = l%age > 2d0 .and. l%y > 0.5d0
  end function settled
end module larvae

program larval_dispersal
  use mpi
  use larvae
  implicit none
  integer :: ierr, rank, nproc, n, nhour, i, h, u, log, nset, total, home, allhome
  integer(8) :: seed
  type(larva), allocatable :: l(:)
  character(len=32) :: fname
  character(len=16) :: a
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  n = 18000; nhour = 720
  if (command_argument_count() > 0) then
    call get_command_argument(1, a); read(a, *) n
  end if
  if (command_argument_count() > 1) then
    call get_command_argument(2, a); read(a, *) nhour
  end if
  seed = 991 + 17 * rank
  allocate(l(n))
  do i = 1, n
    call spawn(l(i), seed, i)
  end do
  write(fname, '(a,i2.2,a)') 'settled_', rank, '.rec'
  open(newunit=u, file=fname, form='unformatted', access='sequential', status='replace')
  if (rank == 0) open(newunit=log, file='dispersal.log', status='replace')
  nset = 0; home = 0
  do h = 1, nhour
    do i = 1, n
      call drift(l(i), seed, dble(h))
      if (.not. settled(l(i))) cycle
      write(u) l(i)%origin, real(l(i)%x), real(l(i)%y), real(l(i)%age)
      nset = nset + 1
      if (abs(l(i)%x - 2d0 * l(i)%origin) < 1d0) home = home + 1
      call spawn(l(i), seed, i)
    end do
    if (rank == 0 .and. mod(h, 24) == 0) write(log, '(a,i4,a,i9)') 'day ', h / 24, ' settled ', nset
  end do
  close(u)
  call MPI_Reduce(nset, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call MPI_Reduce(home, allhome, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    close(log)
    print '(a,i0,a,i0)', 'settled ', total, ' near home ', allhome
  end if
  call MPI_Finalize(ierr)
end program larval_dispersal
