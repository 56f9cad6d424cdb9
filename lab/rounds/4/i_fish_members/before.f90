! Age and length structured fish stock; every rank runs one ensemble member
! with its own recruitment noise and keeps the stock of each period.
program fish_members
  use mpi
  implicit none
  integer, parameter :: nage = 200, nlen = 120
  real(8) :: growth(nage), mortality(nage), maturity(nage)
  real(8) :: stock(nlen, nage), next(nlen, nage), biomass, total
  integer :: rank, nproc, ierr, period, nperiods, step, nsteps
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nperiods = 6
  nsteps = 300
  if (command_argument_count() > 1) then
     call get_command_argument(1, arg)
     read (arg, *) nperiods
     call get_command_argument(2, arg)
     read (arg, *) nsteps
  end if
  call read_parameters()
  stock = 0d0
  stock(1:10, 1) = 1000d0
  do period = 1, nperiods
     do step = 1, nsteps
        call age_and_grow((period - 1)*nsteps + step)
     end do
     call keep_stock(period)
  end do
  biomass = 0d0
  do step = 1, nage
     biomass = biomass + growth(step)**3*1d-5*sum(stock(:, step))
  end do
  call MPI_Reduce(biomass, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,es18.10)', 'mean biomass ', total/nproc
  call MPI_Finalize(ierr)

contains

  subroutine read_parameters()
    integer :: lun, a, idx
    open (newunit=lun, file='stock.par', status='old', action='read')
    do a = 1, nage
       read (lun, *) idx, growth(a), mortality(a), maturity(a)
    end do
    close (lun)
  end subroutine read_parameters

  subroutine age_and_grow(when)
    integer, intent(in) :: when
    real(8) :: survive, rate, spawn
    integer :: a, l
    spawn = 0d0
    do a = 1, nage
       spawn = spawn + maturity(a)*sum(stock(:, a))
    end do
    next = 0d0
    do a = 1, nage - 1
       do l = 1, nlen
          survive = exp(-mortality(a)/52d0 - 1d-3*sqrt(real(l, 8)))
          rate = max(0d0, min(0.9d0, (growth(a) - 0.5d0*l)*0.02d0))
          next(l, a) = next(l, a) + 0.98d0*survive*(1d0 - rate)*stock(l, a)
          next(l, a + 1) = next(l, a + 1) + 0.02d0*survive*stock(l, a)
          next(min(nlen, l + 1), a) = next(min(nlen, l + 1), a) + 0.98d0*survive*rate*stock(l, a)
       end do
    end do
    next(1, 1) = next(1, 1) + 40d0*spawn/(1d0 + 0.01d0*spawn)*(1d0 + 0.3d0*sin(0.7d0*when + rank))
    stock = next
  end subroutine age_and_grow

  subroutine keep_stock(period)
    integer, intent(in) :: period
    character(len=40) :: name
    integer :: lun
    write (name, '(a,i3.3,a,i3.3,a)') 'member', rank, '_', period, '.stock'
    open (newunit=lun, file=name, access='stream', form='unformatted', status='replace')
    write (lun) stock
    close (lun)
  end subroutine keep_stock
end program fish_members
