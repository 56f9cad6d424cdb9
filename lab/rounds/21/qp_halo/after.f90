! Diffusion of eight ion species across a slab, domain cut in z.
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
    call exchange()
    do f = 1, nf
      call step(u(:,:,:,f), 0.16_dp/f)
    end do
  end do

  s = sum(u(:,:,1:nz,:))
  call MPI_Reduce(s, g, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) write(*,'(a,es20.12)') ' ions ', g
  call MPI_Finalize(ierr)

contains

  subroutine exchange()
    integer :: st(MPI_STATUS_SIZE), up, dn
    real(dp) :: out(nx,ny,nf), in(nx,ny,nf)
    up = merge(me + 1, MPI_PROC_NULL, me < np - 1)
    dn = merge(me - 1, MPI_PROC_NULL, me > 0)
    in = u(:,:,0,:)
    out = u(:,:,nz,:)
    call MPI_Sendrecv(out, size(out), MPI_DOUBLE_PRECISION, up, 1, in, size(in), &
                      MPI_DOUBLE_PRECISION, dn, 1, MPI_COMM_WORLD, st, ierr)
    u(:,:,0,:) = in
    in = u(:,:,nz+1,:)
    out = u(:,:,1,:)
    call MPI_Sendrecv(out, size(out), MPI_DOUBLE_PRECISION, dn, 2, in, size(in), &
                      MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, st, ierr)
    u(:,:,nz+1,:) = in
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
