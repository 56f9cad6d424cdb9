! traffic_lanes: ring road traffic (Nagel-Schreckenberg), fundamental diagram
!
! The ranks run independent roads at the same density.  Rank 0 keeps the log of
! the run and writes the table of flow against density; all ranks' occupation is
! summed for it.
!
! usage: traffic_lanes cells steps
program traffic_lanes
  use mpi
  use iso_fortran_env, only: int64
  implicit none
  integer, parameter :: vmax = 5, ndens = 14
  real, parameter :: p_brake = 0.18
  integer :: ncell, nstep, ncar, rank, nranks, ierr, id, step, ulog, utab
  integer, allocatable :: x(:), v(:), gaps(:), gap_sum(:)
  integer(int64) :: state, moved, moved_all
  real :: density, flow
  character(len=16) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  ncell = 6000
  nstep = 3000
  if (command_argument_count() >= 2) then
     call get_command_argument(1, arg)
     read (arg, *) ncell
     call get_command_argument(2, arg)
     read (arg, *) nstep
  end if

  state = 88172645463325252_int64 + 7919_int64 * rank
  if (rank == 0) then
     open (newunit=ulog, file='run.log', status='replace')
     open (newunit=utab, file='diagram.txt', status='replace')
     write (ulog, '(a,i7,a,i7,a,i3)') 'cells ', ncell, ' steps ', nstep, ' roads ', nranks
  end if

  allocate (gaps(0:ncell), gap_sum(0:ncell))
  do id = 1, ndens
     density = 0.035 * id
     ncar = int(density * ncell)
     allocate (x(ncar), v(ncar))
     call fill_road()
     gaps = 0
     moved = 0
     do step = 1, nstep
        call drive(step > nstep / 4)
        if (rank == 0 .and. mod(step, 250) == 0) then
           write (ulog, '(a,f6.3,a,i7,a,f8.4)') 'density ', density, ' step ', step, &
                ' mean speed ', sum(v) / real(ncar)
           flush (ulog)
        end if
     end do
     call MPI_Reduce(moved, moved_all, 1, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
     call MPI_Reduce(gaps, gap_sum, ncell + 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
     if (rank == 0) then
        flow = real(moved_all) / real(nranks) / real(nstep - nstep / 4) / ncell
        write (utab, '(2f10.5,12i10)') density, flow, gap_sum(0:11)
     end if
     deallocate (x, v)
  end do
  if (rank == 0) then
     close (ulog)
     close (utab)
     write (*, '(a,f8.4,a,f8.4)') 'flow at density', density, ':', flow
  end if
  call MPI_Finalize(ierr)

contains

  real function uniform()
    state = ieor(state, ishft(state, 13))
    state = ieor(state, ishft(state, -7))
    state = ieor(state, ishft(state, 17))
    uniform = real(ishft(state, -40)) / 16777216.0
  end function uniform

  subroutine fill_road()
    integer :: i
    do i = 1, ncar
       x(i) = int(int(i - 1, int64) * ncell / ncar)
       v(i) = int(uniform() * (vmax + 1))
    end do
  end subroutine fill_road

  ! parallel update: accelerate, keep distance, dawdle, move
  subroutine drive(count_now)
    logical, intent(in) :: count_now
    integer :: i, gap, ahead, first
    first = x(1)
    do i = 1, ncar
       ahead = merge(first, x(mod(i, ncar) + 1), i == ncar)
       gap = modulo(ahead - x(i) - 1, ncell)
       v(i) = min(v(i) + 1, vmax, gap)
       if (v(i) > 0) then
          if (uniform() < p_brake) v(i) = v(i) - 1
       end if
       if (count_now) then
          gaps(gap) = gaps(gap) + 1
          moved = moved + v(i)
       end if
       x(i) = mod(x(i) + v(i), ncell)
    end do
  end subroutine drive
end program traffic_lanes
