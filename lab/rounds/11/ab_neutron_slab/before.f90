! Neutrons through a shielding slab: analogue Monte Carlo with one energy group,
! isotropic scattering and a flux tally by track length. All ranks follow their
! own histories; the tallies are summed and reported batch by batch.
program neutron_slab
  use mpi
  implicit none
  integer, parameter :: ncell = 200
  real(8), parameter :: thickness = 12.0d0       ! cm
  real(8), parameter :: sigma_t = 0.75d0         ! 1/cm
  real(8), parameter :: albedo = 0.82d0          ! scattering probability
  integer(8) :: state
  integer :: ierr, rank, nproc, batch, nbatch, nhist, i, report
  real(8) :: tally(ncell), total(ncell), sumsq(ncell), mean(ncell)
  real(8) :: leak(2), leaksum(2), counts(2)
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  call get_command_argument(1, arg); read(arg, *) nbatch
  call get_command_argument(2, arg); read(arg, *) nhist
  state = 1442695040888963407_8 + 7919_8 * rank
  do i = 1, 50
     tally(1) = uniform()
  end do
  mean = 0.0d0; sumsq = 0.0d0; leaksum = 0.0d0
  if (rank == 0) open(newunit=report, file='batches.txt', status='replace', action='write')

  do batch = 1, nbatch
     tally = 0.0d0; leak = 0.0d0
     do i = 1, nhist
        call history()
     end do
     call MPI_Reduce(tally, total, ncell, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
     call MPI_Reduce(leak, counts, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
     if (rank == 0) call book()
  end do

  if (rank == 0) then
     close(report)
     call write_profile()
     print '(a,f9.6,a,f9.6)', 'transmission', leaksum(2) / nbatch, '  reflection', leaksum(1) / nbatch
  end if
  call MPI_Finalize(ierr)

contains

  real(8) function uniform()
    state = ieor(state, ishft(state, 13))
    state = ieor(state, ishft(state, -7))
    state = ieor(state, ishft(state, 17))
    uniform = (real(ishft(state, -11), 8) + 0.5d0) / 9007199254740992.0d0
  end function uniform

  ! track length of a flight from a to b, booked into the cells
  subroutine track(a, b, mu)
    real(8), intent(in) :: a, b, mu
    real(8) :: lo, hi, w
    integer :: k, k0, k1
    w = thickness / ncell
    lo = max(0.0d0, min(a, b)); hi = min(thickness, max(a, b))
    k0 = min(ncell, int(lo / w) + 1); k1 = min(ncell, int(hi / w) + 1)
    do k = k0, k1
       tally(k) = tally(k) + max(0.0d0, min(hi, k * w) - max(lo, (k - 1) * w)) / max(abs(mu), 1.0d-6)
    end do
  end subroutine track

  subroutine history()
    real(8) :: x, y, mu
    x = 0.0d0
    mu = sqrt(uniform())
    do
       y = x - mu * log(uniform()) / sigma_t
       call track(x, y, mu)
       if (y <= 0.0d0) then
          leak(1) = leak(1) + 1.0d0; return
       else if (y >= thickness) then
          leak(2) = leak(2) + 1.0d0; return
       end if
       if (uniform() > albedo) return
       x = y
       mu = 2.0d0 * uniform() - 1.0d0
    end do
  end subroutine history

  subroutine book()
    real(8) :: h
    h = real(nhist, 8) * nproc
    total = total / h
    mean = mean + total
    sumsq = sumsq + total**2
    leaksum = leaksum + counts / h
    write(report, '(i6,2f12.8,es14.6)') batch, counts / h, sum(total)
  end subroutine book

  subroutine write_profile()
    integer :: u, k
    real(8) :: m, s
    open(newunit=u, file='flux.txt', status='replace', action='write')
    do k = 1, ncell
       m = mean(k) / nbatch
       s = sqrt(max(0.0d0, sumsq(k) / nbatch - m * m) / max(1, nbatch - 1))
       write(u, '(f9.4,2es14.6)') (k - 0.5d0) * thickness / ncell, m, s
    end do
    close(u)
  end subroutine write_profile
end program neutron_slab
