! Power iteration with a fission bank.  The master resamples the bank for the
! next generation and computes its entropy; the ranks transport their share
! and the source goes to the state point file every few generations.
program fission_source
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer :: rank, nrank, ierr, ngen, nper, ntot, ig, fh, nout
  real(dp), allocatable :: mine(:), bank(:), src(:)
  real(dp) :: entropy, hsum
  integer(MPI_OFFSET_KIND) :: off
  character(len=16) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nrank, ierr)
  call get_command_argument(1, arg)
  read (arg, *) ngen
  call get_command_argument(2, arg)
  read (arg, *) nper
  ntot = nper*nrank
  allocate (mine(nper), bank(ntot), src(ntot))
  call MPI_File_open(MPI_COMM_WORLD, 'statepoint.src', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                     MPI_INFO_NULL, fh, ierr)
  call first_guess
  hsum = 0.0_dp
  nout = 0
  do ig = 1, ngen
    call transport(ig)
    call MPI_Gather(mine, nper, MPI_DOUBLE_PRECISION, bank, nper, MPI_DOUBLE_PRECISION, 0, &
                    MPI_COMM_WORLD, ierr)
    if (rank == 0) call resample(1, ntot)
    call MPI_Scatter(src, nper, MPI_DOUBLE_PRECISION, mine, nper, MPI_DOUBLE_PRECISION, 0, &
                     MPI_COMM_WORLD, ierr)
    if (rank == 0) then
      call shannon(entropy)
      hsum = hsum + entropy
    end if
    if (mod(ig, 5) == 0) call state_point
  end do
  call MPI_File_close(fh, ierr)
  if (rank == 0) write (*, '(a,i4,a,i3,a,f14.10)') ' generations', ngen, '  state points', nout, &
    '  mean entropy', hsum/ngen
  call MPI_Finalize(ierr)

contains

  subroutine first_guess
    integer :: i
    do i = 1, nper
      mine(i) = real(rank*nper + i, dp)/ntot
    end do
  end subroutine first_guess

  subroutine transport(ig)
    integer, intent(in) :: ig
    integer :: i, seed
    do i = 1, nper
      seed = mod((rank*nper + i)*137 + ig*1013, 999983)
      mine(i) = abs(sin(mine(i)*3.0_dp + seed*1.0e-6_dp))
    end do
  end subroutine transport

  subroutine resample(i1, i2)
    ! kernel-smoothed resampling: every new site looks at a window of the bank
    integer, intent(in) :: i1, i2
    integer :: i, k, j
    real(dp) :: w, ws, xs
    do i = i1, i2
      ws = 0.0_dp
      xs = 0.0_dp
      do k = -60, 60
        j = 1 + modulo(i - 1 + k*7, ntot)
        w = exp(-abs(bank(j) - bank(i))*8.0_dp)
        ws = ws + w
        xs = xs + w*bank(j)
      end do
      src(i) = xs/ws
    end do
  end subroutine resample

  subroutine shannon(h)
    real(dp), intent(out) :: h
    integer :: bin(64), i, b
    real(dp) :: p
    bin = 0
    do i = 1, ntot
      b = 1 + min(63, int(src(i)*64))
      bin(b) = bin(b) + 1
    end do
    h = 0.0_dp
    do i = 1, 64
      p = bin(i)/real(ntot, dp)
      if (p > 0.0_dp) h = h - p*log(p)/log(2.0_dp)
    end do
  end subroutine shannon

  subroutine state_point
    off = (int(nout, MPI_OFFSET_KIND)*ntot + int(rank, MPI_OFFSET_KIND)*nper)*8
    call MPI_File_write_at_all(fh, off, mine, nper, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
    nout = nout + 1
  end subroutine state_point

end program fission_source
