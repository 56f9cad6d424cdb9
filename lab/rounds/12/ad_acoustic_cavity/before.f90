! Sound field in a two-dimensional cavity with an absorbing wall, finite
! differences in time (leap-frog). The cavity is cut into strips, one for each
! process; the pressure of the strip is saved every now and then for the movie.
module movie
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  subroutine save_strip(p, frame, rank)
    real(dp), intent(in) :: p(:,:)
    integer, intent(in) :: frame, rank
    character(64) :: name
    integer :: lu
    write(name, '(a,i3.3,a,i2.2,a)') 'p_', frame, '_', rank, '.raw'
    open(newunit=lu, file=name, form='unformatted', access='stream', status='replace')
    write(lu) p
    close(lu)
  end subroutine save_strip
end module movie

program cavity
  use movie
  implicit none
  integer, parameter :: nx = 800
  real(dp), parameter :: c = 343d0, dx = 0.01d0, dt = 0.6d0*dx/c, pi = 3.141592653589793d0
  real(dp), allocatable :: p(:,:), q(:,:), s(:,:)
  real(dp) :: e, etot, k2, beta
  integer :: ierr, rank, nproc, ny, nstep, every, it, j, up, down, frame
  character(32) :: arg
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nstep = 800; every = 100
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg); read(arg, *) nstep
  end if
  if (command_argument_count() > 1) then
    call get_command_argument(2, arg); read(arg, *) every
  end if
  ny = 800/nproc
  up = rank + 1; if (up == nproc) up = MPI_PROC_NULL
  down = rank - 1; if (down < 0) down = MPI_PROC_NULL
  allocate(p(nx, 0:ny+1), q(nx, 0:ny+1), s(nx, ny))
  p = 0; q = 0
  k2 = (c*dt/dx)**2
  beta = 0.15d0
  frame = 0
  if (rank == 0) open(11, file='energy.txt', status='replace')
  do it = 1, nstep
    call exchange(p)
    do j = 1, ny
      s(2:nx-1, j) = 2*p(2:nx-1, j) - q(2:nx-1, j) + k2*(p(3:nx, j) + p(1:nx-2, j) &
                     + p(2:nx-1, j+1) + p(2:nx-1, j-1) - 4*p(2:nx-1, j))
      ! rigid wall on the left, absorbing panel on the right
      s(1, j) = s(2, j)
      s(nx, j) = p(nx, j) - beta*sqrt(k2)*(p(nx, j) - p(nx-1, j))
    end do
    if (rank == 0) s(nx/3, ny/2) = s(nx/3, ny/2) + dt**2*1d9*sin(2*pi*1200*it*dt)*exp(-(it/150d0)**2)
    q(:, 1:ny) = p(:, 1:ny)
    p(:, 1:ny) = s
    if (rank == 0) p(:, 0) = p(:, 1)
    if (rank == nproc - 1) p(:, ny+1) = p(:, ny)
    if (mod(it, every) == 0) then
      frame = frame + 1
      call save_strip(p(:, 1:ny), frame, rank)
      e = sum(p(:, 1:ny)**2) + sum(((p(:, 1:ny) - q(:, 1:ny))/dt)**2)*1d-9
      call MPI_Reduce(e, etot, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
      if (rank == 0) write(11, '(i7,es16.8)') it, etot
    end if
  end do
  if (rank == 0) then
    close(11)
    print '(a,i6,a,i4,a,es14.6)', 'steps', nstep, ', frames', frame, ', energy', etot
  end if
  call MPI_Finalize(ierr)
contains
  subroutine exchange(a)
    real(dp), intent(inout) :: a(:, 0:)
    integer :: st(MPI_STATUS_SIZE)
    call MPI_Sendrecv(a(:, ny), nx, MPI_DOUBLE_PRECISION, up, 1, &
                      a(:, 0), nx, MPI_DOUBLE_PRECISION, down, 1, MPI_COMM_WORLD, st, ierr)
    call MPI_Sendrecv(a(:, 1), nx, MPI_DOUBLE_PRECISION, down, 2, &
                      a(:, ny+1), nx, MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, st, ierr)
  end subroutine exchange
end program cavity
