! Diffusion of eight ion species across a slab, domain cut in z. The coupling
! layer carries the boundary planes: <step>.<species>.<rank>.halo in the
! exchange folder.
program halo
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: nx = 32, ny = 32, nz = 12, nstep = 500, nf = 8
  integer :: ierr, me, np, n, k, f
  real(dp), allocatable :: u(:,:,:,:), v(:,:,:)
  real(dp) :: s, g

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  allocate(u(nx,ny,0:nz+1,nf), v(nx,ny,nz))
  do f = 1, nf
    do k = 0, nz + 1
      u(:,:,k,f) = sin(0.1_dp*f*(k + me*nz)) + 1.5_dp
    end do
  end do
  u(nx/2, ny/2, nz/2, 1) = 20

  do n = 1, nstep
    call exchange(n)
    do f = 1, nf
      call step(u(:,:,:,f), 0.16_dp/f)
    end do
  end do

  s = sum(u(:,:,1:nz,:))
  call MPI_Reduce(s, g, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) write(*,'(a,es20.12)') ' ions ', g
  call MPI_Finalize(ierr)

contains

  function hname(is, k, ir) result(c)
    integer, intent(in) :: is, k, ir
    character(len=40) :: c
    write(c,'(a,i6.6,a,i2.2,a,i3.3,a)') 'exch/', is, '.', k, '.', ir, '.halo'
  end function hname

  subroutine exchange(is)
    integer, intent(in) :: is
    integer :: lun, k
    real(dp) :: lo(nx,ny), hi(nx,ny)
    do k = 1, nf
      open(newunit=lun, file=hname(is, k, me), form='unformatted', status='replace', action='write')
      write(lun) u(:,:,1,k), u(:,:,nz,k)
      close(lun)
    end do
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    do k = 1, nf
      if (me > 0) then
        open(newunit=lun, file=hname(is, k, me-1), form='unformatted', status='old', action='read')
        read(lun) lo, hi
        close(lun)
        u(:,:,0,k) = hi
      end if
      if (me < np - 1) then
        open(newunit=lun, file=hname(is, k, me+1), form='unformatted', status='old', action='read')
        read(lun) lo, hi
        close(lun)
        u(:,:,nz+1,k) = lo
      end if
    end do
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    do k = 1, nf
      open(newunit=lun, file=hname(is, k, me), form='unformatted', status='old')
      close(lun, status='delete')
    end do
  end subroutine exchange

  subroutine step(u, a)
    real(dp), intent(inout) :: u(nx,ny,0:nz+1)
    real(dp), intent(in) :: a
    integer :: i, j, kk
    do kk = 1, nz
      do j = 2, ny - 1
        do i = 2, nx - 1
          v(i,j,kk) = u(i,j,kk) + a*(u(i-1,j,kk) + u(i+1,j,kk) + u(i,j-1,kk) + u(i,j+1,kk) &
                    + u(i,j,kk-1) + u(i,j,kk+1) - 6*u(i,j,kk))
        end do
      end do
    end do
    u(2:nx-1,2:ny-1,1:nz) = v(2:nx-1,2:ny-1,:)
  end subroutine step
end program halo
