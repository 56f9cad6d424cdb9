! Harmonic tide predictions for a set of ports: level and currents per time
! step go to a table for the plotting and navigation packages.
module harmonics
   implicit none
   integer, parameter :: dp = kind(1.0d0)
   integer, parameter :: ncon = 6
   real(dp), parameter :: speed(ncon) = [28.9841042_dp, 30.0_dp, 28.4397295_dp, &
                                         15.0410686_dp, 13.9430356_dp, 57.9682084_dp]
   type port_t
      real(dp) :: amp(ncon), phase(ncon)
      real(dp) :: major, minor, angle
   end type port_t
contains

   subroutine define_port(number, port)
      integer, intent(in) :: number
      type(port_t), intent(out) :: port
      integer :: k
      do k = 1, ncon
         port%amp(k) = (1.8_dp/k)*(1.0_dp + 0.05_dp*number)
         port%phase(k) = modulo(37.0_dp*number + 61.0_dp*k, 360.0_dp)
      end do
      port%major = 0.7_dp + 0.01_dp*number
      port%minor = 0.2_dp
      port%angle = 0.02_dp*number
   end subroutine define_port

   subroutine predict(port, hours, level, u, v)
      type(port_t), intent(in) :: port
      real(dp), intent(in) :: hours
      real(dp), intent(out) :: level, u, v
      real(dp), parameter :: deg = 0.017453292519943295_dp
      real(dp) :: a, c, s
      integer :: k
      level = 0.0_dp
      c = 0.0_dp
      s = 0.0_dp
      do k = 1, ncon
         a = deg*(speed(k)*hours - port%phase(k))
         level = level + port%amp(k)*cos(a)
         c = c + port%major*cos(a)/k
         s = s + port%minor*sin(a)/k
      end do
      u = c*cos(port%angle) - s*sin(port%angle)
      v = c*sin(port%angle) + s*cos(port%angle)
   end subroutine predict

end module harmonics

program tide_tables
   use harmonics
   implicit none
   integer :: nport, nstep, ip, it, unit
   type(port_t) :: port
   real(dp) :: hours, level, u, v, highest, lowest
   character(len=16) :: arg

   nport = 12
   nstep = 30000
   if (command_argument_count() > 0) then
      call get_command_argument(1, arg)
      read (arg, *) nstep
   end if

   open (newunit=unit, file='predictions.bin', &
         form='unformatted', access='stream', status='replace', action='write')
   do ip = 1, nport
      call define_port(ip, port)
      highest = -huge(highest)
      lowest = huge(lowest)
      do it = 1, nstep
         hours = 0.1_dp*it
         call predict(port, hours, level, u, v)
         highest = max(highest, level)
         lowest = min(lowest, level)
         write (unit) ip, hours, level, u, v
      end do
      print '(a,i3,2f10.4)', 'port', ip, highest, lowest
   end do
   close (unit)
end program tide_tables
