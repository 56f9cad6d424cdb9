! Shallow ocean model on blocks of a tripolar grid; every rank keeps a restart file of its blocks.
module blocks
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nx = 512, ny = 512
  integer, parameter :: nblocks = 16
  type block
    integer :: number
    real(dp), allocatable :: height(:, :)
  end type block
contains

  ! Land blocks are left out, the others are dealt out evenly.
  pure integer function owner(number, nranks)
    integer, intent(in) :: number, nranks
    owner = mod(number - 1, nranks)
  end function owner

  subroutine fill_block(b, number)
    type(block), intent(inout) :: b
    integer, intent(in) :: number
    integer :: i, j
    b%number = number
    allocate (b%height(nx, ny))
    do j = 1, ny
      do i = 1, nx
        b%height(i, j) = sin(0.02d0 * i + number) * cos(0.03d0 * j)
      end do
    end do
  end subroutine fill_block

  subroutine advance_edge(b, step)
    type(block), intent(inout) :: b
    integer, intent(in) :: step
    integer :: i
    do i = 2, nx - 1
      b%height(i, 2) = 0.5d0 * b%height(i, 2) + 0.25d0 * (b%height(i - 1, 1) + b%height(i + 1, 3))
      b%height(i, ny - 1) = 0.9d0 * b%height(i, ny - 1) + 0.01d0 * sin(0.1d0 * step)
    end do
  end subroutine advance_edge
end module blocks

program ocean_blocks
  use mpi
  use blocks
  implicit none
  type(block), allocatable :: mine(:)
  character(len=64) :: word, name
  integer :: ierr, rank, nranks, steps, step, n, count, unit_restart
  real(dp) :: energy, total

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  steps = 160
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) steps
  end if
  count = 0
  do n = 1, nblocks
    if (owner(n, nranks) == rank) count = count + 1
  end do
  allocate (mine(count))
  count = 0
  do n = 1, nblocks
    if (owner(n, nranks) == rank) then
      count = count + 1
      call fill_block(mine(count), n)
    end if
  end do

  write (name, '(a,i4.4,a)') 'restart.', rank, '.bin'
  open (newunit=unit_restart, file=name, access='stream', form='unformatted', status='replace')
  do step = 1, steps
    energy = 0.0d0
    do n = 1, count
      call advance_edge(mine(n), step)
      energy = energy + sum(mine(n)%height(:, 2)**2)
    end do
    call write_restart()
    if (mod(step, 8) == 0) then
      call MPI_Allreduce(energy, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    end if
  end do
  close (unit_restart)
  if (rank == 0) print '(a,i0,a,es14.6)', 'steps ', steps, ', edge energy ', total
  call MPI_Finalize(ierr)

contains

  subroutine write_restart()
    integer :: k
    rewind (unit_restart)
    do k = 1, count
      write (unit_restart) mine(k)%number
      call put_field(mine(k)%height)
    end do
  end subroutine write_restart

  subroutine put_field(field)
    real(dp), intent(in) :: field(nx, ny)
    write (unit_restart) field
  end subroutine put_field
end program ocean_blocks
