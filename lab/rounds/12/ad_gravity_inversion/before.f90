! Inversion of gravity surveys for the densities below the volcanoes of an arc.
! Landweber iterations with positivity; every process inverts the survey of one
! volcano, whose sensitivity kernel is in a file that was written by the forward
! modelling.
module sensitivity
  implicit none
  integer, parameter :: dp = kind(1d0), ncell = 5000, nobs = 60, nblock = 20
  real(dp) :: rows(ncell, nblock)
  integer :: lu = -1
contains
  subroutine kernel_attach(rank)
    integer, intent(in) :: rank
    character(32) :: name
    write(name, '(a,i2.2,a)') 'kernel_', rank, '.bin'
    open(newunit=lu, file=name, form='unformatted', status='old', action='read')
  end subroutine kernel_attach

  subroutine next_rows(rows)
    real(dp), intent(out) :: rows(ncell, nblock)
    integer :: k
    do k = 1, nblock
      read(lu) rows(:, k)
    end do
  end subroutine next_rows

  ! predicted data d = G m
  subroutine forward(m, d)
    real(dp), intent(in) :: m(ncell)
    real(dp), intent(out) :: d(nobs)
    integer :: o
    rewind(lu)
    do o = 1, nobs, nblock
      call next_rows(rows)
      d(o:o+nblock-1) = matmul(m, rows)
    end do
  end subroutine forward

  ! gradient g = G^T r
  subroutine adjoint(r, g)
    real(dp), intent(in) :: r(nobs)
    real(dp), intent(out) :: g(ncell)
    integer :: o
    g = 0
    rewind(lu)
    do o = 1, nobs, nblock
      call next_rows(rows)
      g = g + matmul(rows, r(o:o+nblock-1))
    end do
  end subroutine adjoint

  subroutine kernel_detach()
    close(lu)
  end subroutine kernel_detach
end module sensitivity

program inversion
  use mpi
  use sensitivity
  implicit none
  integer :: ierr, rank, nproc, niter, it, i
  real(dp) :: m(ncell), truth(ncell), dobs(nobs), d(nobs), g(ncell), mmean(ncell)
  real(dp) :: misfit, step
  real(dp), allocatable :: history(:)
  character(32) :: arg
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  niter = 60
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg); read(arg, *) niter
  end if
  allocate(history(niter))

  call kernel_attach(rank)
  ! synthetic magma body
  truth = 0
  do i = 1, ncell
    if (mod(i/25, 37) < 5) truth(i) = 0.3d0 + 0.1d0*sin(0.04d0*i)
  end do
  call forward(truth, dobs)

  m = 0.05d0
  step = 0.9d0/(real(ncell, dp)*nobs*0.28d0)
  do it = 1, niter
    call forward(m, d)
    d = dobs - d
    misfit = sum(d*d)
    call adjoint(d, g)
    history(it) = sqrt(misfit/nobs)
    m = max(0d0, m + step*g)
  end do
  call kernel_detach()

  ! mean structure of the arc
  call MPI_Reduce(m, mmean, ncell, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  mmean = mmean/nproc
  if (rank == 0) then
    open(30, file='model.bin', form='unformatted', access='stream', status='replace')
    write(30) mmean
    close(30)
    open(31, file='misfit.txt', status='replace')
    do it = 1, niter
      write(31, '(i6,es14.6)') it, history(it)
    end do
    close(31)
    print '(a,i5,a,es12.5,a,es12.5)', 'iterations', niter, '  misfit', history(1), ' ->', history(niter)
  end if
  call MPI_Finalize(ierr)
end program inversion
