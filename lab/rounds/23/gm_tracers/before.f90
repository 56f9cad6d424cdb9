! Advection of passive tracers in an analytic convection cell.
! Structure after the tracer output of CitcomCU (gather to processor 0, one file per output step).
program tracers
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nproc, ntr, nstep, nout, nloc, first, step, i, iout, ios
  real(dp) :: dt, rayleigh, xsum, xtot
  real(dp), allocatable :: x(:), z(:), temp(:)
  namelist /tracer/ ntr, nstep, nout, dt, rayleigh

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  ntr = 10000; nstep = 10; nout = 5; dt = 1d-3; rayleigh = 1d4
  open (11, file='tracer.nml', status='old', iostat=ios)
  if (ios /= 0) then
     if (rank == 0) print *, 'tracer.nml missing'
     call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  end if
  read (11, nml=tracer)
  close (11)

  first = int(int(ntr,8)*rank/nproc)
  nloc = int(int(ntr,8)*(rank+1)/nproc) - first
  allocate (x(nloc), z(nloc), temp(nloc))
  do i = 1, nloc
     x(i) = modulo((first+i)*0.618033988749895_dp, 1d0)
     z(i) = modulo((first+i)*0.414213562373095_dp, 1d0)
  end do
  iout = 0
  do step = 1, nstep
     call advect()
     if (mod(step, nout) == 0) then
        iout = iout + 1
        call output(iout)
     end if
  end do
  xsum = sum(x)
  call MPI_Reduce(xsum, xtot, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,i9,a,f14.7)', 'tracers ', ntr, ' mean x ', xtot/ntr
  call MPI_Finalize(ierr)

contains

  subroutine advect()
    real(dp), parameter :: pi = 3.141592653589793_dp
    real(dp) :: u, w
    integer :: k
    do k = 1, nloc
       u =  rayleigh*1d-4*sin(pi*x(k))*cos(pi*z(k))
       w = -rayleigh*1d-4*cos(pi*x(k))*sin(pi*z(k))
       x(k) = min(1d0, max(0d0, x(k) + dt*u))
       z(k) = min(1d0, max(0d0, z(k) + dt*w))
       temp(k) = 1d0 - z(k) + 0.05d0*cos(pi*x(k))
    end do
  end subroutine advect

  ! melt fraction of a hydrous peridotite: solve the enthalpy balance by bisection
  real(dp) function melt(tp, zz)
    real(dp), intent(in) :: tp, zz
    real(dp) :: lo, hi, mid, tk, p
    integer :: it
    p = 6d0*(1d0 - zz)
    lo = 0; hi = 1
    do it = 1, 40
       mid = 0.5d0*(lo + hi)
       tk = 900d0 + 1100d0*tp - 320d0*mid
       if (1085.7d0 + 132.9d0*p - 5.1d0*p*p + 600d0*mid**(1/1.5d0) < tk) then
          lo = mid
       else
          hi = mid
       end if
    end do
    melt = 0.5d0*(lo + hi)
  end function melt

  subroutine output(no)
    integer, intent(in) :: no
    integer :: cnt(nproc), dsp(nproc), p, k
    real(dp), allocatable :: gx(:), gz(:), gt(:), gm(:)
    character(len=32) :: name
    do p = 0, nproc-1
       dsp(p+1) = int(int(ntr,8)*p/nproc)
       cnt(p+1) = int(int(ntr,8)*(p+1)/nproc) - dsp(p+1)
    end do
    allocate (gx(merge(ntr,1,rank==0)), gz(merge(ntr,1,rank==0)), gt(merge(ntr,1,rank==0)), gm(merge(ntr,1,rank==0)))
    call MPI_Gatherv(x, nloc, MPI_DOUBLE_PRECISION, gx, cnt, dsp, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    call MPI_Gatherv(z, nloc, MPI_DOUBLE_PRECISION, gz, cnt, dsp, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    call MPI_Gatherv(temp, nloc, MPI_DOUBLE_PRECISION, gt, cnt, dsp, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) then
       do k = 1, ntr
          gm(k) = melt(gt(k), gz(k))
       end do
       write (name, '(a,i4.4,a)') 'tracers.', no, '.bin'
       open (21, file=name, form='unformatted', status='replace')
       write (21) ntr, no
       write (21) gx, gz, gt, gm
       close (21)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine output
end program tracers
