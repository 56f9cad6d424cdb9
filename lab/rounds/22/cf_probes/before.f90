! Probe histories.  Laid out after the 'probes' function object of OpenFOAM:
! postProcessing/probes/<start time>/<field file>, here one file per probe.
program probes
  use mpi_f08
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer :: nx, ny, nstep, nprobe, rank, nproc, ierr, ios, n, p
  real(dp) :: dt, re, t, e(2), es(2)
  real(dp), allocatable :: u(:,:), v(:,:), w(:,:), xp(:,:)
  character(len=64), allocatable :: pfile(:)
  character(len=40) :: dir
  namelist /control/ nx, ny, nstep, dt, re, nprobe

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  open(10, file='control.nml', status='old', iostat=ios)
  if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 2)
  read(10, nml=control)
  close(10)
  allocate(u(nx,ny), v(nx,ny), w(nx,ny), xp(2,nprobe), pfile(nprobe))
  call read_probe_positions()
  write(dir, '(a,i0)') 'postProcessing/probes/processor', rank
  do p = 1, nprobe
    write(pfile(p), '(a,a,i3.3,a)') trim(dir), '/U_', p, '.dat'
    call start_history(p)
  end do
  call initial_vortices()
  do n = 1, nstep
    t = n*dt
    call step()
    do p = 1, nprobe
      call record_probe(p)
    end do
  end do
  e = [sum(u**2 + v**2), sum(abs(w))]
  call MPI_Reduce(e, es, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) write(*, '(a,2es16.8)') ' final energy, |omega|: ', es
  call MPI_Finalize(ierr)
contains
  subroutine read_probe_positions()
    integer :: k
    open(11, file='probeLocations', status='old', iostat=ios)
    if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 3)
    do k = 1, nprobe
      read(11, *) xp(:,k)
    end do
    close(11)
  end subroutine
  subroutine start_history(k)
    integer, intent(in) :: k
    open(20, file=pfile(k), status='replace', iostat=ios)
    if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 4)
    write(20, '(a,i0,a,2f10.6,a)') '# Probe ', k, ' (', xp(:,k), ')'
    write(20, '(a)') '#        time              u               v           omega'
    close(20)
  end subroutine
  subroutine initial_vortices()
    integer :: i, j
    real(dp) :: x, y
    do j = 1, ny
      do i = 1, nx
        x = 6.283185307d0*i/nx; y = 6.283185307d0*j/ny
        u(i,j) = sin(x + 0.3d0*rank)*cos(y); v(i,j) = -cos(x)*sin(y)
      end do
    end do
    w = 0
  end subroutine
  ! explicit upwind-ish burgers step, periodic
  subroutine step()
    real(dp) :: nu
    nu = 1.d0/re
    w = cshift(v,1,1) - cshift(v,-1,1) - cshift(u,1,2) + cshift(u,-1,2)
    u = u + dt*(nu*(cshift(u,1,1) + cshift(u,-1,1) + cshift(u,1,2) + cshift(u,-1,2) - 4*u) + v*w)
    v = v + dt*(nu*(cshift(v,1,1) + cshift(v,-1,1) + cshift(v,1,2) + cshift(v,-1,2) - 4*v) - u*w)
  end subroutine
  subroutine record_probe(k)
    integer, intent(in) :: k
    integer :: i, j
    i = 1 + int(xp(1,k)*(nx-1)); j = 1 + int(xp(2,k)*(ny-1))
    open(20, file=pfile(k), status='old', position='append', action='write', iostat=ios)
    if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 5)
    write(20, '(4es16.8)') t, u(i,j), v(i,j), w(i,j)
    close(20)
  end subroutine
end program
