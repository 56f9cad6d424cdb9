! Premixed flame front with stiff chemistry: cells in the reaction zone are substepped,
! burnt and fresh cells are not. Temperature snapshots go to one file, slab by slab.
module chem
  implicit none
  integer :: nx = 300, ny = 240, nstep = 16, nsub = 300
contains
  subroutine options()
    character(len=16) :: a
    if (command_argument_count() > 0) then
      call get_command_argument(1, a); read(a, *) nstep
    end if
    if (command_argument_count() > 1) then
      call get_command_argument(2, a); read(a, *) nsub
    end if
  end subroutine options

  subroutine init(t, y, x0, nl)
    real(8), intent(out) :: t(:,:), y(:,:)
    integer, intent(in) :: x0, nl
    integer :: i, j
    real(8) :: xi
    do j = 1, nl
      xi = (x0 + j - 0.2d0 * nx) / 12d0
      do i = 1, ny
        t(i, j) = 300d0 + 1800d0 / (1d0 + exp(xi + 0.3d0 * sin(0.1d0 * i)))
        y(i, j) = 1d0 - (t(i, j) - 300d0) / 1800d0
      end do
    end do
  end subroutine init

  subroutine react(t, y)
    real(8), intent(inout) :: t, y
    real(8) :: w, dt
    integer :: k
    if (t < 600d0 .or. y < 0.02d0) return
    dt = 1d-2 / nsub
    do k = 1, nsub
      w = 3d3 * y * exp(-9000d0 / t)
      y = max(0d0, y - dt * w)
      t = t + 1800d0 * dt * w
    end do
  end subroutine react
end module chem

program premixed_front
  use mpi
  use chem
  implicit none
  integer :: ierr, rank, nproc, nl, i, j, s, fh, u
  real(8), allocatable :: t(:,:), y(:,:)
  real(8) :: fuel, allfuel
  integer(kind=MPI_OFFSET_KIND) :: off, fsize
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  call options()
  nl = nx / nproc
  allocate(t(ny, nl), y(ny, nl))
  call init(t, y, rank * nl, nl)
  if (rank == 0) open(newunit=u, file='front.log', status='replace')
  call MPI_File_open(MPI_COMM_WORLD, 'temperature.raw', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                     MPI_INFO_NULL, fh, ierr)
  do s = 1, nstep
    do j = 1, nl
      do i = 1, ny
        call react(t(i, j), y(i, j))
      end do
    end do
    do j = 2, nl - 1
      t(:, j) = t(:, j) + 0.05d0 * (t(:, j-1) - 2d0 * t(:, j) + t(:, j+1))
    end do
    off = (int(s - 1, MPI_OFFSET_KIND) * nproc + rank) * nl * ny * 8
    call MPI_File_write_at_all(fh, off, t, ny * nl, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
    fuel = sum(y)
    call MPI_Reduce(fuel, allfuel, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) write(u, '(i5,f16.6)') s, allfuel
  end do
  call MPI_File_get_size(fh, fsize, ierr)
  call MPI_File_close(fh, ierr)
  if (rank == 0) then
    close(u)
    print '(a,f16.6,a,i0)', 'fuel left ', allfuel, ' bytes ', fsize
  end if
  call MPI_Finalize(ierr)
end program premixed_front
