! Batch tallies of a criticality run.  Cells are dealt to the ranks like cards
! (load balance), the tally file keeps them in cell order: sum, sum of squares,
! number of scores and relative error of every cell, one block per batch.
program core_tally
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nscore = 4
  integer :: rank, nrank, ierr, fh, ncell, nbatch, nown, ib
  integer(MPI_OFFSET_KIND) :: base
  real(dp), allocatable :: tal(:, :)
  real(dp) :: t, total
  character(len=16) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nrank, ierr)
  call get_command_argument(1, arg)
  read (arg, *) ncell
  call get_command_argument(2, arg)
  read (arg, *) nbatch

  nown = (ncell - rank + nrank - 1)/nrank
  allocate (tal(nscore, nown))
  tal = 0.0_dp
  call MPI_File_open(MPI_COMM_WORLD, 'tally.bin', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                     MPI_INFO_NULL, fh, ierr)
  do ib = 1, nbatch
    call transport(ib)
    base = int(ib - 1, MPI_OFFSET_KIND)*ncell*nscore*8
    call write_tally(base)
  end do
  call MPI_File_close(fh, ierr)

  t = sum(tal(1, :))
  call MPI_Reduce(t, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) call report(total)
  call MPI_Finalize(ierr)

contains

  subroutine transport(ib)
    ! score every owned cell a few times with a hashed random number
    integer, intent(in) :: ib
    integer :: i, k, cell, seed
    real(dp) :: w
    do i = 1, nown
      cell = rank + (i - 1)*nrank
      seed = mod(cell*131 + ib*7919, 1000003)
      do k = 1, 6
        seed = mod(seed*2011 + 12345, 1000003)
        w = -log((seed + 1.0_dp)/1000004.0_dp)
        tal(1, i) = tal(1, i) + w
        tal(2, i) = tal(2, i) + w*w
        tal(3, i) = tal(3, i) + 1.0_dp
      end do
      tal(4, i) = sqrt(max(tal(2, i)/tal(1, i)**2 - 1.0_dp/tal(3, i), 0.0_dp))
    end do
  end subroutine transport

  subroutine write_tally(base)
    integer(MPI_OFFSET_KIND), intent(in) :: base
    integer(MPI_OFFSET_KIND) :: off
    integer :: i, cell
    do i = 1, nown
      cell = rank + (i - 1)*nrank
      off = base + int(cell, MPI_OFFSET_KIND)*nscore*8
      call MPI_File_write_at(fh, off, tal(1, i), nscore, MPI_DOUBLE_PRECISION, &
                             MPI_STATUS_IGNORE, ierr)
    end do
  end subroutine write_tally

  subroutine report(total)
    real(dp), intent(in) :: total
    real(dp), allocatable :: block(:, :)
    real(dp) :: chk
    integer :: lu, ib
    allocate (block(nscore, ncell))
    chk = 0.0_dp
    open (newunit=lu, file='tally.bin', access='stream', form='unformatted', status='old')
    do ib = 1, nbatch
      read (lu) block
      chk = chk + sum(block(1, :)) - sum(block(4, ::3))
    end do
    close (lu)
    write (*, '(a,f20.6)') ' total score     ', total
    write (*, '(a,f20.6)') ' tally check sum ', chk
    write (*, '(a,f12.8)') ' worst rel. error of last batch ', maxval(block(4, :))
  end subroutine report

end program core_tally
