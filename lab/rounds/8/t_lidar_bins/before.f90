! Backscatter retrieval for a lidar night: every rank inverts its share of the
! profiles and the retrieved layers are stored in one file per night.
program lidar_bins
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nz = 600
  integer :: ierr, me, np, nprof, nmine, first, i, r
  real(dp), allocatable :: beta(:,:), signal(:)
  real(dp) :: aod, total
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  nprof = 240
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read (arg, *) nprof
  end if
  nmine = nprof / np
  first = me * nmine
  allocate (beta(nz, nmine), signal(nz))

  aod = 0.0_dp
  do i = 1, nmine
     call simulate(first + i, signal)
     call invert(signal, beta(:, i))
     aod = aod + sum(beta(:, i)) * 30.0_dp * 15.0_dp
     if (mod(i, 40) == 0 .and. me == 0) call progress(i, nmine)
  end do

  ! one rank after the other, so that profiles are in order of time
  do r = 0, np - 1
     if (r == me) call append_layers(beta, first, r == 0)
     call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end do

  call MPI_Reduce(aod, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) print '(a,i0,a,f10.5)', 'profiles ', nprof, '  mean optical depth ', total / nprof
  call MPI_Finalize(ierr)

contains

  subroutine simulate(k, s)
    integer, intent(in) :: k
    real(dp), intent(out) :: s(:)
    real(dp) :: z, b, tau
    integer :: j
    tau = 0.0_dp
    do j = 1, nz
       z = 15.0_dp * j
       b = 1.5e-6_dp * exp(-z / 8000.0_dp) + 2.0e-6_dp * exp(-z / 1500.0_dp)
       b = b + 4.0e-6_dp * exp(-((z - 3000.0_dp - 5.0_dp * k) / 200.0_dp)**2)
       tau = tau + 30.0_dp * b * 15.0_dp
       s(j) = b * exp(-2.0_dp * tau) * (1.0_dp + 1.0e-3_dp * sin(13.0_dp * j + k))
    end do
  end subroutine simulate

  ! iterative Fernald inversion with a lidar ratio search
  subroutine invert(s, b)
    real(dp), intent(in) :: s(:)
    real(dp), intent(out) :: b(:)
    real(dp) :: trial(nz), lr, best, misfit, tau, model
    integer :: it, j, n
    best = huge(1.0_dp)
    b = 0.0_dp
    do n = 1, 40
       lr = 15.0_dp + n
       trial = s
       do it = 1, 25
          tau = 0.0_dp
          do j = 1, nz
             tau = tau + lr * trial(j) * 15.0_dp
             trial(j) = 0.5_dp * trial(j) + 0.5_dp * s(j) * exp(min(2.0_dp * tau, 5.0_dp))
          end do
       end do
       misfit = 0.0_dp
       tau = 0.0_dp
       do j = 1, nz
          tau = tau + lr * trial(j) * 15.0_dp
          model = trial(j) * exp(-2.0_dp * tau)
          misfit = misfit + (model - s(j))**2 + 1.0e-14_dp * (lr - 30.0_dp)**2
       end do
       if (misfit < best) then
          best = misfit
          b = trial
       end if
    end do
  end subroutine invert

  subroutine append_layers(b, offset, create)
    real(dp), intent(in) :: b(:, :)
    integer, intent(in) :: offset
    logical, intent(in) :: create
    integer :: u
    if (create) then
       open (newunit=u, file='layers.dat', access='stream', form='unformatted', status='replace')
    else
       open (newunit=u, file='layers.dat', access='stream', form='unformatted', status='old', position='append')
    end if
    write (u) offset, size(b, 2), b
    close (u)
  end subroutine append_layers

  subroutine progress(done, all)
    integer, intent(in) :: done, all
    integer :: u
    open (newunit=u, file='progress.txt', position='append')
    write (u, '(i6,a,i6)') done, ' of ', all
    close (u)
  end subroutine progress

end program lidar_bins
