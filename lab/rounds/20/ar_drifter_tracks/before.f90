! Surface drifters in a double-gyre; each rank follows its own and keeps a track file
! of positions for later animation.
module gyre
  implicit none
  real(8), parameter :: pi = 3.141592653589793d0
  type drifter
    real(8) :: x, y
    integer :: id
  end type drifter
contains
  subroutine velocity(x, y, t, u, v)
    real(8), intent(in) :: x, y, t
    real(8), intent(out) :: u, v
    real(8) :: a, b, f, dfdx
    a = 0.25d0 * sin(0.628d0 * t)
    b = 1d0 - 2d0 * a
    f = a * x * x + b * x
    dfdx = 2d0 * a * x + b
    u = -0.1d0 * pi * sin(pi * f) * cos(pi * y)
    v =  0.1d0 * pi * cos(pi * f) * sin(pi * y) * dfdx
  end subroutine velocity

  subroutine rk2(d, t, dt)
    type(drifter), intent(inout) :: d
    real(8), intent(in) :: t, dt
    real(8) :: u, v
    call velocity(d%x, d%y, t, u, v)
    call velocity(d%x + 0.5d0 * dt * u, d%y + 0.5d0 * dt * v, t + 0.5d0 * dt, u, v)
    d%x = d%x + dt * u
    d%y = d%y + dt * v
  end subroutine rk2

  subroutine release(d, n, rank)
    type(drifter), intent(out) :: d(:)
    integer, intent(in) :: n, rank
    integer :: i
    do i = 1, n
      d(i)%id = rank * n + i
      d(i)%x = 0.1d0 + 1.8d0 * mod(i * 7, n) / n
      d(i)%y = 0.1d0 + 0.8d0 * mod(i * 3 + rank, n) / n
    end do
  end subroutine release
end module gyre

module tracks
  use mpi
  implicit none
  integer, parameter :: nfield = 4
  integer :: fh
contains
  subroutine open_tracks(rank)
    integer, intent(in) :: rank
    character(len=24) :: fname
    integer :: ierr
    write(fname, '(a,i2.2,a)') 'tracks_', rank, '.bin'
    call MPI_File_open(MPI_COMM_SELF, fname, MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
  end subroutine open_tracks

  subroutine add_position(x, y, t, id)
    real(8), intent(in) :: x, y, t
    integer, intent(in) :: id
    real :: rec(nfield)
    integer :: ierr
    rec = [real(x), real(y), real(t), real(id)]
    call MPI_File_write(fh, rec, nfield, MPI_REAL, MPI_STATUS_IGNORE, ierr)
  end subroutine add_position

  subroutine close_tracks()
    integer :: ierr
    call MPI_File_close(fh, ierr)
  end subroutine close_tracks
end module tracks

program drifter_tracks
  use mpi
  use gyre
  use tracks
  implicit none
  integer :: ierr, rank, nproc, n, nstep, i, s, u
  type(drifter), allocatable :: d(:)
  real(8), parameter :: dt = 0.05d0
  real(8) :: acc(2), tot(2)
  character(len=16) :: a
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  n = 1000; nstep = 400
  if (command_argument_count() > 0) then
    call get_command_argument(1, a); read(a, *) n
  end if
  if (command_argument_count() > 1) then
    call get_command_argument(2, a); read(a, *) nstep
  end if
  allocate(d(n))
  call release(d, n, rank)
  call open_tracks(rank)
  do s = 1, nstep
    do i = 1, n
      call rk2(d(i), s * dt, dt)
      call add_position(d(i)%x, d(i)%y, s * dt, d(i)%id)
    end do
  end do
  call close_tracks()
  acc = [sum(d%x), sum(d%y)]
  call MPI_Reduce(acc, tot, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    open(newunit=u, file='drifters.txt', status='replace')
    write(u, '(a,2i8)') 'drifters steps', n * nproc, nstep
    close(u)
    print '(a,2f12.8)', 'centre of mass ', tot / (n * nproc)
  end if
  call MPI_Finalize(ierr)
end program drifter_tracks
