! Heat conduction in a rod bundle, rows divided among the ranks; rank 0 keeps
! a short convergence protocol and each rank leaves a small summary.
module domain
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: n = 400
  integer :: rank, nrank, first, last
contains

  subroutine divide()
    first = n*rank/nrank + 1
    last = n*(rank + 1)/nrank
  end subroutine divide

  subroutine initial(t)
    real(dp), intent(out) :: t(0:n + 1, first - 1:last + 1)
    integer :: i, j
    do j = first - 1, last + 1
      do i = 0, n + 1
        t(i, j) = 300 + 50*sin(0.05_dp*i)*cos(0.03_dp*j)
      end do
    end do
  end subroutine initial

  subroutine sweep(t, new, change)
    real(dp), intent(in) :: t(0:n + 1, first - 1:last + 1)
    real(dp), intent(inout) :: new(0:n + 1, first - 1:last + 1)
    real(dp), intent(out) :: change
    real(dp) :: k
    integer :: i, j
    change = 0
    do j = first, last
      do i = 1, n
        k = 0.2_dp + 1.0e-5_dp*sqrt(t(i, j))
        new(i, j) = t(i, j) + k*(t(i - 1, j) + t(i + 1, j) + t(i, j - 1) &
                                 + t(i, j + 1) - 4*t(i, j))
        change = max(change, abs(new(i, j) - t(i, j)))
      end do
    end do
  end subroutine sweep
end module domain

program heat_ranks
  use mpi
  use domain
  implicit none
  real(dp), allocatable :: t(:, :), new(:, :)
  real(dp) :: change, most, heat, total
  integer :: step, nstep, ierr, log_unit, part_unit, up, down
  character(32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nrank, ierr)
  nstep = 2000
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read (arg, *) nstep
  end if
  call divide()
  allocate (t(0:n + 1, first - 1:last + 1), new(0:n + 1, first - 1:last + 1))
  call initial(t)
  new = t
  up = merge(rank + 1, MPI_PROC_NULL, rank + 1 < nrank)
  down = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  if (rank == 0) open (newunit=log_unit, file='convergence.txt', status='replace')

  do step = 1, nstep
    call MPI_Sendrecv(t(0, last), n + 2, MPI_DOUBLE_PRECISION, up, 1, &
                      t(0, first - 1), n + 2, MPI_DOUBLE_PRECISION, down, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(t(0, first), n + 2, MPI_DOUBLE_PRECISION, down, 2, &
                      t(0, last + 1), n + 2, MPI_DOUBLE_PRECISION, up, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call sweep(t, new, change)
    t(1:n, first:last) = new(1:n, first:last)
    if (modulo(step, 50) == 0) then
      call MPI_Allreduce(change, most, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
      if (rank == 0) then
        write (log_unit, '(i8,es16.8)') step, most
        flush (log_unit)
      end if
    end if
  end do

  heat = sum(t(1:n, first:last))
  write (arg, '(a,i3.3,a)') 'part', rank, '.txt'
  open (newunit=part_unit, file=trim(arg), status='replace')
  write (part_unit, '(2i6,f20.6)') first, last, heat
  close (part_unit)
  call MPI_Reduce(heat, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    close (log_unit)
    write (*, '(a,i7,a,f16.6)') 'steps', nstep, ' mean temperature', total/n**2
  end if
  call MPI_Finalize(ierr)
end program heat_ranks
