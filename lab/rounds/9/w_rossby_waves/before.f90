! Barotropic vorticity on a beta plane, latitude bands over the ranks.
! At every restart time each rank leaves its band in a file of its own.
module bands
  use mpi
  use iso_c_binding
  implicit none
  integer, parameter :: nx = 512
  integer :: rank, nproc, ny, ierr, north, south
  real(8), allocatable :: z(:,:), zn(:,:), psi(:,:)
  interface
     integer(c_int) function c_fsync(fd) bind(c, name='fsync')
       import :: c_int
       integer(c_int), value :: fd
     end function c_fsync
  end interface
contains

  subroutine setup(nlat)
    integer, intent(in) :: nlat
    integer :: i, j, gj
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
    ny = nlat / nproc
    north = rank + 1
    if (north == nproc) north = MPI_PROC_NULL
    south = rank - 1
    if (south < 0) south = MPI_PROC_NULL
    allocate (z(nx, 0:ny+1), zn(nx, 0:ny+1), psi(nx, 0:ny+1))
    z = 0d0
    psi = 0d0
    do j = 1, ny
       gj = rank * ny + j
       do i = 1, nx
          z(i, j) = sin(6.2831853d0 * 4 * i / nx) * exp(-((gj - nlat / 2) / 60d0)**2)
       end do
    end do
    zn = z
  end subroutine setup

  subroutine exchange(a)
    real(8), intent(inout) :: a(nx, 0:ny+1)
    call MPI_Sendrecv(a(1, ny), nx, MPI_DOUBLE_PRECISION, north, 1, a(1, 0), nx, MPI_DOUBLE_PRECISION, &
         south, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(a(1, 1), nx, MPI_DOUBLE_PRECISION, south, 2, a(1, ny+1), nx, MPI_DOUBLE_PRECISION, &
         north, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine exchange

  subroutine step(dt)
    real(8), intent(in) :: dt
    integer :: i, j, ip, im
    call exchange(z)
    call exchange(psi)
    do j = 1, ny
       do i = 1, nx
          ip = mod(i, nx) + 1
          im = mod(i + nx - 2, nx) + 1
          zn(i, j) = z(i, j) - dt * (0.5d0 * (psi(ip, j) - psi(im, j)) * 1.6d0 &
               + 0.05d0 * (psi(i, j+1) - psi(i, j-1)) * (z(ip, j) - z(im, j))) &
               + 0.02d0 * (z(ip, j) + z(im, j) + z(i, j+1) + z(i, j-1) - 4 * z(i, j))
       end do
    end do
    psi(:, 1:ny) = 0.9d0 * psi(:, 1:ny) - 0.1d0 * zn(:, 1:ny)
    z(:, 1:ny) = zn(:, 1:ny)
  end subroutine step

  subroutine save_restart(number)
    integer, intent(in) :: number
    integer :: u, r
    character(len=40) :: name
    write (name, '(a,i3.3,a,i2.2,a)') 'restart_', number, '_', rank, '.bin'
    do r = 0, nproc - 1
       if (r == rank) then
          open (newunit=u, file=name, access='stream', form='unformatted', status='replace')
          write (u) number, nx, ny
          write (u) z, psi
          flush (u)
          if (c_fsync(int(fnum(u), c_int)) /= 0) stop 'fsync'
          close (u)
       end if
       call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end do
  end subroutine save_restart
end module bands

program rossby
  use bands
  implicit none
  integer :: nsave, s, k
  real(8) :: e, etot
  character(len=16) :: arg
  nsave = 20
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read (arg, *) nsave
  end if
  call MPI_Init(ierr)
  call setup(640)
  do s = 1, nsave
     do k = 1, 2
        call step(0.02d0)
     end do
     call save_restart(s)
     e = sum(z(:, 1:ny)**2)
     call MPI_Reduce(e, etot, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
     if (rank == 0) print '(a,i4,f20.10)', 'restart', s, etot
  end do
  call MPI_Finalize(ierr)
end program rossby
