! Karst aquifer: water levels of linked conduits driven by rain events.
!
! Each conduit is a reservoir with a quadratic outflow law, coupled to its
! neighbours.  The level at the spring is recorded at every time step, together
! with the discharge, in one record of the gauge file.
module karst
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nres = 60
  real(dp), parameter :: area = 450.0_dp      ! m2
  real(dp), parameter :: kout = 0.035_dp      ! m^2.5/s
  real(dp), parameter :: klink = 0.12_dp      ! m2/s
  real(dp), parameter :: dt = 60.0_dp         ! s
contains

  subroutine rain_event(step, rain)
    integer, intent(in) :: step
    real(dp), intent(out) :: rain(nres)
    integer :: i
    real(dp) :: phase
    phase = mod(real(step, dp), 4320.0_dp) / 4320.0_dp
    do i = 1, nres
      rain(i) = 0.004_dp * exp(-((phase - 0.2_dp) / 0.05_dp)**2) &
                * (1.0_dp + 0.5_dp * sin(0.4_dp * i))
    end do
  end subroutine rain_event

  subroutine advance(h, rain, q)
    real(dp), intent(inout) :: h(nres)
    real(dp), intent(in) :: rain(nres)
    real(dp), intent(out) :: q
    real(dp) :: dh(nres), flow
    integer :: i
    dh = rain
    do i = 1, nres - 1
      flow = klink * (h(i) - h(i + 1))
      dh(i) = dh(i) - flow / area
      dh(i + 1) = dh(i + 1) + flow / area
    end do
    q = kout * max(h(nres), 0.0_dp)**1.5_dp
    dh(nres) = dh(nres) - q / area
    h = max(h + dt * dh, 0.0_dp)
  end subroutine advance

  subroutine record(u, step, level, q)
    integer, intent(in) :: u, step
    real(dp), intent(in) :: level, q
    write (u) step, level, q
  end subroutine record

end module karst

program aquifer
  use karst
  implicit none
  integer :: nsteps, k, u
  character(32) :: arg
  real(dp) :: h(nres), rain(nres), q, vol, peak

  nsteps = 150000
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read (arg, *) nsteps
  end if
  open (newunit=u, file='gauge.bin', form='unformatted', access='stream', &
        position='append', status='unknown')
  h = 1.5_dp
  vol = 0.0_dp
  peak = 0.0_dp
  do k = 1, nsteps
    call rain_event(k, rain)
    call advance(h, rain, q)
    call record(u, k, h(nres), q)
    vol = vol + q * dt
    peak = max(peak, q)
  end do
  close (u)
  print '(a,i0,a,f12.1,a,f9.5)', 'steps ', nsteps, '  volume m3 ', vol, '  peak m3/s ', peak
end program aquifer
