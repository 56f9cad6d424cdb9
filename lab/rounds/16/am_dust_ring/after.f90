! Dust grains in a planetary ring under gravity, radiation pressure and drag.
!
! The grains are spread over the ranks.  They move in the field of the planet
! and of a small shepherd moon; every few steps each rank adds the state of its
! grains to its own track file.
program dust_ring
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0), sp = kind(1.0)
  real(dp), parameter :: dt = 0.004_dp, mu_moon = 2.0e-4_dp, r_moon = 1.12_dp
  integer :: ngrain, nsteps, every, rank, nranks, ierr, k, u
  real(dp), allocatable :: x(:), y(:), vx(:), vy(:), beta(:)
  real(dp) :: e_local, e_total
  character(32) :: name

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  ngrain = int_arg(1, 400000) / nranks
  nsteps = int_arg(2, 40)
  every = 2
  allocate (x(ngrain), y(ngrain), vx(ngrain), vy(ngrain), beta(ngrain))
  call seed_grains()
  write (name, '(a,i0,a)') 'tracks_', rank, '.bin'
  open (newunit=u, file=name, form='unformatted', access='stream', status='replace')
  do k = 1, nsteps
    call advance(k * dt)
    if (mod(k, every) == 0) call dump(k)
  end do
  close (u)
  e_local = sum(0.5_dp * (vx**2 + vy**2) - (1 - beta) / sqrt(x**2 + y**2))
  call MPI_Reduce(e_local, e_total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,i0,a,f14.8)', 'grains ', ngrain * nranks, &
    '  mean energy ', e_total / (real(ngrain, dp) * nranks)
  call MPI_Finalize(ierr)

contains

  integer function int_arg(i, default)
    integer, intent(in) :: i, default
    character(32) :: arg
    int_arg = default
    if (command_argument_count() >= i) then
      call get_command_argument(i, arg)
      read (arg, *) int_arg
    end if
  end function int_arg

  subroutine seed_grains()
    integer :: i
    real(dp) :: phi, r, g
    do i = 1, ngrain
      g = mod((i + real(rank, dp) * ngrain) * 0.6180339887498949_dp, 1.0_dp)
      phi = 6.283185307179586_dp * g
      r = 0.9_dp + 0.2_dp * mod(i * 0.7548776662466927_dp, 1.0_dp)
      beta(i) = 0.02_dp * mod(i * 0.5698402909980532_dp, 1.0_dp)
      x(i) = r * cos(phi)
      y(i) = r * sin(phi)
      vx(i) = -sqrt((1 - beta(i)) / r) * sin(phi)
      vy(i) = sqrt((1 - beta(i)) / r) * cos(phi)
    end do
  end subroutine seed_grains

  subroutine advance(t)
    real(dp), intent(in) :: t
    real(dp) :: xm, ym, r2, w, d2, wm
    integer :: i
    xm = r_moon * cos(t / r_moon**1.5_dp)
    ym = r_moon * sin(t / r_moon**1.5_dp)
    do i = 1, ngrain
      r2 = x(i)**2 + y(i)**2
      w = (1 - beta(i)) / (r2 * sqrt(r2))
      d2 = (x(i) - xm)**2 + (y(i) - ym)**2 + 1.0e-5_dp
      wm = mu_moon / (d2 * sqrt(d2))
      vx(i) = vx(i) - dt * (w * x(i) + wm * (x(i) - xm) + 1.0e-3_dp * beta(i) * vx(i) / r2)
      vy(i) = vy(i) - dt * (w * y(i) + wm * (y(i) - ym) + 1.0e-3_dp * beta(i) * vy(i) / r2)
      x(i) = x(i) + dt * vx(i)
      y(i) = y(i) + dt * vy(i)
    end do
  end subroutine advance

  subroutine write_grains(step)
    integer, intent(in) :: step
    integer :: i
    write (u) step, ngrain
    do i = 1, ngrain
      write (u) i, real(x(i), sp), real(y(i), sp), real(vx(i), sp), real(vy(i), sp), &
        real(beta(i), sp)
    end do
  end subroutine write_grains

  subroutine dump(step)
    integer, intent(in) :: step
    call write_grains(step)
    flush (u)
  end subroutine dump

end program dust_ring
