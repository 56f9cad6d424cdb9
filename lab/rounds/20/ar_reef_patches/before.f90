! Larval settlement on reef patches: every patch is a small grid of its own, patches are
! dealt out to the ranks in runs of consecutive numbers, each patch keeps a state file.
module patches
  use, intrinsic :: iso_c_binding, only : c_int
  implicit none
  integer, parameter :: maxpatch = 300, np = 90
  integer :: npatch = 110, nday = 12, every = 4
  type patch
    integer :: id
    real(8) :: cover(np, np), larvae(np, np)
  end type patch
  interface
    integer(c_int) function c_fsync(fd) bind(c, name='fsync')
      import c_int
      integer(c_int), value :: fd
    end function c_fsync
  end interface
contains
  subroutine read_setup(fname)
    character(*), intent(in) :: fname
    namelist /reef/ npatch, nday, every
    integer :: u
    open(newunit=u, file=fname, status='old', action='read')
    read(u, nml=reef)
    close(u)
    npatch = min(npatch, maxpatch)
  end subroutine read_setup

  subroutine my_range(rank, nproc, first, last)
    integer, intent(in) :: rank, nproc
    integer, intent(out) :: first, last
    integer :: chunk
    chunk = (maxpatch + nproc - 1) / nproc
    first = rank * chunk + 1
    last = min((rank + 1) * chunk, npatch)
  end subroutine my_range

  subroutine init_patch(p, id)
    type(patch), intent(out) :: p
    integer, intent(in) :: id
    integer :: i, j
    p%id = id
    do j = 1, np
      do i = 1, np
        p%cover(i, j) = 0.2d0 + 0.01d0 * mod(i * j + id, 30)
        p%larvae(i, j) = mod(i + 3 * j + 7 * id, 11)
      end do
    end do
  end subroutine init_patch

  subroutine one_day(p)
    type(patch), intent(inout) :: p
    p%larvae = 0.8d0 * p%larvae + 0.1d0 * (cshift(p%larvae, 1, 1) + cshift(p%larvae, -1, 2))
    p%cover = p%cover + 0.002d0 * p%larvae * (1d0 - p%cover)
  end subroutine one_day

  subroutine save_patch(p, day)
    type(patch), intent(in) :: p
    integer, intent(in) :: day
    character(len=40) :: fname
    integer :: u, rc
    write(fname, '(a,i4.4,a,i3.3,a)') 'patch', p%id, '_d', day, '.st'
    open(newunit=u, file=fname, form='unformatted', access='stream', status='replace')
    write(u) p%id, day, p%cover, p%larvae
    flush(u)
    rc = c_fsync(fnum(u))
    close(u)
  end subroutine save_patch
end module patches

program reef_patches
  use mpi
  use patches
  implicit none
  type(patch), allocatable :: p(:)
  integer :: ierr, rank, nproc, first, last, i, day, u
  integer(8) :: cells, allcells
  real(8), allocatable :: pool(:)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  call read_setup('reef.nml')
  call my_range(rank, nproc, first, last)
  allocate(p(first:max(last, first)), pool(npatch))
  do i = first, last
    call init_patch(p(i), i)
  end do
  do day = 1, nday
    pool = 0d0
    do i = first, last
      pool(i) = sum(p(i)%larvae) / (np * np)
    end do
    call MPI_Allreduce(MPI_IN_PLACE, pool, npatch, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    do i = first, last
      p(i)%larvae = p(i)%larvae + 0.05d0 * pool(mod(i, npatch) + 1)
      call one_day(p(i))
      if (mod(day, every) == 0) call save_patch(p(i), day)
    end do
  end do
  cells = 0
  do i = first, last
    cells = cells + count(p(i)%cover > 0.45d0)
  end do
  call MPI_Reduce(cells, allcells, 1, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    open(newunit=u, file='settlement.txt', status='replace')
    write(u, '(a,i0,a,i0)') 'patches ', npatch, ' days ', nday
    write(u, '(a,f8.5)') 'covered ', dble(allcells) / (dble(npatch) * np * np)
    close(u)
    print '(a,i0,a,i0)', 'patches ', npatch, ' settled cells ', allcells
  end if
  call MPI_Finalize(ierr)
end program reef_patches
