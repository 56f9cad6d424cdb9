! 1-D elastic waves through a layered crust, one profile (source position) per processor, seismograms at stations.
! Names and output after SPECFEM (Par_file, *.BXZ.semd).
program stations
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nproc, n, nst, nstep, it, i, ns, ios
  real(dp) :: dt, dx, e, etot
  real(dp), allocatable :: u(:), um(:), up(:), c(:)
  integer, allocatable :: cell(:), id(:)
  namelist /wave/ n, nst, nstep, dt, dx

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  open (10, file='Par_file', status='old', iostat=ios)
  if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  read (10, nml=wave)
  close (10)
  allocate (u(0:n+1), um(0:n+1), up(0:n+1), c(0:n+1), cell(nst), id(nst))
  do i = 0, n+1
     c(i) = 1d0 + 0.5d0*sin(0.001d0*i)**2
     u(i) = exp(-((i-n*(rank+1)/(nproc+2))/40d0)**2)
  end do
  um = u
  ns = 0
  do i = 1, nst
     ns = ns + 1
     id(ns) = i + 100*rank
     cell(ns) = n*i/(nst+1)
  end do
  call start_seismograms()
  do it = 1, nstep
     u(0) = u(1)
     u(n+1) = u(n)
     up(1:n) = 2*u(1:n) - um(1:n) + (c(1:n)*dt/dx)**2 &
          *(u(0:n-1) - 2*u(1:n) + u(2:n+1))
     um = u
     u(1:n) = up(1:n)
     call record(it)
  end do
  e = sum(u(1:n)**2)
  call MPI_Reduce(e, etot, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,es16.8)', 'energy ', etot
  call MPI_Finalize(ierr)

contains

  function sname(k) result(name)
    integer, intent(in) :: k
    character(len=24) :: name
    write (name, '(a,i3.3,a)') 'S', k, '.BXZ.semd'
  end function sname

  subroutine start_seismograms()
    integer :: k
    do k = 1, ns
       open (100+k, file=sname(id(k)), status='replace')
       write (100+k, '(a,i4)') '# station ', id(k)
       close (100+k)
    end do
  end subroutine start_seismograms

  subroutine record(step)
    integer, intent(in) :: step
    integer :: k
    do k = 1, ns
       open (77, file=sname(id(k)), status='old', position='append')
       write (77, '(f10.4,1x,es14.6)') step*dt, u(cell(k))
       close (77)
    end do
  end subroutine record
end program stations
