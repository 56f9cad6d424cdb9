! Isotropic turbulence box, slab decomposition, scalar transport on a
! staggered stencil; restart dumps by a collective MPI-IO subarray view.
program box_les
  use mpi_f08
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer :: n, nstep, idump, rank, nproc, ierr, ios, is, nl
  real(dp), allocatable :: phi(:,:,:), u(:,:,:,:), rhs(:,:,:)
  real(dp) :: dt, chi, loc(2), glb(2)
  type(MPI_Info) :: info
  type(MPI_Datatype) :: slab
  namelist /box/ n, nstep, idump, dt

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  open(10, file='box.nml', status='old', iostat=ios)
  if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 1)
  read(10, nml=box)
  close(10)
  nl = n/nproc
  allocate(phi(n,n,0:nl+1), u(3,n,n,nl), rhs(n,n,nl))
  call MPI_Info_create(info)
  call MPI_Info_set(info, 'romio_cb_write', 'enable')
  call MPI_Type_create_subarray(3, [n,n,n], [n,n,nl], [0,0,rank*nl], MPI_ORDER_FORTRAN, &
       MPI_DOUBLE_PRECISION, slab)
  call MPI_Type_commit(slab)
  call setup()
  if (rank == 0) open(15, file='box.log', status='replace')
  do is = 1, nstep
    call halo(phi)
    call transport()
    loc = [sum(phi(:,:,1:nl)), sum(phi(:,:,1:nl)**2)]
    call MPI_Allreduce(loc, glb, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    chi = glb(2)/n**3
    if (rank == 0) then
      write(15, '(i6,f10.5,2es16.8)') is, is*dt, glb(1)/n**3, chi
      flush(15)
    end if
    if (mod(is, idump) == 0) call dump(is)
  end do
  if (rank == 0) then
    close(15)
    write(*, '(a,2es16.8)') ' mean, variance ', glb/n**3
  end if
  call MPI_Info_free(info)
  call MPI_Finalize(ierr)
contains
  subroutine setup()
    integer :: i, j, k
    real(dp) :: x, y, z, a
    a = 6.283185307179586d0/n
    do k = 1, nl
      do j = 1, n
        do i = 1, n
          x = a*i; y = a*j; z = a*(k + rank*nl)
          phi(i,j,k) = sin(2*x)*cos(y) + 0.3d0*cos(3*z)
          u(:,i,j,k) = [sin(x)*cos(y)*cos(z), -cos(x)*sin(y)*cos(z), 0.2d0*sin(x+y)]
        end do
      end do
    end do
  end subroutine
  subroutine halo(f)
    real(dp), intent(inout) :: f(n,n,0:nl+1)
    integer :: up, dn
    up = mod(rank+1, nproc); dn = mod(rank-1+nproc, nproc)
    call MPI_Sendrecv(f(:,:,nl), n*n, MPI_DOUBLE_PRECISION, up, 1, f(:,:,0), n*n, &
         MPI_DOUBLE_PRECISION, dn, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(f(:,:,1), n*n, MPI_DOUBLE_PRECISION, dn, 2, f(:,:,nl+1), n*n, &
         MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine
  subroutine transport()
    integer :: i, j, k, ip, im, jp, jm
    real(dp) :: gx, gy, gz, d, kap
    do k = 1, nl
      do j = 1, n
        jp = mod(j, n) + 1; jm = mod(j-2+n, n) + 1
        do i = 1, n
          ip = mod(i, n) + 1; im = mod(i-2+n, n) + 1
          gx = phi(ip,j,k) - phi(im,j,k); gy = phi(i,jp,k) - phi(i,jm,k)
          gz = phi(i,j,k+1) - phi(i,j,k-1)
          d = phi(ip,j,k) + phi(im,j,k) + phi(i,jp,k) + phi(i,jm,k) + phi(i,j,k+1) + phi(i,j,k-1) - 6*phi(i,j,k)
          kap = 0.02d0 + 0.01d0*tanh(sqrt(gx*gx + gy*gy + gz*gz))
          rhs(i,j,k) = kap*d - 0.5d0*(u(1,i,j,k)*gx + u(2,i,j,k)*gy + u(3,i,j,k)*gz)
        end do
      end do
    end do
    phi(:,:,1:nl) = phi(:,:,1:nl) + dt*rhs
  end subroutine
  subroutine dump(k)
    integer, intent(in) :: k
    type(MPI_File) :: fh
    character(len=32) :: fn
    integer(MPI_OFFSET_KIND), parameter :: zero = 0
    write(fn, '(a,i5.5,a)') 'box_', k, '.rst'
    call MPI_File_open(MPI_COMM_WORLD, fn, MPI_MODE_CREATE+MPI_MODE_WRONLY, info, fh, ios)
    if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 3)
    call MPI_File_set_view(fh, zero, MPI_DOUBLE_PRECISION, slab, 'native', info)
    call MPI_File_write_all(fh, phi(:,:,1:nl), n*n*nl, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE)
    call MPI_File_close(fh)
  end subroutine
end program
