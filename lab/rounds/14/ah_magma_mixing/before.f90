! Mixing of two magmas in a chamber: tracers carry composition and temperature
! and are stirred by a time-periodic double vortex; diffusion acts between them
! by relaxation towards the cell average.  One restart file per rank.
module chamber
  use iso_fortran_env, only: r8 => real64, r4 => real32, i8 => int64
  implicit none
  real(r8), parameter :: pi = 3.14159265358979_r8
  real(r8), parameter :: swing = 0.18_r8, omega = 2.6_r8
  integer, parameter :: nc = 128                 ! averaging cells per side
  type :: magma
     real(r8), allocatable :: x(:), z(:)
     real(r8), allocatable :: si(:), temp(:)     ! silica fraction, deg C
  end type magma
contains

  subroutine fill_chamber(m, n, rank)
    type(magma), intent(inout) :: m
    integer, intent(in) :: n, rank
    integer :: i
    integer(i8) :: s
    allocate (m%x(n), m%z(n), m%si(n), m%temp(n))
    s = 1234567_i8 + 7907_i8*rank
    do i = 1, n
       s = iand(s*1103515245_i8 + 12345_i8, 2147483647_i8)
       m%x(i) = 2.0_r8*s/2147483648.0_r8
       s = iand(s*1103515245_i8 + 12345_i8, 2147483647_i8)
       m%z(i) = s/2147483648.0_r8
    end do
    m%si = merge(0.72_r8, 0.50_r8, m%z > 0.6_r8)
    m%temp = merge(820.0_r8, 1150.0_r8, m%z > 0.6_r8)
  end subroutine fill_chamber

  ! double gyre with oscillating separatrix
  subroutine stir(m, t, dt)
    type(magma), intent(inout) :: m
    real(r8), intent(in) :: t, dt
    real(r8) :: a, b, f, df, u, w
    integer :: i
    a = swing*sin(omega*t)
    b = 1.0_r8 - 2.0_r8*a
    do i = 1, size(m%x)
       f = a*m%x(i)**2 + b*m%x(i)
       df = 2.0_r8*a*m%x(i) + b
       u = -pi*sin(pi*f)*cos(pi*m%z(i))
       w = pi*cos(pi*f)*sin(pi*m%z(i))*df
       m%x(i) = min(max(m%x(i) + dt*u, 0.0_r8), 2.0_r8)
       m%z(i) = min(max(m%z(i) + dt*w, 0.0_r8), 1.0_r8)
    end do
  end subroutine stir

  subroutine relax(m, rate)
    type(magma), intent(inout) :: m
    real(r8), intent(in) :: rate
    real(r8) :: sum_s(nc, nc), sum_t(nc, nc)
    integer :: n(nc, nc), i, ix, iz
    sum_s = 0; sum_t = 0; n = 0
    do i = 1, size(m%x)
       ix = min(int(m%x(i)*0.5_r8*nc) + 1, nc)
       iz = min(int(m%z(i)*nc) + 1, nc)
       sum_s(ix, iz) = sum_s(ix, iz) + m%si(i)
       sum_t(ix, iz) = sum_t(ix, iz) + m%temp(i)
       n(ix, iz) = n(ix, iz) + 1
    end do
    do i = 1, size(m%x)
       ix = min(int(m%x(i)*0.5_r8*nc) + 1, nc)
       iz = min(int(m%z(i)*nc) + 1, nc)
       m%si(i) = m%si(i) + 0.1_r8*rate*(sum_s(ix, iz)/n(ix, iz) - m%si(i))
       m%temp(i) = m%temp(i) + rate*(sum_t(ix, iz)/n(ix, iz) - m%temp(i))
    end do
  end subroutine relax

  subroutine restart(m, rank, step)
    type(magma), intent(in) :: m
    integer, intent(in) :: rank, step
    character(len=24) :: name
    integer :: u
    write (name, '(a,i3.3,a)') 'chamber_', rank, '.rst'
    open (newunit=u, file=name, form='unformatted', access='stream', status='replace')
    write (u) step, size(m%x)
    write (u) m%x, m%z, m%si, m%temp
    close (u)
  end subroutine restart
end module chamber

program magma_mixing
  use mpi
  use chamber
  implicit none
  type(magma) :: m
  integer :: rank, ranks, ierr, step, nsteps, n
  real(r8) :: mine(2), all(2), var
  character(len=20) :: arg

  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  n = 400000; nsteps = 30
  if (command_argument_count() == 2) then
     call get_command_argument(1, arg); read (arg, *) n
     call get_command_argument(2, arg); read (arg, *) nsteps
  end if
  call fill_chamber(m, n, rank)
  do step = 1, nsteps
     call stir(m, 0.01_r8*step, 0.01_r8)
     call relax(m, 0.05_r8)
     if (mod(step, nsteps/3) == 0) call restart(m, rank, step)
  end do
  mine = [sum(m%si), sum(m%si**2)]
  call mpi_allreduce(mine, all, 2, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  all = all/(real(n, r8)*ranks)
  var = all(2) - all(1)**2
  if (rank == 0) print '(a,f9.6,a,f9.6)', 'silica ', all(1), '  spread ', sqrt(var)
  call mpi_finalize(ierr)
end program magma_mixing
