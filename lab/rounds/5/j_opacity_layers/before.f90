! Rosseland mean opacity and optical depth of the layers of a model atmosphere.
module opacity
   implicit none
   integer, parameter :: dp = kind(1.0d0)
   integer, parameter :: nwave = 20000, ntemp = 40
   real(dp), parameter :: tfirst = 2500.0_dp, tstep = 150.0_dp
   real(dp) :: kappa(nwave, ntemp)
   real(dp) :: weight(nwave)
contains

   subroutine load_table(path)
      character(len=*), intent(in) :: path
      integer :: unit, ios
      open (newunit=unit, file=path, access='stream', form='unformatted', &
            status='old', action='read', iostat=ios)
      if (ios /= 0) stop 'opacity table is missing'
      read (unit) kappa
      close (unit)
   end subroutine load_table

   subroutine planck_weights(t)
      real(dp), intent(in) :: t
      real(dp) :: lambda, x
      integer :: i
      do i = 1, nwave, 8
         lambda = 0.3_dp + 1.0e-4_dp*i
         x = 14387.8_dp/(lambda*t)
         weight(i) = x**4*exp(-x)/lambda**2
      end do
   end subroutine planck_weights

   function rosseland_mean(t) result(mean)
      real(dp), intent(in) :: t
      real(dp) :: mean, f, k, above, below
      integer :: i, j
      j = min(ntemp - 1, max(1, int((t - tfirst)/tstep) + 1))
      f = (t - (tfirst + (j - 1)*tstep))/tstep
      above = 0.0_dp
      below = 0.0_dp
      do i = 1, nwave, 8
         k = (1.0_dp - f)*kappa(i, j) + f*kappa(i, j + 1)
         above = above + weight(i)
         below = below + weight(i)/k
      end do
      mean = above/below
   end function rosseland_mean

   function scattering_floor() result(low)
      real(dp) :: low
      integer :: j
      low = huge(low)
      do j = 1, ntemp
         low = min(low, minval(kappa(1::64, j)))
      end do
   end function scattering_floor

   subroutine layer_opacity(t, mean, low)
      real(dp), intent(in) :: t
      real(dp), intent(out) :: mean, low
      call load_table('kappa.tab')
      call planck_weights(t)
      mean = rosseland_mean(t)
      low = scattering_floor()
   end subroutine layer_opacity

end module opacity

program atmosphere
   use opacity
   implicit none
   integer :: nlayer, layer
   real(dp) :: t, rho, dz, tau, mean, low
   character(len=16) :: arg

   nlayer = 500
   if (command_argument_count() > 0) then
      call get_command_argument(1, arg)
      read (arg, *) nlayer
   end if

   tau = 0.0_dp
   dz = 6.0e7_dp/nlayer
   do layer = 1, nlayer
      t = 3800.0_dp + 4000.0_dp*(real(layer, dp)/nlayer)**2
      rho = 1.0e-7_dp*exp(3.0_dp*layer/nlayer)
      call layer_opacity(t, mean, low)
      tau = tau + max(mean, low)*rho*dz
      if (mod(layer, max(1, nlayer/10)) == 0) &
         print '(i6,f10.2,3es14.5)', layer, t, mean, low, tau
   end do
end program atmosphere
