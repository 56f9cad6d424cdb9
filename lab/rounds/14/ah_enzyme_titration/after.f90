!----------------------------------------------------------------------
!  Progress curves of an enzyme with substrate inhibition and a slowly
!  binding inhibitor, for a titration over substrate and inhibitor.
!  Result: titration.bin with (S0, I0, t, P, v) per reading.
!----------------------------------------------------------------------
module kinetics
  implicit none
  integer, parameter :: wp = selected_real_kind(12)
  real(wp), parameter :: kcat = 42.0_wp      ! 1/s
  real(wp), parameter :: km   = 18.0_wp      ! uM
  real(wp), parameter :: ksi  = 310.0_wp     ! uM, substrate inhibition
  real(wp), parameter :: kon  = 0.0041_wp    ! 1/(uM s)
  real(wp), parameter :: koff = 0.0007_wp    ! 1/s
  real(wp), parameter :: e0   = 0.02_wp      ! uM

  type :: cuvette
     real(wp) :: s, p, bound                 ! substrate, product, inhibited enzyme
     real(wp) :: s0, i0, t
  end type cuvette
contains

  pure function velocity(c) result(v)
    type(cuvette), intent(in) :: c
    real(wp) :: v
    v = kcat*(e0 - c%bound)*c%s/(km + c%s*(1.0_wp + c%s/ksi))
  end function velocity

  pure subroutine rates(c, ds, db)
    type(cuvette), intent(in) :: c
    real(wp), intent(out) :: ds, db
    ds = -velocity(c)
    db = kon*(e0 - c%bound)*c%i0/(1.0_wp + c%s/km) - koff*c%bound
  end subroutine rates

  ! classical Runge-Kutta over one reading interval
  subroutine incubate(c, dt, n)
    type(cuvette), intent(inout) :: c
    real(wp), intent(in) :: dt
    integer, intent(in) :: n
    type(cuvette) :: w
    real(wp) :: h, a(4), b(4)
    integer :: i
    h = dt/n
    do i = 1, n
       w = c
       call rates(w, a(1), b(1))
       w%s = c%s + 0.5_wp*h*a(1); w%bound = c%bound + 0.5_wp*h*b(1)
       call rates(w, a(2), b(2))
       w%s = c%s + 0.5_wp*h*a(2); w%bound = c%bound + 0.5_wp*h*b(2)
       call rates(w, a(3), b(3))
       w%s = c%s + h*a(3); w%bound = c%bound + h*b(3)
       call rates(w, a(4), b(4))
       c%s = max(0.0_wp, c%s + h*(a(1) + 2*a(2) + 2*a(3) + a(4))/6)
       c%bound = c%bound + h*(b(1) + 2*b(2) + 2*b(3) + b(4))/6
       c%t = c%t + h
    end do
    c%p = c%s0 - c%s
  end subroutine incubate
end module kinetics

program titration
  use kinetics
  implicit none
  integer :: ns, ni, nread, is, ii, k, u
  type(cuvette) :: c
  real(wp) :: fastest
  character(len=16) :: arg

  ns = 30; ni = 20; nread = 300
  if (command_argument_count() == 3) then
     call get_command_argument(1, arg); read (arg, *) ns
     call get_command_argument(2, arg); read (arg, *) ni
     call get_command_argument(3, arg); read (arg, *) nread
  end if
  fastest = 0.0_wp
  open (newunit=u, file='titration.bin', access='stream', form='unformatted', &
        status='replace')

  do is = 1, ns
     do ii = 0, ni - 1
        c = cuvette(0, 0, 0, 0, 0, 0)
        c%s0 = 2.0_wp*1.25_wp**is
        c%s = c%s0
        c%i0 = 0.4_wp*ii
        do k = 1, nread
           call incubate(c, 2.0_wp, 10)
           fastest = max(fastest, velocity(c))
           call reading(c)
        end do
     end do
  end do
  close (u)
  print '(i0,a,f9.5,a)', ns*ni*nread, ' readings, fastest ', fastest, ' uM/s'

contains

  subroutine reading(c)
    type(cuvette), intent(in) :: c
    write (u) c%s0, c%i0, c%t, c%p, velocity(c)
  end subroutine reading

end program titration
