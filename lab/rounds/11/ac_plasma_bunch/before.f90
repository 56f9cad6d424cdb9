! Electron bunch in a focusing channel with a cold plasma background.
! Every rank tracks its own share of the macro-particles; the phase space
! of the whole bunch is stored at the monitor stations along the channel.
program bunch
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: npart = 120000        ! macro-particles per rank
  real(dp), parameter :: kfoc = 0.8_dp, kick = 0.02_dp, ds = 0.05_dp
  real(dp), allocatable :: x(:,:), p(:,:)     ! (2, npart): horizontal, vertical
  integer, allocatable :: id(:)
  integer :: rank, nranks, ierr, station, nstations, nsub, k
  real(dp) :: emit(2), total(2)
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  nstations = 20; nsub = 8
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg); read(arg, *) nstations
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, arg); read(arg, *) nsub
  end if

  allocate(x(2,npart), p(2,npart), id(npart))
  call load_bunch()
  call start_file()
  do station = 1, nstations
    do k = 1, nsub
      call advance((station-1)*nsub + k)
    end do
    call store_station(station)
  end do
  call emittance(emit)
  call MPI_Reduce(emit, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,2es14.6)', 'mean emittance x, y:', total / nranks
  call MPI_Finalize(ierr)

contains

  subroutine load_bunch()
    integer :: i, n
    integer, allocatable :: seed(:)
    real(dp) :: r(4)
    call random_seed(size=n)
    allocate(seed(n)); seed = 4711 + 17*rank
    call random_seed(put=seed)
    do i = 1, npart
      call random_number(r)
      r(1) = sqrt(-2*log(1 - r(1))); r(3) = sqrt(-2*log(1 - r(3)))
      x(:,i) = [r(1)*cos(6.2831853_dp*r(2)), r(1)*sin(6.2831853_dp*r(2))]
      p(:,i) = 0.3_dp*[r(3)*cos(6.2831853_dp*r(4)), r(3)*sin(6.2831853_dp*r(4))]
      id(i) = rank*npart + i
    end do
  end subroutine

  ! leap-frog through one lattice element: alternating quadrupole + plasma lens
  subroutine advance(element)
    integer, intent(in) :: element
    integer :: i
    real(dp) :: g, r2
    g = merge(kfoc, -kfoc, mod(element, 2) == 0)
    do i = 1, npart
      x(:,i) = x(:,i) + 0.5_dp*ds*p(:,i)
      r2 = x(1,i)**2 + x(2,i)**2
      p(1,i) = p(1,i) - ds*( g*x(1,i) + kick*x(1,i)*exp(-r2))
      p(2,i) = p(2,i) - ds*(-g*x(2,i) + kick*x(2,i)*exp(-r2))
      x(:,i) = x(:,i) + 0.5_dp*ds*p(:,i)
    end do
  end subroutine

  subroutine start_file()
    integer :: u
    if (rank == 0) then
      open(newunit=u, file='phasespace.bin', access='stream', form='unformatted', status='replace')
      close(u)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine

  ! record: particle number (4 bytes), x, y, px, py (single precision)
  subroutine store_station(station)
    integer, intent(in) :: station
    integer :: turn, u, i
    do turn = 0, nranks - 1
      if (turn == rank) then
        open(newunit=u, file='phasespace.bin', access='stream', form='unformatted', &
             status='old', position='append')
        do i = 1, npart
          write(u) id(i), real(x(:,i), 4), real(p(:,i), 4)
        end do
        close(u)
      end if
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end do
  end subroutine

  subroutine emittance(e)
    real(dp), intent(out) :: e(2)
    integer :: d
    real(dp) :: xx, pp, xp
    do d = 1, 2
      xx = sum(x(d,:)**2)/npart; pp = sum(p(d,:)**2)/npart; xp = sum(x(d,:)*p(d,:))/npart
      e(d) = sqrt(xx*pp - xp**2)
    end do
  end subroutine
end program
