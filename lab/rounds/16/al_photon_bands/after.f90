! Monte Carlo transport of sunlight through a cloud layer, on MPI ranks.
! Visible light is scattered many times, infrared is soon absorbed; every scattering event
! is recorded for the later backward analysis.
!
! usage: mpirun -n 2 photons nphotons
module transport
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nbands = 4
  ! the short wavelengths first; single scattering albedo, asymmetry, optical depth
  real(dp), parameter :: albedo(nbands) = (/ 0.9999_dp, 0.9990_dp, 0.62_dp, 0.35_dp /)
  real(dp), parameter :: asym(nbands)   = (/ 0.85_dp, 0.84_dp, 0.80_dp, 0.75_dp /)
  real(dp), parameter :: depth(nbands)  = (/ 24.0_dp, 22.0_dp, 20.0_dp, 18.0_dp /)
  integer, parameter :: reflected = 1, transmitted = 2, absorbed = 3

contains

  function uniform(state) result(r)
    integer(int64), intent(inout) :: state
    real(dp) :: r
    state = ieor(state, ishft(state, 13))
    state = ieor(state, ishft(state, -7))
    state = ieor(state, ishft(state, 17))
    r = real(ishft(state, -11), dp) / 9007199254740992.0_dp
  end function uniform

  ! Henyey-Greenstein phase function
  function scatter_cosine(g, r) result(mu)
    real(dp), intent(in) :: g, r
    real(dp) :: mu, s
    s = (1.0_dp - g * g) / (1.0_dp - g + 2.0_dp * g * r)
    mu = (1.0_dp + g * g - s * s) / (2.0_dp * g)
  end function scatter_cosine

  subroutine trace(band, photon, unit, fate, events)
    integer, intent(in) :: band, photon, unit
    integer, intent(out) :: fate
    integer, intent(inout) :: events
    integer(int64) :: state
    real(dp) :: tau, mu, mus, phi
    integer :: order
    state = 88172645463325252_int64 + 7919_int64 * photon + 104729_int64 * band
    do order = 1, 8
       tau = uniform(state)
    end do
    tau = 0.0_dp
    mu = 0.8_dp
    order = 0
    do
       tau = tau - mu * log(1.0_dp - uniform(state))
       if (tau < 0.0_dp) then
          fate = reflected; return
       else if (tau > depth(band)) then
          fate = transmitted; return
       else if (uniform(state) > albedo(band)) then
          fate = absorbed; return
       end if
       mus = scatter_cosine(asym(band), uniform(state))
       phi = 6.283185307_dp * uniform(state)
       mu = mu * mus + sqrt(max(0.0_dp, (1.0_dp - mu * mu) * (1.0_dp - mus * mus))) * cos(phi)
       mu = sign(max(abs(mu), 1.0e-6_dp), mu)
       order = order + 1
       events = events + 1
       write (unit) photon, order, real(tau), real(mu)
    end do
  end subroutine trace

end module transport

program photons
  use mpi
  use transport
  implicit none
  integer :: ierr, rank, nranks, nphotons, band, p, unit, fate
  integer :: counts(3, nbands), totals(3, nbands), events(1), allevents(1)
  character(len=32) :: arg, name

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  nphotons = 20000
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg); read (arg, *) nphotons
  end if

  counts = 0
  events = 0
  do band = 1, nbands
     ! each rank has its share of the photons of every band
     write (name, '(a,i2.2,a,i2.2,a)') 'events_band', band, '_', rank, '.dat'
     open (newunit=unit, file=name, form='unformatted', status='replace')
     do p = 1 + rank, nphotons, nranks
        call trace(band, p, unit, fate, events(1))
        counts(fate, band) = counts(fate, band) + 1
     end do
     close (unit)
  end do

  call MPI_Reduce(counts, totals, 3 * nbands, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call MPI_Reduce(events, allevents, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
     do band = 1, nbands
        print '(a,i2,3(a,f8.5))', ' band', band, '  reflected', real(totals(1, band)) / nphotons, &
             '  transmitted', real(totals(2, band)) / nphotons, &
             '  absorbed', real(totals(3, band)) / nphotons
     end do
     print '(i0,a)', allevents(1), ' scattering events'
  end if
  call MPI_Finalize(ierr)
end program photons
