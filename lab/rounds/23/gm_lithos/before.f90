! Flexure and creep of a lithospheric plate; the processors append their piece of the surface profile in turn.
program lithos
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nproc, nx, nz, nstep, step, i0, nloc, p, i, ios
  real(dp), allocatable :: w(:), load(:)
  real(dp) :: wsum, wall
  namelist /plate/ nx, nz, nstep
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  open (10, file='plate.nml', status='old', iostat=ios)
  if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  read (10, nml=plate)
  close (10)
  i0 = nx*rank/nproc
  nloc = nx*(rank+1)/nproc - i0
  allocate (w(nloc), load(nloc))
  w = 0
  do i = 1, nloc
     load(i) = 1d6*exp(-((i0+i-nx/2)/(0.1d0*nx))**2)
  end do
  do step = 1, nstep
     call creep()
     do p = 0, nproc-1
        if (p == rank) call append_profile(step)
        call MPI_Barrier(MPI_COMM_WORLD, ierr)
     end do
  end do
  wsum = sum(w)
  call MPI_Reduce(wsum, wall, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,es16.8)', 'mean deflection ', wall/nx
  call MPI_Finalize(ierr)

contains

  subroutine creep()
    integer :: k, j
    real(dp) :: t, eta, s, z
    do k = 1, nloc
       s = 0
       do j = 1, nz
          z = 1d3*j*100/nz
          t = 273 + 1350*erf(z/9d4) + 5*sin(0.01d0*(i0+k))
          eta = 1d21*exp(2.5d5/8.314d0*(1/t - 1/1600d0))
          s = s + load(k)/min(1d26, max(1d19, eta))*(1 - w(k)/5d3)
       end do
       w(k) = w(k) + s/nz*1d13
    end do
  end subroutine creep

  subroutine append_profile(it)
    integer, intent(in) :: it
    integer :: k
    if (it == 1 .and. rank == 0) then
       open (20, file='surface.dat', status='replace')
    else
       open (20, file='surface.dat', status='old', position='append')
    end if
    if (rank == 0) write (20, '(a,i5)') '# step', it
    do k = 1, nloc, 40
       write (20, '(i7,es15.6)') i0+k, w(k)
    end do
    close (20)
  end subroutine append_profile
end program lithos
