! Shallow-ice flow of a mountain glacier on a grid.
!
! Explicit diffusion of ice thickness with Glen's law and an elevation dependent
! mass balance.  Every forty years a restart file is replaced and the terminus
! position is appended to a table; the bed is read back once at the start.
program glacier
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nx = 240, ny = 160
  real(dp), parameter :: dx = 50.0_dp          ! m
  real(dp), parameter :: gamma = 1.9e-10_dp    ! 2A(rho g)^3/5 in 1/(m3 yr)
  real(dp), parameter :: grad = 0.006_dp       ! 1/yr
  real(dp), parameter :: bmax = 1.8_dp         ! m/yr
  real(dp) :: bed(nx, ny), h(nx, ny), s(nx, ny), d(nx, ny)
  real(dp) :: ela, t, dt, dmax
  integer :: years, next_out, nstep, u
  character(32) :: arg

  years = 400
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read (arg, *) years
  end if
  call make_bed(bed)
  open (newunit=u, file='bed.bin', form='unformatted', access='stream', status='replace')
  write (u) bed
  close (u)
  h = 0.0_dp
  t = 0.0_dp
  nstep = 0
  next_out = 40
  do while (t < years)
    s = bed + h
    call diffusivity(s, h, d)
    dmax = max(maxval(d), 1.0_dp)
    dt = min(0.05_dp, 0.2_dp * dx * dx / dmax)
    ela = 2850.0_dp + 40.0_dp * sin(t / 17.0_dp)
    call step(s, d, h, dt, ela)
    t = t + dt
    nstep = nstep + 1
    if (t >= next_out) then
      call save_restart(h, t)
      call append_terminus(h, t)
      next_out = next_out + 40
    end if
  end do
  print '(a,i0,a,f10.4,a,f8.2)', 'steps ', nstep, '  volume km3 ', &
    sum(h) * dx * dx * 1e-9_dp, '  max thickness m ', maxval(h)

contains

  subroutine make_bed(b)
    real(dp), intent(out) :: b(nx, ny)
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        b(i, j) = 3300.0_dp - 0.09_dp * dx * i + 350.0_dp * ((j - ny / 2) / (0.5_dp * ny))**2 &
                  + 15.0_dp * sin(0.13_dp * i) * cos(0.11_dp * j)
      end do
    end do
  end subroutine make_bed

  subroutine diffusivity(s, h, d)
    real(dp), intent(in) :: s(nx, ny), h(nx, ny)
    real(dp), intent(out) :: d(nx, ny)
    real(dp) :: gx, gy
    integer :: i, j
    d = 0.0_dp
    do j = 2, ny - 1
      do i = 2, nx - 1
        gx = (s(i + 1, j) - s(i - 1, j)) / (2 * dx)
        gy = (s(i, j + 1) - s(i, j - 1)) / (2 * dx)
        d(i, j) = gamma * h(i, j)**5 * (gx * gx + gy * gy)
      end do
    end do
  end subroutine diffusivity

  subroutine step(s, d, h, dt, ela)
    real(dp), intent(in) :: s(nx, ny), d(nx, ny), dt, ela
    real(dp), intent(inout) :: h(nx, ny)
    real(dp) :: fe, fw, fn, fs, mb
    integer :: i, j
    do j = 2, ny - 1
      do i = 2, nx - 1
        fe = 0.5_dp * (d(i, j) + d(i + 1, j)) * (s(i + 1, j) - s(i, j))
        fw = 0.5_dp * (d(i, j) + d(i - 1, j)) * (s(i, j) - s(i - 1, j))
        fn = 0.5_dp * (d(i, j) + d(i, j + 1)) * (s(i, j + 1) - s(i, j))
        fs = 0.5_dp * (d(i, j) + d(i, j - 1)) * (s(i, j) - s(i, j - 1))
        mb = min(grad * (s(i, j) - ela), bmax)
        h(i, j) = max(h(i, j) + dt * ((fe - fw + fn - fs) / (dx * dx) + mb), 0.0_dp)
      end do
    end do
  end subroutine step

  subroutine save_restart(h, t)
    real(dp), intent(in) :: h(nx, ny), t
    integer :: v
    open (newunit=v, file='restart.bin', form='unformatted', access='stream', status='replace')
    write (v) t, h
    close (v)
  end subroutine save_restart

  subroutine append_terminus(h, t)
    real(dp), intent(in) :: h(nx, ny), t
    integer :: v, i
    do i = nx, 1, -1
      if (h(i, ny / 2) > 1.0_dp) exit
    end do
    open (newunit=v, file='terminus.txt', position='append', status='unknown')
    write (v, '(f8.2,f10.1,f9.2)') t, i * dx, maxval(h)
    close (v)
  end subroutine append_terminus

end program glacier
