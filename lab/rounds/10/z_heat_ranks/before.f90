! Heat conduction in a plate with an inner source, split by rows among the
! ranks.  Each rank keeps its own rows; rank 0 also keeps a short log.
module plate
  use mpi
  implicit none
  integer, parameter :: nx = 1500, ny = 1200
  integer :: rank, nrank, rows, first
  real(8), allocatable :: t(:,:), s(:,:)
contains
  subroutine setup()
    integer :: i, j
    rows = ny / nrank
    first = rank * rows
    allocate(t(nx, 0:rows+1), s(nx, 0:rows+1))
    do j = 0, rows + 1
      do i = 1, nx
        t(i, j) = 20.0d0 + 5.0d0 * sin(0.01d0 * i) * cos(0.013d0 * (first + j))
      end do
    end do
    s = t
  end subroutine setup

  subroutine halo()
    integer :: up, down, ierr, st(MPI_STATUS_SIZE)
    up = rank + 1
    if (up == nrank) up = MPI_PROC_NULL
    down = rank - 1
    if (down < 0) down = MPI_PROC_NULL
    call MPI_Sendrecv(t(:, rows), nx, MPI_DOUBLE_PRECISION, up, 1, &
                      t(:, 0), nx, MPI_DOUBLE_PRECISION, down, 1, MPI_COMM_WORLD, st, ierr)
    call MPI_Sendrecv(t(:, 1), nx, MPI_DOUBLE_PRECISION, down, 2, &
                      t(:, rows+1), nx, MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, st, ierr)
  end subroutine halo

  subroutine step()
    integer :: i, j
    real(8) :: k
    call halo()
    do j = 1, rows
      do i = 2, nx - 1
        k = 0.2d0 + 0.02d0 * tanh((t(i, j) - 25.0d0) * 0.1d0)
        s(i, j) = t(i, j) + k * (t(i-1, j) + t(i+1, j) + t(i, j-1) + t(i, j+1) - 4.0d0 * t(i, j))
        if (abs(first + j - ny / 2) < 40 .and. abs(i - nx / 2) < 60) s(i, j) = s(i, j) + 0.3d0
      end do
    end do
    t(:, 1:rows) = s(:, 1:rows)
  end subroutine step
end module plate

program conduction
  use plate
  implicit none
  integer :: ierr, n, steps, unit, log
  real(8) :: mine, total
  character(len=32) :: name, arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nrank, ierr)
  steps = 60
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read (arg, *) steps
  end if
  call setup()
  write (name, '("rows.", i3.3, ".bin")') rank
  open (newunit=unit, file=name, access='stream', form='unformatted', status='replace')
  if (rank == 0) open (newunit=log, file='plate.log', status='replace')
  do n = 1, steps
    call step()
    if (mod(n, 15) == 0) then
      write (unit) t(:, 1:rows)
      mine = sum(t(:, 1:rows))
      call MPI_Reduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
      if (rank == 0) write (log, '("step ", i5, "  mean ", f14.8)') n, total / (dble(nx) * rows * nrank)
    end if
  end do
  close (unit)
  if (rank == 0) then
    close (log)
    print '("steps ", i0, "  mean temperature ", f14.8)', steps, total / (dble(nx) * rows * nrank)
  end if
  call MPI_Finalize(ierr)
end program conduction
