! Advection and diffusion of a plume in a layered channel; each rank owns a set of layers.
module plume
  use mpi
  implicit none
  integer, parameter :: nx = 64, ny = 24, nl = 12
  integer :: me, np, ierr
  real(8) :: conc(nx, ny, nl), fresh(nx, ny, nl)
contains

  subroutine setup()
    integer :: i, j, k
    do k = 1, nl
      do j = 1, ny
        do i = 1, nx
          conc(i, j, k) = exp(-0.02d0 * ((i - 20)**2 + (j - 12)**2)) * (me * nl + k)
        end do
      end do
    end do
  end subroutine setup

  subroutine transport(wind, diff)
    real(8), intent(in) :: wind, diff
    integer :: i, j, k
    fresh = conc
    do k = 1, nl
      do j = 2, ny - 1
        do i = 2, nx - 1
          fresh(i, j, k) = conc(i, j, k) - wind * (conc(i, j, k) - conc(i-1, j, k)) &
            + diff * (conc(i+1, j, k) + conc(i-1, j, k) + conc(i, j+1, k) + conc(i, j-1, k) &
            - 4d0 * conc(i, j, k))
        end do
      end do
    end do
    conc = fresh
  end subroutine transport

  subroutine save_layers(step)
    integer, intent(in) :: step
    integer :: turn, k, first
    do turn = 0, np - 1
      if (turn == me) then
        open(unit=21, file='plume.dat', access='direct', recl=8*nx*ny, form='unformatted', status='unknown')
        first = (step - 1) * np * nl + me * nl
        do k = 1, nl
          write(21, rec=first + k) conc(:, :, k)
        end do
        close(21)
      end if
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end do
  end subroutine save_layers

end module plume

program channel
  use plume
  implicit none
  integer :: step, nsteps
  real(8) :: mine, total
  character(len=32) :: arg
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  nsteps = 100
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read(arg, *) nsteps
  end if
  call setup()
  do step = 1, nsteps
    call transport(0.2d0, 0.05d0)
    call save_layers(step)
  end do
  mine = sum(conc)
  call MPI_Reduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) print '(a,i0,a,f18.8)', 'steps ', nsteps, '  mass ', total
  call MPI_Finalize(ierr)
end program channel
