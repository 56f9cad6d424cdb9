! Shallow water seiche in a closed basin. A gauge table and surface frames
! are kept for later harmonic analysis.
module basin
   implicit none
   integer, parameter :: dp = kind(1.0d0)
   integer, parameter :: nx = 200, ny = 120
   real(dp), parameter :: g = 9.81_dp, dx = 500.0_dp, dt = 8.0_dp, drag = 2.0e-5_dp
   real(dp) :: eta(0:nx + 1, 0:ny + 1), u(0:nx + 1, 0:ny + 1), v(0:nx + 1, 0:ny + 1)
   real(dp) :: depth(0:nx + 1, 0:ny + 1)
contains

   subroutine initialise()
      integer :: i, j
      do j = 0, ny + 1
         do i = 0, nx + 1
            depth(i, j) = 40.0_dp + 20.0_dp*sin(3.14159_dp*i/(nx + 1))*sin(3.14159_dp*j/(ny + 1))
            eta(i, j) = 0.3_dp*cos(3.14159_dp*i/nx)
         end do
      end do
      u = 0.0_dp
      v = 0.0_dp
   end subroutine initialise

   subroutine step()
      integer :: i, j
      do j = 1, ny
         do i = 1, nx - 1
            u(i, j) = (1.0_dp - dt*drag)*u(i, j) - dt*g*(eta(i + 1, j) - eta(i, j))/dx
         end do
      end do
      do j = 1, ny - 1
         do i = 1, nx
            v(i, j) = (1.0_dp - dt*drag)*v(i, j) - dt*g*(eta(i, j + 1) - eta(i, j))/dx
         end do
      end do
      do j = 1, ny
         do i = 1, nx
            eta(i, j) = eta(i, j) - dt*((depth(i + 1, j) + depth(i, j))*u(i, j) &
                                        - (depth(i, j) + depth(i - 1, j))*u(i - 1, j) &
                                        + (depth(i, j + 1) + depth(i, j))*v(i, j) &
                                        - (depth(i, j) + depth(i, j - 1))*v(i, j - 1))/(2.0_dp*dx)
         end do
      end do
   end subroutine step

   subroutine note_gauge(istep)
      integer, intent(in) :: istep
      integer :: unit
      open (newunit=unit, file='gauge.txt', position='append', action='write')
      write (unit, '(i8,4es16.8)') istep, eta(1, 1), eta(nx, 1), eta(nx/2, ny/2), eta(nx, ny)
      close (unit)
   end subroutine note_gauge

   subroutine save_frame(unit, frame)
      integer, intent(in) :: unit, frame
      integer :: j
      do j = 1, ny
         write (unit, rec=(frame - 1)*ny + j) real(eta(1:nx, j))
      end do
      flush (unit)
   end subroutine save_frame

end module basin

program seiche
   use basin
   implicit none
   integer :: nstep, istep, unit, gauge
   character(len=16) :: arg

   nstep = 20000
   if (command_argument_count() > 0) then
      call get_command_argument(1, arg)
      read (arg, *) nstep
   end if
   open (newunit=gauge, file='gauge.txt', status='replace')
   close (gauge)
   open (newunit=unit, file='surface.dat', access='direct', form='unformatted', &
         recl=4*nx, status='replace', action='write')
   call initialise()
   do istep = 1, nstep
      call step()
      if (mod(istep, 100) == 0) call note_gauge(istep)
      if (mod(istep, 2000) == 0) call save_frame(unit, istep/2000)
   end do
   close (unit)
   print '(a,es16.8)', 'potential energy ', 0.5_dp*g*sum(eta(1:nx, 1:ny)**2)
end program seiche
