! Lennard-Jones fluid, replicated data as in early DL_POLY: every processor holds all atoms, pairs are dealt out,
! forces summed. Statistics line per step (flushed), restart (REVCON) every 25 steps.
program ljfluid
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nproc, n, nc, nstep, step, i, ios
  real(dp) :: box, dt, rho, e, ek
  real(dp), allocatable :: r(:,:), v(:,:), f(:,:), fl(:,:)
  namelist /control/ nc, nstep, dt, rho
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  open (10, file='CONTROL', status='old', iostat=ios)
  if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  read (10, nml=control)
  close (10)
  n = nc**3
  box = (n/rho)**(1d0/3)
  allocate (r(3,n), v(3,n), f(3,n), fl(3,n+1))
  do i = 1, n
     r(:,i) = box/nc*(/ mod(i-1,nc)+0.5d0, mod((i-1)/nc,nc)+0.5d0, (i-1)/nc**2+0.5d0 /)
     v(:,i) = (/ sin(1.1d0*i), cos(2.3d0*i), sin(3.7d0*i) /)
  end do
  if (rank == 0) open (20, file='STATIS', status='replace')
  call forces(e)
  do step = 1, nstep
     v = v + 0.5d0*dt*f
     r = r + dt*v
     r = r - box*floor(r/box)
     call forces(e)
     v = v + 0.5d0*dt*f
     ek = 0.5d0*sum(v*v)
     if (rank == 0) then
        write (20, '(i6,3f16.6)') step, e/n, ek/n, (e+ek)/n
        flush (20)
        if (mod(step, 25) == 0) call revcon(step)
     end if
  end do
  if (rank == 0) then
     close (20)
     print '(a,f14.4)', 'energy per atom ', (e+ek)/n
  end if
  call MPI_Finalize(ierr)

contains

  subroutine forces(epot)
    real(dp), intent(out) :: epot
    integer :: a, b
    real(dp) :: d(3), r2, s6, ff
    fl = 0
    do a = 1 + rank, n, nproc
       do b = a+1, n
          d = r(:,a) - r(:,b)
          d = d - box*anint(d/box)
          r2 = d(1)**2 + d(2)**2 + d(3)**2
          if (r2 > 6.25d0) cycle
          s6 = 1/r2**3
          ff = 48*s6*(s6-0.5d0)/r2
          fl(:,a) = fl(:,a) + ff*d
          fl(:,b) = fl(:,b) - ff*d
          fl(1,n+1) = fl(1,n+1) + 4*s6*(s6-1)
       end do
    end do
    call MPI_Allreduce(MPI_IN_PLACE, fl, 3*(n+1), MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    f = fl(:,1:n)
    epot = fl(1,n+1)
  end subroutine forces

  subroutine revcon(it)
    integer, intent(in) :: it
    integer :: a
    open (30, file='REVCON', status='replace')
    write (30, '(a,i8)') 'LJ fluid restart at ', it
    do a = 1, n
       write (30, '(a8,i10)') 'Ar      ', a
       write (30, '(3f20.10)') r(:,a)
       write (30, '(3f20.10)') v(:,a)
    end do
    close (30)
  end subroutine revcon
end program ljfluid
