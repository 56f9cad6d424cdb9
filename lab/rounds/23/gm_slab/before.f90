! Effective viscosity of a slab under sticky air: Newton iteration of a composite creep law per node,
! rows shared out among processors, restart dump by processor 0.
program slab
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nproc, nx, nz, nair, nstep, step, k, ios
  real(dp) :: s, stot
  real(dp), allocatable :: eta(:,:), glob(:,:), edot(:,:)
  namelist /slabpar/ nx, nz, nair, nstep
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  open (10, file='slab.nml', status='old', iostat=ios)
  if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  read (10, nml=slabpar)
  close (10)
  allocate (eta(nx,nz), glob(nx,nz), edot(nx,nz))
  if (rank == 0) open (12, file='slab.log', status='replace')
  do step = 1, nstep
     eta = 0
     call strain_rates(step)
     do k = 1 + nz*rank/nproc, nz*(rank+1)/nproc
        call viscosity_row(k)
     end do
     call MPI_Allreduce(eta, glob, nx*nz, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
     s = sum(log10(glob))/(nx*nz)
     if (rank == 0) write (12, '(i6,f12.6)') step, s
     if (mod(step, 5) == 0 .and. rank == 0) call dump(step)
  end do
  stot = s
  if (rank == 0) then
     close (12)
     print '(a,f12.6)', 'mean log viscosity ', stot
  end if
  call MPI_Finalize(ierr)

contains

  subroutine strain_rates(it)
    integer, intent(in) :: it
    integer :: i, j
    do j = 1, nz
       do i = 1, nx
          edot(i,j) = 1d-15*(1.1d0 + sin(0.01d0*i*j + it))
       end do
    end do
  end subroutine strain_rates

  subroutine viscosity_row(j)
    integer, intent(in) :: j
    integer :: i, it
    real(dp) :: t, ad, an, tau, f, df
    if (j <= nair) then
       eta(:,j) = 1d18
       return
    end if
    do i = 1, nx
       t = 300 + 1300*erf(real(j-nair,dp)/nz*1.5d0) - 50*exp(-((i-nx/2)/20d0)**2)
       ad = 1d-15*exp(-3d5/8.314d0*(1/t-1/1600d0))*1d-6
       an = 1d-27*exp(-5d5/8.314d0*(1/t-1/1600d0))*1d-6
       tau = 1d6
       do it = 1, 30
          f = ad*tau + an*tau**3.5d0 - edot(i,j)
          df = ad + 3.5d0*an*tau**2.5d0
          tau = max(1d2, min(1d9, tau - f/df))
       end do
       eta(i,j) = min(1d25, tau/(2*edot(i,j)))
    end do
  end subroutine viscosity_row

  subroutine dump(it)
    integer, intent(in) :: it
    character(len=24) :: name
    write (name, '(a,i4.4)') 'slab.rst.', it
    open (14, file=name, form='unformatted', status='replace')
    write (14) nx, nz, it
    write (14) real(log10(glob), kind(1.0))
    close (14)
  end subroutine dump
end program slab
