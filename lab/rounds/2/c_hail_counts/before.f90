! Hail swath statistics: every cell passed by a storm track gets its number
! of hits, the sum of diameters and the largest diameter updated.
module swath
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: nx = 120, ny = 90
  integer :: grid_unit = -1
contains
  subroutine grid_create(path)
    character(*), intent(in) :: path
    integer :: k
    open(newunit=grid_unit, file=path, access='direct', form='unformatted', &
         recl=24, status='replace', action='readwrite')
    do k = 1, nx*ny
      write(grid_unit, rec=k) 0.0_dp, 0.0_dp, 0.0_dp
    end do
  end subroutine

  subroutine grid_hit(i, j, diam)
    integer, intent(in) :: i, j
    real(dp), intent(in) :: diam
    real(dp) :: hits, total, top
    integer :: k
    k = (j - 1)*nx + i
    read(grid_unit, rec=k) hits, total, top
    hits = hits + 1.0_dp
    total = total + diam
    top = max(top, diam)
    write(grid_unit, rec=k) hits, total, top
  end subroutine

  subroutine grid_summary(hits, total, top)
    real(dp), intent(out) :: hits, total, top
    real(dp) :: a, b, c
    integer :: k
    hits = 0.0_dp
    total = 0.0_dp
    top = 0.0_dp
    do k = 1, nx*ny
      read(grid_unit, rec=k) a, b, c
      hits = hits + a
      total = total + b
      top = max(top, c)
    end do
    close(grid_unit)
  end subroutine
end module

program hail_counts
  use swath
  implicit none
  integer :: nstorm, s, step, i, j, w
  real(dp) :: x, y, dir, core, diam, hits, total, top
  character(32) :: arg

  nstorm = 200
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read(arg, *) nstorm
  end if
  call grid_create('swath.grd')
  do s = 1, nstorm
    x = 5.0_dp + mod(s*37, 60)
    y = 10.0_dp + mod(s*53, 70)
    dir = 0.4_dp*sin(0.7_dp*s)
    core = 1.0_dp + 0.05_dp*mod(s, 40)
    do step = 1, 50
      x = x + cos(dir)
      y = y + sin(dir)
      dir = dir + 0.01_dp*cos(0.3_dp*step)
      do w = -1, 1
        i = nint(x)
        j = nint(y) + w
        if (i < 1 .or. i > nx .or. j < 1 .or. j > ny) cycle
        diam = core*exp(-0.002_dp*(step - 25)**2)*(1.0_dp - 0.2_dp*abs(w))
        if (diam > 0.3_dp) call grid_hit(i, j, diam)
      end do
    end do
  end do
  call grid_summary(hits, total, top)
  print '(a,f12.0,a,f14.5,a,f9.5)', 'hits ', hits, ' sum ', total, ' largest ', top
end program
