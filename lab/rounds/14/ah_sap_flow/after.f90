! Xylem sap flow in a tree trunk: water potential along the stem is driven by
! the transpiration of the crown and refilled from the soil.  Psi in MPa,
! heights in m, time in hours.  Probe readings go to sapflow.dat.
module stem
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nz = 96              ! stem segments
  integer, parameter :: nprobe = 32          ! probes screwed into the bark
  real(dp), parameter :: height = 24.0_dp
  real(dp), parameter :: kmax = 3.1_dp       ! conductivity at full saturation
  real(dp), parameter :: cap = 0.85_dp       ! capacitance of the wood
  real(dp), parameter :: psi50 = -2.4_dp     ! 50 % loss of conductivity
  real(dp), parameter :: psi_soil = -0.15_dp
  real(dp), parameter :: grav = 0.0098_dp    ! MPa per m
  real(dp), parameter :: pi = 3.141592653589793_dp
contains

  ! vulnerability curve
  elemental function conductivity(psi) result(k)
    real(dp), intent(in) :: psi
    real(dp) :: k
    k = kmax / (1.0_dp + (psi/psi50)**4)
  end function conductivity

  function transpiration(hour) result(e)
    real(dp), intent(in) :: hour
    real(dp) :: e
    e = max(0.0_dp, sin(pi*(mod(hour, 24.0_dp) - 6.0_dp)/12.0_dp))
    e = 0.21_dp * e**1.3_dp
  end function transpiration

  subroutine advance(psi, flow, hour, dt)
    real(dp), intent(inout) :: psi(nz), flow(0:nz)
    real(dp), intent(in) :: hour, dt
    real(dp) :: dz, k(nz)
    integer :: i
    dz = height / nz
    k = conductivity(psi)
    flow(0) = 2.0_dp*k(1)*(psi_soil - psi(1))/dz
    do i = 1, nz - 1
       flow(i) = 0.5_dp*(k(i) + k(i+1))*((psi(i) - psi(i+1))/dz - grav)
    end do
    flow(nz) = transpiration(hour)
    do i = 1, nz
       psi(i) = psi(i) + dt*(flow(i-1) - flow(i))/(cap*dz)
    end do
  end subroutine advance

  subroutine log_probe(u, hour, ip, psi, flow)
    integer, intent(in) :: u, ip
    real(dp), intent(in) :: hour, psi, flow
    write (u) hour, real(ip, dp), psi, flow
  end subroutine log_probe
end module stem

program sap_flow
  use stem
  implicit none
  real(dp) :: psi(nz), flow(0:nz), hour, dt, daily, lowest
  integer :: step, nsteps, ip, iz, u
  character(len=32) :: arg

  nsteps = 24000
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read (arg, *) nsteps
  end if
  dt = 0.006_dp
  psi = psi_soil - 0.05_dp
  flow = 0.0_dp
  daily = 0.0_dp
  lowest = 0.0_dp

  open (newunit=u, file='sapflow.dat', access='stream', form='unformatted', &
        status='replace')
  do step = 1, nsteps
     hour = step*dt
     call advance(psi, flow, hour, dt)
     daily = daily + flow(0)*dt
     lowest = min(lowest, minval(psi))
     do ip = 1, nprobe
        iz = ip*(nz/nprobe)
        call log_probe(u, hour, ip, psi(iz), flow(iz))
     end do
  end do
  close (u)
  print '(a,f10.4)', 'water taken up          ', daily
  print '(a,f10.4)', 'lowest potential (MPa)  ', lowest
end program sap_flow
