! Hybrid Monte Carlo driver with a log: rank 0 keeps one line per trajectory.
! At the end the plaquette history is ranked by the site's shell script and
! the quantiles are read back by everybody.
program runlog
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: ntraj = 3000, nq = 5
  integer :: ierr, me, np, i, lun, istat
  real(dp) :: q, p, h, act(2), g(2), quant(nq)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  q = 0.1_dp + 0.2_dp*me
  p = 0.7_dp

  if (me == 0) then
    open(newunit=lun, file='run.log', status='replace', action='write')
    write(lun,'(a)') '# traj  plaquette  dH  exp(-dH)'
  end if
  do i = 1, ntraj
    call trajectory(q, p, h)
    act = [cos(q), h]
    call MPI_Reduce(act, g, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
    if (me == 0) write(lun,'(i8,3es20.12)') i, g(1)/np, g(2)/np, exp(-g(2)/np)
  end do
  if (me == 0) close(lun)

  ! quantiles over this run and the earlier ones
  if (me == 0) then
    call execute_command_line('sh ./quantiles.sh run.log old.hist > quant.txt', exitstat=istat)
    if (istat /= 0) call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
    open(newunit=lun, file='quant.txt', status='old', action='read')
    read(lun,*) quant
    close(lun)
  end if
  call MPI_Bcast(quant, nq, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  if (me == np - 1) write(*,'(a,5f12.8)') ' quantiles ', quant
  call MPI_Finalize(ierr)

contains

  ! leapfrog for one angle
  subroutine trajectory(x, y, dh)
    real(dp), intent(inout) :: x, y
    real(dp), intent(out) :: dh
    integer :: k
    real(dp), parameter :: eps = 0.02_dp
    dh = 0.5_dp*y*y + 2*(1 - cos(x))
    y = y - 0.5_dp*eps*2*sin(x)
    do k = 1, 60
      x = x + eps*y
      y = y - eps*2*sin(x)
    end do
    y = y + 0.5_dp*eps*2*sin(x)
    dh = 0.5_dp*y*y + 2*(1 - cos(x)) - dh
  end subroutine trajectory
end program runlog
