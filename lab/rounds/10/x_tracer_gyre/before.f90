! Passive tracers in the time dependent double gyre; the trajectories are
! stored as plain binary records (id, step, x, y) for the plotting tools.
module rawfile
  use, intrinsic :: iso_c_binding
  implicit none

  type, bind(C) :: sample
     integer(c_int32_t) :: id
     integer(c_int32_t) :: step
     real(c_double)     :: x, y
  end type sample

  interface
     function c_creat(path, mode) bind(C, name='creat') result(fd)
       import :: c_char, c_int
       character(kind=c_char), intent(in) :: path(*)
       integer(c_int), value :: mode
       integer(c_int) :: fd
     end function c_creat
     function c_write(fd, buf, n) bind(C, name='write') result(done)
       import :: c_ptr, c_int, c_size_t
       integer(c_int), value :: fd
       type(c_ptr), value :: buf
       integer(c_size_t), value :: n
       integer(c_size_t) :: done
     end function c_write
     function c_close(fd) bind(C, name='close') result(rc)
       import :: c_int
       integer(c_int), value :: fd
       integer(c_int) :: rc
     end function c_close
  end interface

contains

  subroutine store(fd, p)
    integer(c_int), intent(in) :: fd
    type(sample), intent(in), target :: p(:)
    integer :: i
    do i = 1, size(p)
       if (c_write(fd, c_loc(p(i)), c_sizeof(p(i))) /= c_sizeof(p(i))) stop 2
    end do
  end subroutine store

end module rawfile

program tracer_gyre
  use rawfile
  implicit none
  real(8), parameter :: pi = 3.141592653589793d0
  real(8), parameter :: amp = 0.1d0, eps = 0.25d0, omega = 2.0d0*pi/10.0d0
  integer, parameter :: nsub = 3
  integer :: n, nsteps, i, s, k, left, fd, rc
  character(len=32) :: arg
  real(8) :: t, dt, spread, cx, cy
  type(sample), allocatable, target :: p(:)

  n = 6000
  nsteps = 140
  if (command_argument_count() >= 2) then
     call get_command_argument(1, arg); read(arg, *) n
     call get_command_argument(2, arg); read(arg, *) nsteps
  end if

  allocate(p(n))
  do i = 1, n
     p(i)%id = i
     p(i)%x = 0.6d0 + 0.8d0*mod(i*0.6180339887d0, 1.0d0)
     p(i)%y = 0.1d0 + 0.8d0*mod(i*0.7548776662d0, 1.0d0)
  end do

  fd = c_creat('tracks.bin'//c_null_char, int(o'644', c_int))
  if (fd < 0) stop 1
  dt = 0.1d0/nsub
  t = 0.0d0
  do s = 1, nsteps
     do k = 1, nsub
        do i = 1, n
           call rk2(p(i)%x, p(i)%y, t, dt)
        end do
        t = t + dt
     end do
     p(:)%step = s
     call store(fd, p)
  end do
  rc = c_close(fd)

  left = count(p(:)%x < 1.0d0)
  cx = sum(p(:)%x)/n
  cy = sum(p(:)%y)/n
  spread = sqrt(sum((p(:)%x - cx)**2 + (p(:)%y - cy)**2)/n)
  write(*, '(a,i0,a,f12.8,a,f12.8)') 'left gyre ', left, ' of all, spread ', spread, ' centre ', cx

contains

  subroutine velocity(x, y, t, u, v)
    real(8), intent(in) :: x, y, t
    real(8), intent(out) :: u, v
    real(8) :: a, b, f, fx
    a = eps*sin(omega*t)
    b = 1.0d0 - 2.0d0*a
    f = a*x*x + b*x
    fx = 2.0d0*a*x + b
    u = -pi*amp*sin(pi*f)*cos(pi*y)
    v = pi*amp*cos(pi*f)*sin(pi*y)*fx
  end subroutine velocity

  subroutine rk2(x, y, t, dt)
    real(8), intent(inout) :: x, y
    real(8), intent(in) :: t, dt
    real(8) :: u, v
    call velocity(x, y, t, u, v)
    call velocity(x + 0.5d0*dt*u, y + 0.5d0*dt*v, t + 0.5d0*dt, u, v)
    x = x + dt*u
    y = y + dt*v
  end subroutine rk2

end program tracer_gyre
