! Bucket land-surface model driven by a forcing file.  Every rank holds a band
! of grid rows; it reads its band of each forcing record and writes its band of
! each output record in one piece, at its own place in the common file.
module bucket
  implicit none
  integer, parameter :: rk = kind(1.0d0), sp = kind(1.0)
  integer, parameter :: nlev = 8
contains
  subroutine infiltrate(theta, rain, evap)
    real(rk), intent(inout) :: theta(:,:,:)
    real(sp), intent(in) :: rain(:,:)
    real(rk), intent(in) :: evap
    integer :: i, j, k, it
    real(rk) :: q, cond
    do j = 1, size(theta, 2)
      do i = 1, size(theta, 1)
        do it = 1, 12
          q = rain(i, j) / 12 - evap * theta(i, j, 1) / 12
          do k = 1, nlev
            theta(i, j, k) = max(0.02_rk, theta(i, j, k) + q)
            cond = 0.05_rk * (theta(i, j, k) / 0.45_rk) ** 3.6_rk
            q = min(cond, theta(i, j, k) - 0.02_rk)
            theta(i, j, k) = min(0.45_rk, theta(i, j, k) - q)
          end do
        end do
      end do
    end do
  end subroutine
end module

program soil_moisture
  use mpi
  use bucket
  implicit none
  integer :: nx, ny, nt, every, me, np, ierr, j0, nloc, t, irec, luin, luout, i
  integer(8) :: pos
  real(sp), allocatable :: rain(:,:), out(:,:,:)
  real(rk), allocatable :: theta(:,:,:)
  real(rk) :: s, total
  character(len=16) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  call get_command_argument(1, arg); read(arg, *) nx
  call get_command_argument(2, arg); read(arg, *) ny
  call get_command_argument(3, arg); read(arg, *) nt
  call get_command_argument(4, arg); read(arg, *) every
  nloc = ny / np
  j0 = me * nloc
  if (me == np - 1) nloc = ny - j0
  allocate(rain(nx, nloc), theta(nx, nloc, nlev), out(nx, nloc, nlev))
  theta = 0.2_rk

  open(newunit=luin, file='forcing.bin', access='stream', form='unformatted', status='old', action='read')
  if (me == 0) then
    open(newunit=luout, file='soil.bin', access='stream', form='unformatted', status='replace')
    close(luout)
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  open(newunit=luout, file='soil.bin', access='stream', form='unformatted', status='old', action='readwrite')

  irec = 0
  do t = 1, nt
    call read_forcing(t)
    call infiltrate(theta, rain, 0.02_rk + 0.01_rk * sin(0.1_rk * t))
    if (mod(t, every) == 0) then
      irec = irec + 1
      call write_levels(irec)
    end if
  end do
  close(luin)
  close(luout)

  s = 0
  do i = 1, nlev
    s = s + sum(real(nint(theta(:, :, i) * 1e6_rk), rk)) * i
  end do
  call MPI_Reduce(s, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) print '(a,i4,a,f20.1)', 'records', irec, ' checksum', total
  call MPI_Finalize(ierr)

contains
  subroutine read_forcing(t)
    integer, intent(in) :: t
    pos = 1 + 4_8 * nx * (int(t - 1, 8) * ny + j0)
    read(luin, pos=pos) rain
  end subroutine

  subroutine write_levels(rec)
    integer, intent(in) :: rec
    integer :: k
    out = real(theta, sp)
    do k = 1, nlev
      pos = 1 + 4_8 * nx * ((int(rec - 1, 8) * nlev + k - 1) * ny + j0)
      write(luout, pos=pos) out(:, :, k)
    end do
  end subroutine
end program
