! Photon packets walk through a hot envelope; every scattering takes the
! opacity spectrum of the local (temperature, density) cell of the table.
module opacity_table
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: nt = 160, nrho = 125, nfreq = 256
  integer :: unit_table = -1
contains
  subroutine build_table(path)
    character(*), intent(in) :: path
    integer :: u, it, ir, k
    real(dp) :: row(nfreq), logt, logr
    open(newunit=u, file=path, access='stream', form='unformatted', status='replace')
    do it = 1, nt
      logt = 3.5_dp + 4.0_dp*(it - 1)/(nt - 1)
      do ir = 1, nrho
        logr = -12.0_dp + 10.0_dp*(ir - 1)/(nrho - 1)
        do k = 1, nfreq
          row(k) = 0.2_dp + 1.d-2*abs(logr)*(8.0_dp - logt)*(1.0_dp + 0.5_dp*mod(k*it + ir, 97)/97.0_dp)
        end do
        write(u) row
      end do
    end do
    close(u)
  end subroutine

  subroutine open_table(path)
    character(*), intent(in) :: path
    open(newunit=unit_table, file=path, access='direct', form='unformatted', &
         recl=8*nfreq, status='old', action='read')
  end subroutine

  subroutine spectrum_at(it, ir, kappa)
    integer, intent(in) :: it, ir
    real(dp), intent(out) :: kappa(nfreq)
    read(unit_table, rec=(it - 1)*nrho + ir) kappa
  end subroutine
end module

module rng
  use opacity_table, only: dp
  implicit none
  integer(8) :: state = 88172645463325252_8
contains
  real(dp) function uniform()
    state = ieor(state, ishft(state, 13))
    state = ieor(state, ishft(state, -7))
    state = ieor(state, ishft(state, 17))
    uniform = real(iand(state, 1048575_8), dp)/1048576.0_dp
  end function
end module

program opacity_walk
  use opacity_table
  use rng
  implicit none
  integer :: npacket, ip, is, it, ir, kf
  real(dp) :: kappa(nfreq), depth, r, weight, escaped
  character(32) :: arg

  npacket = 4000
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read(arg, *) npacket
  end if
  call build_table('opacity.tab')
  call open_table('opacity.tab')

  escaped = 0.0_dp
  do ip = 1, npacket
    r = 0.1_dp
    weight = 1.0_dp
    kf = 1 + int(uniform()*nfreq)
    do is = 1, 12
      it = 1 + int(uniform()*nt)
      ir = 1 + int(uniform()*nrho)
      call spectrum_at(it, ir, kappa)
      depth = -log(1.0_dp - uniform())/kappa(kf)
      r = r + 0.05_dp*depth
      weight = weight*(1.0_dp - 0.02_dp*kappa(kf)/maxval(kappa))
      if (r > 4.0_dp) exit
      kf = maxloc(kappa(max(1, kf - 8):min(nfreq, kf + 8)), 1) + max(1, kf - 8) - 1
    end do
    escaped = escaped + weight
  end do
  close(unit_table)
  print '(a,i0,a,f14.8)', 'packets ', npacket, '  escaped weight ', escaped/npacket
end program
