! Travel times through a tomographic model; each processor traces its own sources.
! The way of reading the model follows SPECFEM3D's model_tomography: text file, header, one line per node.
program tomo
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nproc, nx, nz, nsrc, turn, is, ir, nray
  real(dp) :: dx, dz, tt, tsum, tall, tmax, gmax
  real(dp), allocatable :: vp(:,:), vs(:,:), rho(:,:)
  character(len=64) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nsrc = 64
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg)
     read (arg, *) nsrc
  end if

  call read_model('DATA_tomography_model.xyz')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  turn = nproc
  if (rank == 0) print '(a,2i6,a,f8.3)', 'model ', nx, nz, ' vp max ', maxval(vp)

  tsum = 0; tmax = 0; nray = 0
  do is = 1 + rank, nsrc, nproc
     do ir = 1, 40
        call trace(is*(nx-1)*dx/nsrc, ir*(nx-1)*dx/40, tt)
        tsum = tsum + tt
        tmax = max(tmax, tt)
        nray = nray + 1
     end do
  end do
  call MPI_Reduce(tsum, tall, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call MPI_Reduce(tmax, gmax, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
     open (31, file='traveltimes.txt', status='replace')
     write (31, '(a,f14.5,a,f12.5)') 'sum ', tall, ' max ', gmax
     close (31)
     print '(a,f14.5,a,f12.5)', 'sum ', tall, ' max ', gmax
  end if
  call MPI_Finalize(ierr)

contains

  subroutine read_model(name)
    character(len=*), intent(in) :: name
    real(dp) :: x, z
    integer :: i, k, ios
    open (41, file=name, status='old', action='read', iostat=ios)
    if (ios /= 0) then
       print *, 'cannot open ', name
       call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
    end if
    read (41, *) nx, nz, dx, dz
    allocate (vp(nx,nz), vs(nx,nz), rho(nx,nz))
    do k = 1, nz
       do i = 1, nx
          read (41, *, iostat=ios) x, z, vp(i,k), vs(i,k), rho(i,k)
          if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
       end do
    end do
    close (41)
  end subroutine read_model

  subroutine trace(xs, xr, t)
    real(dp), intent(in) :: xs, xr
    real(dp), intent(out) :: t
    integer, parameter :: nseg = 200
    integer :: k, i, j
    real(dp) :: s, x, z, ds
    t = 0
    ds = sqrt((xr-xs)**2 + (0.3_dp*(xr-xs))**2)/nseg
    do k = 1, nseg
       s = (k-0.5_dp)/nseg
       x = xs + s*(xr-xs)
       z = 1.2_dp*abs(xr-xs)*s*(1-s)
       i = min(nx, 1+int(x/dx)); j = min(nz, 1+int(z/dz))
       t = t + ds/vp(i,j)
    end do
  end subroutine trace
end program tomo
