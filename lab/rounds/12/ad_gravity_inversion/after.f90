! Inversion of gravity surveys for the densities below the volcanoes of an arc.
! Landweber iterations with positivity; every process inverts the survey of one
! volcano, whose sensitivity kernel is in a file that was written by the forward
! modelling.
module sensitivity
  implicit none
  integer, parameter :: dp = kind(1d0), ncell = 5000, nobs = 60, nblock = 20
  real(dp), allocatable :: rows(:,:,:)
  integer :: lu = -1
contains
  subroutine kernel_attach(rank)
    integer, intent(in) :: rank
    character(32) :: name
    integer :: b, k
    write(name, '(a,i2.2,a)') 'kernel_', rank, '.bin'
    open(newunit=lu, file=name, form='unformatted', status='old', action='read')
    allocate(rows(ncell, nblock, nobs/nblock))
    do b = 1, nobs/nblock
      do k = 1, nblock
        read(lu) rows(:, k, b)
      end do
    end do
    close(lu)
  end subroutine kernel_attach

  ! predicted data d = G m
  subroutine forward(m, d)
    real(dp), intent(in) :: m(ncell)
    real(dp), intent(out) :: d(nobs)
    integer :: o
    do o = 1, nobs, nblock
      d(o:o+nblock-1) = matmul(m, rows(:, :, (o-1)/nblock + 1))
    end do
  end subroutine forward

  ! gradient g = G^T r
  subroutine adjoint(r, g)
    real(dp), intent(in) :: r(nobs)
    real(dp), intent(out) :: g(ncell)
    integer :: o
    g = 0
    do o = 1, nobs, nblock
      g = g + matmul(rows(:, :, (o-1)/nblock + 1), r(o:o+nblock-1))
    end do
  end subroutine adjoint

  subroutine kernel_detach()
    deallocate(rows)
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
