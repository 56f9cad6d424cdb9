! Nutrient - phytoplankton - zooplankton columns along a section; the ranks share
! the columns.  Each rank keeps its columns in a file of its own (one record per
! variable and day), the first one writes the table of the mean state.
program npz
  use mpi
  implicit none
  integer, parameter :: nz = 60
  double precision, parameter :: dz = 5d0, dt = 0.01d0            ! m, days
  double precision, parameter :: vmax = 1.4d0, ks = 0.8d0, graze = 0.9d0, mort = 0.08d0
  double precision, parameter :: kw = 0.04d0, kc = 0.03d0
  integer :: ierr, rank, nrank, ncol, days, n, i, d, k, unit
  double precision, allocatable :: nut(:,:), phy(:,:), zoo(:,:)
  double precision :: mine(3), all(3)
  character(len=16) :: arg
  character(len=32) :: name

  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, nrank, ierr)
  call get_command_argument(1, arg); read(arg, *) ncol
  call get_command_argument(2, arg); read(arg, *) days
  n = ncol/nrank
  allocate(nut(nz,n), phy(nz,n), zoo(nz,n))
  do i = 1, n
    do k = 1, nz
      nut(k,i) = 2d0 + 10d0*(1d0 - exp(-k*dz/120d0)) + 0.2d0*sin(0.1d0*(rank*n + i))
      phy(k,i) = 0.3d0*exp(-k*dz/50d0) + 0.01d0
      zoo(k,i) = 0.1d0*exp(-k*dz/60d0) + 0.01d0
    end do
  end do

  write(name, '(a,i3.3,a)') 'columns', rank, '.dat'
  unit = 31
  open(unit, file=name, form='unformatted', status='replace')
  if (rank == 0) open(32, file='mean.txt', status='replace')

  do d = 1, days
    do i = 1, n
      call column_day(nut(:,i), phy(:,i), zoo(:,i), d)
    end do
    write(unit) nut
    write(unit) phy
    write(unit) zoo
    mine = [ sum(nut), sum(phy), sum(zoo) ]
    call mpi_reduce(mine, all, 3, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
    if (rank == 0) then
      write(32, '(i5,3f14.8)') d, all/(dble(n)*nrank*nz)
      flush(32)
    end if
  end do
  close(unit)
  if (rank == 0) then
    close(32)
    print '(a,i5,a,3f12.6)', 'day', days, '  N P Z ', all/(dble(n)*nrank*nz)
  end if
  call mpi_finalize(ierr)

contains

  ! one day of biology and mixing in a column
  subroutine column_day(a, p, z, day)
    double precision, intent(inout) :: a(nz), p(nz), z(nz)
    integer, intent(in) :: day
    double precision :: light(nz), up, gr, mix, season
    integer :: s, j
    season = 0.6d0 + 0.4d0*sin(6.2831853d0*day/365d0)
    do s = 1, nint(1d0/dt)
      light(1) = 120d0*season
      do j = 2, nz
        light(j) = light(j-1)*exp(-(kw + kc*p(j-1))*dz)
      end do
      do j = 1, nz
        up = vmax*light(j)/sqrt(light(j)**2 + 900d0)*a(j)/(ks + a(j))*p(j)
        gr = graze*(1d0 - exp(-1.2d0*p(j)))*z(j)
        a(j) = a(j) + dt*(-up + 0.3d0*gr + mort*p(j) + 0.1d0*z(j)**2)
        p(j) = p(j) + dt*(up - gr - mort*p(j))
        z(j) = z(j) + dt*(0.7d0*gr - 0.1d0*z(j)**2)
      end do
      mix = merge(60d0, 8d0, season < 0.5d0)*dt/dz**2
      call diffuse(a, mix)
      call diffuse(p, mix)
      call diffuse(z, mix)
    end do
  end subroutine column_day

  subroutine diffuse(c, r)
    double precision, intent(inout) :: c(nz)
    double precision, intent(in) :: r
    double precision :: flux(0:nz)
    flux(0) = 0d0
    flux(nz) = 0d0
    flux(1:nz-1) = r*(c(2:nz) - c(1:nz-1))
    c = c + flux(1:nz) - flux(0:nz-1)
  end subroutine diffuse
end program npz
