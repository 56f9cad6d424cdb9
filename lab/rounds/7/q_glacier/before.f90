! Shallow ice flow line model, one glacier of an ensemble per MPI rank.
module ice
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: dx = 50.0_dp
contains

  pure function bed(i) result(b)
    integer, intent(in) :: i
    real(dp) :: b
    b = 2400.0_dp - 0.02_dp * dx * i + 30.0_dp * sin(0.01_dp * i)
  end function bed

  pure subroutine boundaries(h, n)
    integer, intent(in) :: n
    real(dp), intent(inout) :: h(0:n+1)
    h(0) = h(1)
    h(n+1) = h(n)
  end subroutine boundaries

  subroutine flow(h, n, first, dt)
    integer, intent(in) :: n, first
    real(dp), intent(inout) :: h(0:n+1)
    real(dp), intent(in) :: dt
    real(dp) :: q(0:n), slope, thick
    integer :: i
    do i = 0, n
      slope = (h(i+1) + bed(first + i + 1) - h(i) - bed(first + i)) / dx
      thick = 0.5_dp * (h(i) + h(i+1))
      q(i) = -1.0e-8_dp * thick**4 * slope
    end do
    do i = 1, n
      h(i) = max(0.0_dp, h(i) + dt * (0.3_dp - (q(i) - q(i-1)) / dx))
    end do
  end subroutine flow

  subroutine append_profile(path, h, n, rank, nranks, comm)
    use mpi
    character(*), intent(in) :: path
    integer, intent(in) :: n, rank, nranks, comm
    real(dp), intent(in) :: h(0:n+1)
    integer :: r, u, ierr
    do r = 0, nranks - 1
      if (r == rank) then
        open(newunit=u, file=path, access='stream', form='unformatted', position='append')
        write(u) h(1:n)
        close(u)
      end if
      call MPI_Barrier(comm, ierr)
    end do
  end subroutine append_profile
end module ice

program flowline
  use mpi
  use ice
  implicit none
  integer :: ierr, rank, nranks, n, steps, k, first, u
  real(dp), allocatable :: h(:)
  real(dp) :: volume, total
  character(32) :: arg
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  n = 500
  steps = 1000
  call get_command_argument(1, arg)
  if (len_trim(arg) > 0) read(arg, *) n
  call get_command_argument(2, arg)
  if (len_trim(arg) > 0) read(arg, *) steps
  if (rank == 0) then
    open(newunit=u, file='profiles.dat', status='replace')
    close(u)
  end if
  allocate(h(0:n+1))
  h = 20.0_dp
  first = rank * n
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  do k = 1, steps
    call boundaries(h, n)
    call flow(h, n, first, 0.02_dp)
    call append_profile('profiles.dat', h, n, rank, nranks, MPI_COMM_WORLD)
  end do
  volume = sum(h(1:n)) * dx
  call MPI_Reduce(volume, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,i0,a,f16.6)', 'steps ', steps, '  volume ', total
  deallocate(h)
  call MPI_Finalize(ierr)
end program flowline
