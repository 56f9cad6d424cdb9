! Shallow-ice glacier flow on latitude strips; thickness and surface
! velocity of the last two times are kept for a later restart.
program glacier_flow
  use mpi
  implicit none
  integer, parameter :: nx = 256
  integer :: nyl, lun, rank, nproc, ierr, step, nsteps
  real(8), allocatable :: h(:,:), hnew(:,:), vel(:,:)
  real(8) :: volume, total
  character(len=32) :: arg, name

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nsteps = 20
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read (arg, *) nsteps
  end if
  nyl = 2000
  allocate (h(nx, 0:nyl+1), hnew(nx, 0:nyl+1), vel(nx, nyl))
  call initial_ice(h)
  hnew = h
  write (name, '(a,i3.3,a)') 'strip_', rank, '.state'
  open (newunit=lun, file=name, access='stream', form='unformatted', status='replace')
  do step = 1, nsteps
     call exchange_edges(h)
     call flow(h, hnew, vel)
     call save_state(step, h(:, 1:nyl), vel)
  end do
  close (lun)
  volume = sum(h(:, 1:nyl))
  call MPI_Reduce(volume, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,es20.12)', 'ice volume ', total
  call MPI_Finalize(ierr)

contains

  subroutine initial_ice(h)
    real(8), intent(out) :: h(nx, 0:nyl+1)
    integer :: i, j
    do j = 0, nyl + 1
       do i = 1, nx
          h(i, j) = 900d0 + 300d0*sin(0.011d0*i)*cos(0.007d0*(j + rank*nyl))
       end do
    end do
  end subroutine initial_ice

  subroutine exchange_edges(h)
    real(8), intent(inout) :: h(nx, 0:nyl+1)
    integer :: north, south
    north = merge(rank + 1, MPI_PROC_NULL, rank < nproc - 1)
    south = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    call MPI_Sendrecv(h(1, nyl), nx, MPI_DOUBLE_PRECISION, north, 1, &
                      h(1, 0), nx, MPI_DOUBLE_PRECISION, south, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(h(1, 1), nx, MPI_DOUBLE_PRECISION, south, 2, &
                      h(1, nyl+1), nx, MPI_DOUBLE_PRECISION, north, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine exchange_edges

  subroutine flow(h, hnew, vel)
    real(8), intent(inout) :: h(nx, 0:nyl+1), hnew(nx, 0:nyl+1), vel(nx, nyl)
    real(8) :: slope
    integer :: i, j
    do j = 1, nyl
       do i = 2, nx - 1
          slope = (h(i+1, j) - h(i-1, j))**2 + (h(i, j+1) - h(i, j-1))**2
          vel(i, j) = 1d-9*h(i, j)**3*slope
          hnew(i, j) = h(i, j) + 0.1d0*(h(i+1, j) + h(i-1, j) + h(i, j+1) + h(i, j-1) - 4d0*h(i, j))
       end do
       vel(1, j) = 0d0
       vel(nx, j) = 0d0
    end do
    h(2:nx-1, 1:nyl) = hnew(2:nx-1, 1:nyl)
  end subroutine flow

  subroutine save_state(step, ice, vel)
    integer, intent(in) :: step
    real(8), intent(in) :: ice(nx, nyl), vel(nx, nyl)
    integer :: j
    do j = 1, nyl
       write (lun, pos=place(step, j)) ice(:, j), vel(:, j)
    end do
    flush (lun)
  end subroutine save_state

  integer(8) function place(step, j)
    integer, intent(in) :: step, j
    place = 1 + 16_8*nx*(nyl*mod(step, 2) + j - 1)
  end function place
end program glacier_flow
