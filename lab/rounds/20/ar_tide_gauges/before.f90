! Harmonic tide prediction at a set of gauges shared among the ranks; the levels of all
! gauges are kept in one file, a record of ngauge reals per time.
module tides
  implicit none
  integer, parameter :: ncon = 8
  real(8), parameter :: speed(ncon) = [28.9841042d0, 30d0, 28.4397295d0, 30.0821373d0, &
       15.0410686d0, 13.9430356d0, 14.9589314d0, 57.9682084d0]
  real(8), parameter :: deg = 0.017453292519943295d0
  type gauge
    real(8) :: amp(ncon), pha(ncon), z0
  end type gauge
contains
  subroutine make_gauge(g, id)
    type(gauge), intent(out) :: g
    integer, intent(in) :: id
    integer :: c
    g%z0 = 0.1d0 * mod(id, 4)
    do c = 1, ncon
      g%amp(c) = 1.2d0 / c + 0.05d0 * mod(id * c, 7)
      g%pha(c) = mod(37 * id + 61 * c, 360)
    end do
  end subroutine make_gauge

  real(8) function level(g, hours)
    type(gauge), intent(in) :: g
    real(8), intent(in) :: hours
    level = g%z0 + sum(g%amp * cos((speed * hours - g%pha) * deg))
  end function level
end module tides

program tide_gauges
  use mpi
  use tides
  implicit none
  integer :: ierr, rank, nproc, ng, nl, nt, it, i, fh, u
  type(gauge), allocatable :: g(:)
  real(8), allocatable :: z(:), zmax(:), gmax(:)
  real(8) :: total, mean
  integer(kind=MPI_OFFSET_KIND) :: off
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  call options(ng, nt)
  nl = ng / nproc
  ng = nl * nproc
  allocate(g(nl), z(nl), zmax(nl), gmax(ng))
  do i = 1, nl
    call make_gauge(g(i), rank * nl + i)
  end do
  call MPI_File_open(MPI_COMM_WORLD, 'levels.dat', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                     MPI_INFO_NULL, fh, ierr)
  zmax = -99d0
  mean = 0d0
  do it = 0, nt - 1
    do i = 1, nl
      z(i) = level(g(i), it / 6d0)
      mean = mean + z(i)
    end do
    zmax = max(zmax, z)
    off = (int(it, MPI_OFFSET_KIND) * ng + rank * nl) * 8
    call MPI_File_write_at_all(fh, off, z, nl, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
  end do
  call MPI_File_close(fh, ierr)
  call MPI_Gather(zmax, nl, MPI_DOUBLE_PRECISION, gmax, nl, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Reduce(mean, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    open(newunit=u, file='highwater.txt', status='replace')
    do i = 1, ng
      write(u, '(i5,f9.4)') i, gmax(i)
    end do
    close(u)
    print '(a,f9.4,a,f10.6,a,f10.6)', 'highest ', maxval(gmax), ' mean ', total / (dble(nt) * ng), ' file sum ', filesum()
  end if
  call MPI_Finalize(ierr)
contains
  subroutine options(ng, nt)
    integer, intent(out) :: ng, nt
    character(len=16) :: a
    ng = 16; nt = 20000
    if (command_argument_count() > 0) then
      call get_command_argument(1, a); read(a, *) ng
    end if
    if (command_argument_count() > 1) then
      call get_command_argument(2, a); read(a, *) nt
    end if
  end subroutine options

  real(8) function filesum()
    real(8), allocatable :: all(:)
    integer :: iu
    allocate(all(ng * nt))
    open(newunit=iu, file='levels.dat', access='stream', form='unformatted', status='old')
    read(iu) all
    close(iu)
    filesum = sum(all * cos([(0.1d0 * mod(i, 50), i = 1, ng * nt)])) / nt
  end function filesum
end program tide_gauges
