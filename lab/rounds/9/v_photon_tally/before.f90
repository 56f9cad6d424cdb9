! Monte Carlo tally of source photons in a layered slab.
! The ranks share out the photons of one source file and add up their tallies at the end.
module slab_mod
  use iso_fortran_env, only: int64, real32, real64
  implicit none
  integer, parameter :: nlayer = 40, nbatch = 2
contains

  ! follow a photon bundle through the layers; deposits are counted in units of 1/1000
  subroutine follow(ph, tally)
    real(real32), intent(in) :: ph(4)
    integer(int64), intent(inout) :: tally(nlayer)
    integer :: l, dir, steps
    real(real64) :: mu, w, tau, lost
    mu = max(0.05_real64, real(ph(2), real64))
    w = ph(3)
    l = 1
    dir = 1
    do steps = 1, 60
      tau = (0.02_real64 + 0.01_real64 * mod(l, 5)) / mu
      lost = w * (1 - exp(-tau))
      tally(l) = tally(l) + int(1000 * lost, int64)
      w = w - lost
      if (w < 1.0e-3_real64) exit
      mu = max(0.05_real64, abs(cos(ph(1) * steps) * mu + 0.3_real64 * ph(4)))
      if (mod(int(ph(1) * 1000) + steps, 11) == 0) dir = -dir
      l = l + dir
      if (l < 1 .or. l > nlayer) exit
    end do
  end subroutine follow

end module slab_mod

program photon_tally
  use mpi
  use slab_mod
  implicit none
  integer :: ierr, rank, nranks, fh, got, i
  integer :: status(MPI_STATUS_SIZE)
  real(real32) :: batch(4, nbatch)
  integer(int64) :: tally(nlayer), total(nlayer), nseen(1), nall(1)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  tally = 0
  nseen = 0

  call MPI_File_open(MPI_COMM_WORLD, 'photons.bin', MPI_MODE_RDONLY, MPI_INFO_NULL, fh, ierr)
  do
    call MPI_File_read_shared(fh, batch, 4 * nbatch, MPI_REAL4, status, ierr)
    call MPI_Get_count(status, MPI_REAL4, got, ierr)
    if (got <= 0) exit
    do i = 1, got / 4
      call follow(batch(:, i), tally)
    end do
    nseen = nseen + got / 4
  end do
  call MPI_File_close(fh, ierr)

  call MPI_Reduce(tally, total, nlayer, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call MPI_Reduce(nseen, nall, 1, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    open (10, file='tally.txt', status='replace')
    do i = 1, nlayer
      write (10, '(i4,i16)') i, total(i)
    end do
    close (10)
    print '(a,i0,a,i0)', 'photons ', nall(1), ' deposited ', sum(total)
  end if
  call MPI_Finalize(ierr)
end program photon_tally
