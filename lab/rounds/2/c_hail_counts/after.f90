! Hail swath statistics: every cell passed by a storm track gets its number
! of hits, the sum of diameters and the largest diameter updated.
module swath
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: nx = 120, ny = 90
  real(dp) :: grid(3, nx*ny)
  character(256) :: grid_path
contains
  subroutine grid_create(path)
    character(*), intent(in) :: path
    grid_path = path
    grid = 0.0_dp
  end subroutine

  subroutine grid_hit(i, j, diam)
    integer, intent(in) :: i, j
    real(dp), intent(in) :: diam
    real(dp) :: hits, total, top
    integer :: k
    k = (j - 1)*nx + i
    hits = grid(1, k)
    total = grid(2, k)
    top = grid(3, k)
    hits = hits + 1.0_dp
    total = total + diam
    top = max(top, diam)
    grid(:, k) = [hits, total, top]
  end subroutine

  subroutine grid_summary(hits, total, top)
    real(dp), intent(out) :: hits, total, top
    integer :: u
    hits = sum(grid(1, :))
    total = sum(grid(2, :))
    top = maxval(grid(3, :))
    open(newunit=u, file=grid_path, access='stream', form='unformatted', status='replace')
    write(u) grid
    close(u)
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
