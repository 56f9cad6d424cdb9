! Heat conduction in a rod bundle, one strip per rank. Each rank keeps a
! probe file; now and then the ranks report one after the other.
module strip_mod
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  type :: strip
    integer :: rank, nranks, nx, ny
    real(dp), allocatable :: t(:,:), new(:,:)
  end type strip
contains

  subroutine strip_init(s, nx, ny)
    type(strip), intent(out) :: s
    integer, intent(in) :: nx, ny
    integer :: ierr, i, j
    call MPI_Comm_rank(MPI_COMM_WORLD, s%rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, s%nranks, ierr)
    s%nx = nx
    s%ny = ny/s%nranks
    allocate(s%t(nx, 0:s%ny+1), s%new(nx, 0:s%ny+1))
    do j = 0, s%ny + 1
      do i = 1, nx
        s%t(i, j) = 300.0_dp + 50.0_dp*sin(0.02_dp*i)*cos(0.03_dp*(j + s%rank*s%ny))
      end do
    end do
    s%new = s%t
  end subroutine strip_init

  subroutine exchange(s)
    type(strip), intent(inout) :: s
    integer :: ierr, up, down
    up = s%rank + 1
    if (up == s%nranks) up = MPI_PROC_NULL
    down = s%rank - 1
    if (down < 0) down = MPI_PROC_NULL
    call MPI_Sendrecv(s%t(:, s%ny), s%nx, MPI_DOUBLE_PRECISION, up, 1, s%t(:, 0), s%nx, &
                      MPI_DOUBLE_PRECISION, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(s%t(:, 1), s%nx, MPI_DOUBLE_PRECISION, down, 2, s%t(:, s%ny+1), s%nx, &
                      MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine exchange

  subroutine relax(s)
    type(strip), intent(inout) :: s
    integer :: i, j
    real(dp) :: k
    do j = 1, s%ny
      do i = 2, s%nx - 1
        k = 0.2_dp/(1.0_dp + 1.0e-3_dp*sqrt(s%t(i, j)))
        s%new(i, j) = s%t(i, j) + k*(s%t(i-1, j) + s%t(i+1, j) + s%t(i, j-1) + s%t(i, j+1) - 4.0_dp*s%t(i, j))
      end do
    end do
    s%t(2:s%nx-1, 1:s%ny) = s%new(2:s%nx-1, 1:s%ny)
  end subroutine relax

  subroutine report(s, step)
    type(strip), intent(in) :: s
    integer, intent(in) :: step
    integer :: r, ierr, u
    do r = 0, s%nranks - 1
      if (r == s%rank) then
        open(newunit=u, file='report.txt', position='append', action='write')
        write(u, '(i8,i5,2f12.5)') step, s%rank, minval(s%t), maxval(s%t)
        close(u)
      end if
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end do
  end subroutine report
end module strip_mod

program heat
  use strip_mod
  implicit none
  type(strip) :: s
  integer :: nx, ny, nsteps, step, ierr, probe
  character(40) :: arg
  real(dp) :: total, mine
  call MPI_Init(ierr)
  call get_command_argument(1, arg); read(arg, *) nx
  call get_command_argument(2, arg); read(arg, *) ny
  call get_command_argument(3, arg); read(arg, *) nsteps
  call strip_init(s, nx, ny)
  write(arg, '(a,i3.3,a)') 'probe_', s%rank, '.txt'
  open(newunit=probe, file=trim(arg), status='replace')
  do step = 1, nsteps
    call exchange(s)
    call relax(s)
    write(probe, '(i8,3f14.7)') step, s%t(nx/4, s%ny/2), s%t(nx/2, s%ny/2), s%t(3*nx/4, s%ny/2)
    if (mod(step, nsteps/5) == 0) call report(s, step)
  end do
  close(probe)
  mine = sum(s%t(:, 1:s%ny))
  call MPI_Reduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (s%rank == 0) print '(a,f18.6)', 'mean temperature ', total/(real(nx, dp)*ny)
  call MPI_Finalize(ierr)
end program heat
