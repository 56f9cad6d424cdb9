! Barotropic tide in a fjord, row decomposition.  History records hold free
! surface and both velocity components at every wet point.
module fjord_grid
  use mpi
  implicit none
  integer, parameter :: rk = kind(1.0d0)
  integer :: nx, ny, j0, j1, nloc, me, np
  real(rk), allocatable :: z(:,:), u(:,:), v(:,:), h(:,:)
contains
  subroutine decompose()
    integer :: base, extra
    base = ny / np
    extra = mod(ny, np)
    j0 = me * base + min(me, extra) + 1
    nloc = base
    if (me < extra) nloc = nloc + 1
    j1 = j0 + nloc - 1
    allocate(z(nx, j0-1:j1+1), u(nx, j0-1:j1+1), v(nx, j0-1:j1+1), h(nx, j0-1:j1+1))
  end subroutine

  subroutine bathymetry()
    integer :: i, j
    real(rk) :: s
    do j = j0 - 1, j1 + 1
      do i = 1, nx
        s = abs(real(i, rk) - 0.5_rk * nx) / (0.5_rk * nx)
        h(i, j) = 400.0_rk * (1.0_rk - 0.9_rk * s * s) * (0.4_rk + 0.6_rk * real(j, rk) / ny)
      end do
    end do
    z = 0; u = 0; v = 0
  end subroutine

  subroutine halo(a)
    real(rk), intent(inout) :: a(nx, j0-1:j1+1)
    integer :: up, dn, ierr
    up = me + 1; if (up == np) up = MPI_PROC_NULL
    dn = me - 1; if (dn < 0) dn = MPI_PROC_NULL
    call MPI_Sendrecv(a(1, j1), nx, MPI_DOUBLE_PRECISION, up, 1, a(1, j0-1), nx, &
         MPI_DOUBLE_PRECISION, dn, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(a(1, j0), nx, MPI_DOUBLE_PRECISION, dn, 2, a(1, j1+1), nx, &
         MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine

  subroutine advance(t, dt, dx)
    real(rk), intent(in) :: t, dt, dx
    integer :: i, j
    real(rk), parameter :: g = 9.81_rk
    call halo(z)
    do j = j0, j1
      do i = 2, nx
        u(i, j) = 0.999_rk * u(i, j) - g * dt / dx * (z(i, j) - z(i-1, j))
      end do
      if (j > 1) v(:, j) = 0.999_rk * v(:, j) - g * dt / dx * (z(:, j) - z(:, j-1))
    end do
    call halo(v)
    do j = j0, j1
      if (j == ny) then
        z(:, j) = sin(1.405e-4_rk * t)
        cycle
      end if
      do i = 1, nx - 1
        z(i, j) = z(i, j) - dt / dx * h(i, j) * (u(i+1, j) - u(i, j) + v(i, j+1) - v(i, j))
      end do
    end do
  end subroutine
end module

module fjord_history
  use fjord_grid
  implicit none
contains
  subroutine write_history(irec, t)
    integer, intent(in) :: irec
    real(rk), intent(in) :: t
    real(rk), allocatable :: g(:,:,:), loc(:,:,:)
    integer, allocatable :: cnt(:), off(:)
    integer :: i, j, k, ierr, lun
    character(len=32) :: name
    allocate(loc(3, nx, nloc), cnt(np), off(np))
    loc(1,:,:) = z(:, j0:j1); loc(2,:,:) = u(:, j0:j1); loc(3,:,:) = v(:, j0:j1)
    call MPI_Allgather(size(loc), 1, MPI_INTEGER, cnt, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    off(1) = 0
    do k = 2, np
      off(k) = off(k-1) + cnt(k-1)
    end do
    if (me == 0) then
      allocate(g(3, nx, ny))
    else
      allocate(g(1, 1, 1))
    end if
    call MPI_Gatherv(loc, size(loc), MPI_DOUBLE_PRECISION, g, cnt, off, MPI_DOUBLE_PRECISION, &
         0, MPI_COMM_WORLD, ierr)
    if (me == 0) then
      write(name, '(a,i4.4,a)') 'fjord_his_', irec, '.txt'
      open(newunit=lun, file=name, status='replace', action='write')
      write(lun, '(a,f12.1,2i6)') 'time ', t, nx, ny
      do j = 1, ny
        do i = 1, nx
          write(lun, '(2i6,3es16.7)') i, j, g(:, i, j)
        end do
      end do
      close(lun)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine
end module

program fjord_tides
  use fjord_grid
  use fjord_history
  implicit none
  integer :: ierr, n, nsteps, nhis, irec
  real(rk) :: dt, dx, e, etot
  character(len=16) :: arg
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  call get_command_argument(1, arg); read(arg, *) nx
  call get_command_argument(2, arg); read(arg, *) ny
  call get_command_argument(3, arg); read(arg, *) nsteps
  call get_command_argument(4, arg); read(arg, *) nhis
  call decompose()
  call bathymetry()
  dt = 2.0_rk; dx = 500.0_rk; irec = 0
  do n = 1, nsteps
    call advance(n * dt, dt, dx)
    if (mod(n, nhis) == 0) then
      irec = irec + 1
      call write_history(irec, n * dt)
    end if
  end do
  e = maxval(abs(z(:, j0:j1)))
  call MPI_Reduce(e, etot, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) print '(a,i4,a,es16.8)', 'records', irec, ' max elevation', etot
  call MPI_Finalize(ierr)
end program
