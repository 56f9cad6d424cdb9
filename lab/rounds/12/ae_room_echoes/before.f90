! Impulse responses of a shoebox hall by the image-source method: every
! microphone of an array hears the direct sound and the mirrored sources,
! damped by the walls and the air.
module hall_mod
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: c_air = 343.2_dp, fs = 48000.0_dp, pi = 3.14159265358979_dp
  type hall
     real(dp) :: size(3) = [24.0_dp, 16.5_dp, 9.2_dp]
     real(dp) :: refl(3) = [0.86_dp, 0.82_dp, 0.71_dp]
     integer  :: order = 20
  end type hall
contains
  pure function image(x, l, n) result(xi)
    real(dp), intent(in) :: x, l
    integer, intent(in) :: n
    real(dp) :: xi
    if (mod(abs(n), 2) == 0) then
       xi = n * l + x
    else
       xi = n * l + l - x
    end if
  end function image

  ! adds one windowed-sinc arrival at a fractional delay
  subroutine add_arrival(h, delay, amp)
    real(dp), intent(inout) :: h(:)
    real(dp), intent(in) :: delay, amp
    integer :: i, i0
    real(dp) :: t
    i0 = int(delay)
    do i = max(1, i0 - 8), min(size(h), i0 + 9)
       t = real(i, dp) - delay
       if (abs(t) < 1.0e-9_dp) then
          h(i) = h(i) + amp
       else
          h(i) = h(i) + amp * sin(pi * t) / (pi * t) * (0.5_dp + 0.5_dp * cos(pi * t / 9.0_dp))
       end if
    end do
  end subroutine add_arrival

  subroutine respond(room, src, mic, h)
    type(hall), intent(in) :: room
    real(dp), intent(in) :: src(3), mic(3)
    real(dp), intent(out) :: h(:)
    integer :: a, b, c, n
    real(dp) :: p(3), r, amp
    h = 0.0_dp
    n = room%order
    do a = -n, n
       do b = -n, n
          do c = -n, n
             if (abs(a) + abs(b) + abs(c) > n) cycle
             p = [image(src(1), room%size(1), a), image(src(2), room%size(2), b), &
                  image(src(3), room%size(3), c)]
             r = norm2(p - mic)
             amp = room%refl(1)**abs(a) * room%refl(2)**abs(b) * room%refl(3)**abs(c)
             amp = amp * exp(-0.0012_dp * r) / (4.0_dp * pi * r)
             call add_arrival(h, r / c_air * fs, amp)
          end do
       end do
    end do
  end subroutine respond
end module hall_mod

! The set of responses that the auralisation program takes in.
module set_mod
  use hall_mod, only: dp
  implicit none
  private
  public :: set_open, set_put, set_close
  integer :: unit_set
contains
  subroutine set_open(path, nmic, nt)
    character(*), intent(in) :: path
    integer, intent(in) :: nmic, nt
    open(newunit=unit_set, file=path, status='replace', action='write')
    write(unit_set, '(2i10)') nmic, nt
  end subroutine set_open

  subroutine set_put(mic, h)
    real(dp), intent(in) :: mic(3), h(:)
    write(unit_set, '(3es24.16)') mic
    write(unit_set, '(5es24.16)') h
  end subroutine set_put

  subroutine set_close()
    close(unit_set)
  end subroutine set_close
end module set_mod

program room_echoes
  use hall_mod
  use set_mod
  implicit none
  type(hall) :: room
  real(dp), allocatable :: h(:)
  real(dp) :: mic(3), energy, late
  integer :: nmic, nt, m
  character(32) :: arg
  nmic = 80
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read(arg, *) nmic
  end if
  nt = 36000
  allocate(h(nt))
  call set_open('responses.set', nmic, nt)
  do m = 1, nmic
     mic = [8.0_dp + 0.17_dp * m, 4.0_dp + 0.11_dp * mod(m, 7), 1.3_dp]
     call respond(room, [3.1_dp, 7.9_dp, 1.8_dp], mic, h)
     energy = sum(h**2)
     late = sum(h(nint(0.08_dp * fs):)**2)
     if (mod(m, 20) == 0) print '(a,i4,a,f8.3,a)', 'mic ', m, '  clarity C80 ', &
          10.0_dp * log10((energy - late) / late), ' dB'
     call set_put(mic, h)
  end do
  call set_close()
end program room_echoes
