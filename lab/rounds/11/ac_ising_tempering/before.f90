! Parallel tempering of the two-dimensional Ising model. Each rank simulates
! one temperature; rank 0 decides the exchanges and keeps the log of the run.
program tempering
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: l = 128                 ! lattice size
  real(dp), parameter :: tmin = 2.1_dp, tmax = 2.5_dp
  integer :: spin(l,l), rank, nranks, ierr, nblocks, nsweeps, b, s, u, k
  integer, allocatable :: owner(:)              ! owner(k): rank which has temperature k
  real(dp) :: beta, e, m, mine(2)
  real(dp), allocatable :: betas(:), all(:,:), sums(:,:)
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  nblocks = 60; nsweeps = 50
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg); read(arg, *) nblocks
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, arg); read(arg, *) nsweeps
  end if
  allocate(betas(nranks), owner(nranks), all(2,nranks), sums(2,nranks))
  do k = 1, nranks
    betas(k) = 1/(tmin + (tmax - tmin)*(k - 1)/max(1, nranks - 1))
    owner(k) = k - 1
  end do
  sums = 0
  call setup(rank)
  do b = 1, nblocks
    do k = 1, nranks
      if (owner(k) == rank) beta = betas(k)
    end do
    do s = 1, nsweeps
      call sweep(beta)
    end do
    call measure(e, m)
    mine = [e, m]
    call MPI_Gather(mine, 2, MPI_DOUBLE_PRECISION, all, 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) then
      call keep_log(b)
      call exchange(b)
    end if
    call MPI_Bcast(owner, nranks, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  end do
  if (rank == 0) then
    do k = 1, nranks
      print '(a,f7.4,a,f10.5,a,f9.5)', 'T =', 1/betas(k), '  e =', sums(1,k)/nblocks, '  |m| =', sums(2,k)/nblocks
    end do
  end if
  call MPI_Finalize(ierr)

contains

  subroutine setup(r)
    integer, intent(in) :: r
    integer :: n, i, j
    integer, allocatable :: seed(:)
    real(dp) :: x
    call random_seed(size=n)
    allocate(seed(n)); seed = 97 + 1009*r
    call random_seed(put=seed)
    do j = 1, l
      do i = 1, l
        call random_number(x)
        spin(i,j) = merge(1, -1, x < 0.8_dp)
      end do
    end do
  end subroutine

  ! one Metropolis sweep
  subroutine sweep(beta)
    real(dp), intent(in) :: beta
    real(dp) :: x(l), w(-4:4)
    integer :: i, j, h
    w = [(exp(-2*beta*h), h = -4, 4)]
    do j = 1, l
      call random_number(x)
      do i = 1, l
        h = spin(i,j)*(spin(modulo(i, l) + 1, j) + spin(modulo(i - 2, l) + 1, j) &
                     + spin(i, modulo(j, l) + 1) + spin(i, modulo(j - 2, l) + 1))
        if (x(i) < w(h)) spin(i,j) = -spin(i,j)
      end do
    end do
  end subroutine

  subroutine measure(e, m)
    real(dp), intent(out) :: e, m
    e = -real(sum(spin*(cshift(spin, 1, 1) + cshift(spin, 1, 2))), dp)/l**2
    m = abs(real(sum(spin), dp))/l**2
  end subroutine

  subroutine keep_log(b)
    integer, intent(in) :: b
    integer :: k
    open(newunit=u, file='tempering.log', position='append')
    do k = 1, nranks
      sums(:,k) = sums(:,k) + all(:, owner(k) + 1)
      write(u, '(i6,f9.5,i4,2f12.7)') b, 1/betas(k), owner(k), all(:, owner(k) + 1)
    end do
    close(u)
  end subroutine

  subroutine exchange(b)
    integer, intent(in) :: b
    integer :: k, swap
    real(dp) :: d, x
    do k = 1 + mod(b, 2), nranks - 1, 2
      d = (betas(k) - betas(k+1))*(all(1, owner(k) + 1) - all(1, owner(k+1) + 1))*l**2
      call random_number(x)
      if (x < exp(min(0.0_dp, d))) then
        swap = owner(k); owner(k) = owner(k+1); owner(k+1) = swap
      end if
    end do
  end subroutine
end program
