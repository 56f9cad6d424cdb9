! Surface drifters in a double gyre with eddies.  Each rank carries its share
! of the drifters; all positions go to one archive, record by record:
! id, lon, lat, temperature, age.
program drifters
  use mpi
  implicit none
  integer, parameter :: recbytes = 20
  double precision, parameter :: pi = 3.14159265358979d0, dt = 0.02d0
  integer :: ierr, rank, nrank, ntotal, nout, n, i, k
  character(len=16) :: arg
  real, allocatable :: lon(:), lat(:), temp(:), age(:)
  integer, allocatable :: id(:)
  double precision :: spread, total

  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, nrank, ierr)
  call get_command_argument(1, arg); read(arg, *) ntotal
  call get_command_argument(2, arg); read(arg, *) nout
  n = ntotal/nrank
  allocate(id(n), lon(n), lat(n), temp(n), age(n))
  do i = 1, n
    id(i) = rank*n + i
    lon(i) = real(mod(id(i)*0.7548776662d0, 1d0))*2.0
    lat(i) = real(mod(id(i)*0.5698402910d0, 1d0))
    temp(i) = 12.0 + 10.0*lat(i)
    age(i) = 0.0
  end do
  if (rank == 0) then
    open(11, file='drifters.arc', access='stream', form='unformatted', status='replace')
    close(11)
  end if
  call mpi_barrier(mpi_comm_world, ierr)
  open(11, file='drifters.arc', access='stream', form='unformatted', status='old')

  do k = 1, nout
    call drift(k*dt)
    call archive(k)
  end do
  close(11)

  spread = sum((dble(lon) - 1d0)**2 + (dble(lat) - 0.5d0)**2)
  call mpi_reduce(spread, total, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
  if (rank == 0) print '(a,i9,a,f12.6)', 'drifters', ntotal, '  rms distance from centre', &
                                         sqrt(total/ntotal)
  call mpi_finalize(ierr)

contains

  ! velocity of a double gyre whose separating line swings
  subroutine velocity(x, y, t, u, v)
    double precision, intent(in) :: x, y, t
    double precision, intent(out) :: u, v
    double precision :: a, f, df
    a = 0.25d0*sin(0.63d0*t)
    f = a*x*x + (1d0 - 2d0*a)*x
    df = 2d0*a*x + 1d0 - 2d0*a
    u = -0.1d0*pi*sin(pi*f)*cos(pi*y)
    v = 0.1d0*pi*cos(pi*f)*sin(pi*y)*df
  end subroutine velocity

  subroutine drift(t)
    double precision, intent(in) :: t
    double precision :: u, v
    integer :: j
    do j = 1, n
      call velocity(dble(lon(j)), dble(lat(j)), t, u, v)
      lon(j) = real(lon(j) + dt*u)
      lat(j) = real(lat(j) + dt*v)
      temp(j) = temp(j) + real(dt)*(12.0 + 10.0*lat(j) - temp(j))
      age(j) = age(j) + real(dt)
    end do
  end subroutine drift

  ! positions of time slot kout
  subroutine archive(kout)
    integer, intent(in) :: kout
    integer :: j
    integer(8) :: at
    at = 1_8 + (int(kout - 1, 8)*ntotal + int(rank, 8)*n)*recbytes
    write(11, pos=at) id(1), lon(1), lat(1), temp(1), age(1)
    do j = 2, n
      write(11) id(j), lon(j), lat(j), temp(j), age(j)
    end do
    flush(11)
    call mpi_barrier(mpi_comm_world, ierr)
  end subroutine archive
end program drifters
