! Direct SCF style accumulation of a model Fock matrix over unique shell quartets
! i >= j, i >= k, k >= l.  Structure follows the mini-app "twoel"/TCE examples that
! ship with Global Arrays and NWChem (own code, model integrals).
! usage: eri NSHELL NITER
program eri
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nproc, n, niter, it, first, last
  character(len=32) :: arg
  real(dp), allocatable :: r(:,:), alpha(:), d(:,:), f(:,:), schwarz(:,:)
  real(dp) :: e, eold

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  n = 96; niter = 4
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg); read(arg,*) n
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, arg); read(arg,*) niter
  end if
  if (n < nproc) call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
  call setup()
  ! block of shells of this rank
  first = 1 + n*rank/nproc
  last = n*(rank+1)/nproc
  eold = 0
  do it = 1, niter
    call build_fock()
    e = sum(f*d)*0.5_dp
    if (rank == 0) print '(a,i3,a,es16.8,a,es12.4)', 'iter', it, '  E ', e, '  |F| ', sqrt(sum(f*f))
    call new_density()
    eold = e
  end do
  call MPI_Finalize(ierr)
contains
  subroutine setup()
    integer :: i, j
    allocate(r(3,n), alpha(n), d(n,n), f(n,n), schwarz(n,n))
    do i = 1, n
      r(:,i) = [cos(0.31_dp*i)*3, sin(0.31_dp*i)*3, 0.12_dp*i]
      alpha(i) = 0.4_dp + 0.15_dp*mod(i,7)
    end do
    do j = 1, n
      do i = 1, n
        d(i,j) = exp(-0.05_dp*abs(i-j))/n
        schwarz(i,j) = exp(-0.02_dp*sum((r(:,i)-r(:,j))**2))
      end do
    end do
  end subroutine

  pure function integral(i, j, k, l) result(v)
    integer, intent(in) :: i, j, k, l
    real(dp) :: v, p, q, rpq, t
    p = alpha(i) + alpha(j); q = alpha(k) + alpha(l)
    rpq = sum(((r(:,i)+r(:,j)) - (r(:,k)+r(:,l)))**2)*0.25_dp
    t = rpq*p*q/(p+q) + 1e-6_dp
    v = schwarz(i,j)*schwarz(k,l)*erf(sqrt(t))/sqrt(t)/(p*q*sqrt(p+q))
  end function

  subroutine build_fock()
    integer :: i, j, k, l
    real(dp) :: v
    f = 0
    do i = first, last
      do j = 1, i
        do k = 1, i
          do l = 1, k
            if (schwarz(i,j)*schwarz(k,l) < 1e-9_dp) cycle
            v = integral(i, j, k, l)
            f(i,j) = f(i,j) + 2*d(k,l)*v
            f(k,l) = f(k,l) + 2*d(i,j)*v
            f(i,k) = f(i,k) - 0.5_dp*d(j,l)*v
          end do
        end do
      end do
    end do
    call MPI_Allreduce(MPI_IN_PLACE, f, n*n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine new_density()
    real(dp) :: s
    s = sqrt(sum(f*f))
    d = 0.7_dp*d + 0.3_dp*0.5_dp*(f + transpose(f))/s
  end subroutine
end program
