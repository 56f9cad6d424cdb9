! Edwards-Anderson spin glass, one replica group per rank; energy and
! overlap of all replicas are recorded after every block of sweeps.
program spin_glass
  use mpi
  implicit none
  integer, parameter :: n = 64
  integer :: spin(n, n), rank, nproc, ierr, block, nblocks, sweep, nsweeps, fh
  real(8) :: jx(n, n), jy(n, n), record(4), sums(4)
  integer(MPI_OFFSET_KIND) :: at
  integer(8) :: seed
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nblocks = 8
  nsweeps = 1500
  if (command_argument_count() > 1) then
     call get_command_argument(1, arg)
     read (arg, *) nblocks
     call get_command_argument(2, arg)
     read (arg, *) nsweeps
  end if
  seed = 12345_8
  call draw_bonds()
  spin = 1
  seed = 777_8 + 1000003_8*rank
  call MPI_File_open(MPI_COMM_WORLD, 'replicas.obs', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                     MPI_INFO_NULL, fh, ierr)
  do block = 1, nblocks
     do sweep = 1, nsweeps
        call metropolis(0.6d0 + 0.1d0*block)
     end do
     call observe(record)
     at = ((block - 1_8)*nproc + rank)*size(record)*8
     call MPI_File_write_at_all(fh, at, record, size(record), MPI_DOUBLE_PRECISION, &
                                MPI_STATUS_IGNORE, ierr)
  end do
  call MPI_File_close(fh, ierr)
  call MPI_Reduce(record, sums, size(record), MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,4f12.6)', 'mean observables ', sums/nproc
  call MPI_Finalize(ierr)

contains

  real(8) function uniform()
    seed = ieor(seed, ishft(seed, 13))
    seed = ieor(seed, ishft(seed, -7))
    seed = ieor(seed, ishft(seed, 17))
    uniform = real(ishft(seed, -11), 8)/9007199254740992d0
  end function uniform

  subroutine draw_bonds()
    integer :: i, j
    do j = 1, n
       do i = 1, n
          jx(i, j) = 2d0*uniform() - 1d0
          jy(i, j) = 2d0*uniform() - 1d0
       end do
    end do
  end subroutine draw_bonds

  real(8) function local_field(i, j)
    integer, intent(in) :: i, j
    integer :: ip, im, jp, jm
    ip = modulo(i, n) + 1
    im = modulo(i - 2, n) + 1
    jp = modulo(j, n) + 1
    jm = modulo(j - 2, n) + 1
    local_field = jx(i, j)*spin(ip, j) + jx(im, j)*spin(im, j) &
                + jy(i, j)*spin(i, jp) + jy(i, jm)*spin(i, jm)
  end function local_field

  subroutine metropolis(beta)
    real(8), intent(in) :: beta
    real(8) :: de
    integer :: i, j
    do j = 1, n
       do i = 1, n
          de = 2d0*spin(i, j)*local_field(i, j)
          if (uniform() < exp(-beta*de)) spin(i, j) = -spin(i, j)
       end do
    end do
  end subroutine metropolis

  subroutine observe(rec)
    real(8), intent(out) :: rec(4)
    integer :: i, j
    rec = 0d0
    do j = 1, n
       do i = 1, n
          rec(1) = rec(1) - 0.5d0*spin(i, j)*local_field(i, j)
          rec(2) = rec(2) + spin(i, j)
       end do
    end do
    rec(3) = rec(1)**2
    rec(4) = rec(2)**2
    rec = rec/(n*n)
  end subroutine observe
end program spin_glass
