! LES running statistics: mean and r.m.s. profiles across the channel, sampled
! every step and put into a binary statistics file that survives a crash.
module durable
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function c_fsync(fd) bind(c, name='fsync')
      import c_int
      integer(c_int), value :: fd
    end function
  end interface
contains
  subroutine commit_unit(lu)
    integer, intent(in) :: lu
    integer(c_int) :: rc
    flush(lu)
    rc = c_fsync(int(fnum(lu), c_int))
    if (rc /= 0) write(0,*) 'stats: fsync failed on unit ', lu
  end subroutine
end module

program les_stats
  use mpi_f08
  use durable
  implicit none
  integer, parameter :: dp = kind(1.d0), lst = 41
  integer :: nx, ny, nstep, nwindow, rank, nproc, ierr, ios, n
  real(dp), allocatable :: u(:,:), um(:), uu(:), gm(:), gg(:)
  real(dp) :: dt, top, bot
  namelist /les/ nx, ny, nstep, nwindow, dt

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  open(10, file='les.nml', status='old', iostat=ios)
  if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 1)
  read(10, nml=les)
  close(10)
  allocate(u(nx,0:ny+1), um(ny), uu(ny), gm(ny*nproc), gg(ny*nproc))
  call initial()
  if (rank == 0) then
    open(lst, file='stats.bin', form='unformatted', access='sequential', status='replace', iostat=ios)
    if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 1)
    write(lst) nx, ny*nproc, nstep, nwindow
  end if

  do n = 1, nstep
    call halo()
    call advance()
    um = sum(u(:,1:ny), 1)/nx
    uu = sum(u(:,1:ny)**2, 1)/nx - um**2
    call MPI_Gather(um, ny, MPI_DOUBLE_PRECISION, gm, ny, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
    call MPI_Gather(uu, ny, MPI_DOUBLE_PRECISION, gg, ny, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
    if (rank == 0) then
      write(lst) n, n*dt, gm, gg
      call commit_unit(lst)
    end if
  end do

  if (rank == 0) then
    close(lst)
    call window_report()
  end if
  call MPI_Finalize(ierr)
contains
  subroutine initial()
    integer :: i, j
    real(dp) :: y
    do j = 0, ny+1
      y = (rank*ny + j - 0.5d0)/(ny*nproc)
      do i = 1, nx
        u(i,j) = 4*y*(1-y) + 0.1d0*sin(0.7d0*i + 13*y)
      end do
    end do
  end subroutine
  subroutine halo()
    integer :: up, dn
    type(MPI_Status) :: st
    up = merge(rank+1, MPI_PROC_NULL, rank < nproc-1)
    dn = merge(rank-1, MPI_PROC_NULL, rank > 0)
    call MPI_Sendrecv(u(:,ny), nx, MPI_DOUBLE_PRECISION, up, 1, u(:,0), nx, MPI_DOUBLE_PRECISION, dn, 1, MPI_COMM_WORLD, st)
    call MPI_Sendrecv(u(:,1), nx, MPI_DOUBLE_PRECISION, dn, 2, u(:,ny+1), nx, MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, st)
    if (rank == 0) u(:,0) = -u(:,1)
    if (rank == nproc-1) u(:,ny+1) = -u(:,ny)
  end subroutine
  subroutine advance()
    real(dp) :: r(nx,ny), nut(nx,ny)
    nut = 1.d-3 + 0.01d0*abs(u(:,2:ny+1) - u(:,0:ny-1))
    r = nut*(cshift(u(:,1:ny),1) + cshift(u(:,1:ny),-1) + u(:,2:ny+1) + u(:,0:ny-1) - 4*u(:,1:ny))
    u(:,1:ny) = u(:,1:ny) + dt*(100*r + 0.02d0 - u(:,1:ny)*(u(:,1:ny) - cshift(u(:,1:ny),-1)))
  end subroutine
  subroutine window_report()
    integer :: k, m, hdr(4)
    real(dp) :: tk, s1, s2
    open(lst, file='stats.bin', form='unformatted', status='old', action='read')
    read(lst) hdr
    s1 = 0; s2 = 0
    do k = 1, hdr(3)
      read(lst) m, tk, gm, gg
      s1 = s1 + sum(gm); s2 = s2 + sum(gg)
      if (mod(m, hdr(4)) == 0) then
        write(*, '(a,f8.4,2es16.8)') ' window ', tk, s1, s2
        s1 = 0; s2 = 0
      end if
    end do
    close(lst)
  end subroutine
end program
