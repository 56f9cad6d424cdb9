! Zero-dimensional engine cycle for the cylinders of an engine, one or more per rank:
! Wiebe heat release, pressure by crank angle, a trace file per cylinder.
module engine
  implicit none
  real(8), parameter :: bore = 0.086d0, stroke = 0.086d0, rod = 0.143d0, cr = 10.5d0
  real(8), parameter :: pi = 3.141592653589793d0, gam = 1.32d0
  type cylinder
    integer :: id
    real(8) :: p, v, spark, imep, pmax
  end type cylinder
contains
  real(8) function volume(theta)
    real(8), intent(in) :: theta
    real(8) :: r, vd
    r = 2d0 * rod / stroke
    vd = pi / 4d0 * bore**2 * stroke
    volume = vd / (cr - 1d0) + vd / 2d0 * (r + 1d0 - cos(theta) - sqrt(r**2 - sin(theta)**2))
  end function volume

  real(8) function burned(theta, start)
    real(8), intent(in) :: theta, start
    real(8) :: x
    x = (theta - start) / (50d0 * pi / 180d0)
    burned = 0d0
    if (x > 0d0) burned = 1d0 - exp(-5d0 * x**3)
  end function burned

  subroutine init_cylinder(c, id)
    type(cylinder), intent(out) :: c
    integer, intent(in) :: id
    c%id = id
    c%p = 1d5
    c%v = volume(-pi)
    c%spark = (-20d0 + id) * pi / 180d0
    c%imep = 0d0
    c%pmax = 0d0
  end subroutine init_cylinder

  subroutine turn(c, theta, dtheta, qtot)
    type(cylinder), intent(inout) :: c
    real(8), intent(in) :: theta, dtheta, qtot
    real(8) :: v2, q
    v2 = volume(theta + dtheta)
    q = qtot * (burned(theta + dtheta, c%spark) - burned(theta, c%spark))
    c%p = c%p * (c%v / v2)**gam + (gam - 1d0) * q / v2
    c%imep = c%imep + c%p * (v2 - c%v)
    c%v = v2
    c%pmax = max(c%pmax, c%p)
  end subroutine turn

  subroutine open_trace(id, u)
    integer, intent(in) :: id
    integer, intent(out) :: u
    character(len=32) :: fname
    write(fname, '(a,i2.2,a)') 'cyl', id, '.trc'
    open(newunit=u, file=fname, form='unformatted', access='stream', position='append', status='unknown')
  end subroutine open_trace

  subroutine trace(u, c, cycle, deg)
    integer, intent(in) :: u, cycle
    type(cylinder), intent(in) :: c
    real(8), intent(in) :: deg
    write(u) cycle, real(deg), real(c%p), real(c%v)
  end subroutine trace
end module engine

program cylinder_cycles
  use mpi
  use engine
  implicit none
  integer :: ierr, rank, nproc, ncyl, ncycle, i, k, n, u, ut
  real(8) :: theta, dth, best, gbest, work, gwork
  type(cylinder) :: c
  character(len=16) :: a
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  ncyl = 6; ncycle = 12
  if (command_argument_count() > 0) then
    call get_command_argument(1, a); read(a, *) ncyl
  end if
  if (command_argument_count() > 1) then
    call get_command_argument(2, a); read(a, *) ncycle
  end if
  dth = 0.25d0 * pi / 180d0
  best = 0d0; work = 0d0
  do i = rank + 1, ncyl, nproc
    call open_trace(i, ut)
    do k = 1, ncycle
      call init_cylinder(c, i)
      do n = 0, 1439
        theta = -pi + n * dth
        call turn(c, theta, dth, 1200d0 + 10d0 * mod(k * i, 7))
        call trace(ut, c, k, theta * 180d0 / pi)
      end do
      best = max(best, c%pmax)
      work = work + c%imep
    end do
    close(ut)
  end do
  call MPI_Reduce(best, gbest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  call MPI_Reduce(work, gwork, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    open(newunit=u, file='engine.txt', status='replace')
    write(u, '(a,i4,a,i5)') 'cylinders ', ncyl, ' cycles ', ncycle
    write(u, '(a,f10.4)') 'peak pressure bar ', gbest / 1d5
    close(u)
    print '(a,f10.4,a,f12.4)', 'peak pressure ', gbest / 1d5, ' work ', gwork
  end if
  call MPI_Finalize(ierr)
end program cylinder_cycles
