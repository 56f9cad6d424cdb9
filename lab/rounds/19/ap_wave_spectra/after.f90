! Spectral wave growth on a coastal grid.  Rows are dealt out cyclically; land
! points carry no spectrum.  Significant height goes to one shared file.
module coast
  use mpi
  implicit none
  integer, parameter :: rk = kind(1.0d0), nf = 24, nd = 24
  integer :: nx, ny, me, np
  logical, allocatable :: sea(:,:)
contains
  subroutine land_mask()
    integer :: i, j
    allocate(sea(nx, ny))
    do j = 1, ny
      do i = 1, nx
        ! the coast line runs across the domain, open water in the south
        sea(i, j) = j < ny / 2 + int(4 * sin(0.2_rk * i))
      end do
    end do
  end subroutine

  logical function mine(j)
    integer, intent(in) :: j
    mine = mod(j - 1, np) == me
  end function

  subroutine grow(e, wind, dt)
    real(rk), intent(inout) :: e(nf, nd)
    real(rk), intent(in) :: wind, dt
    integer :: k, m
    real(rk) :: f, s, tail
    do m = 1, nd
      do k = 1, nf
        f = 0.04_rk * 1.1_rk ** (k - 1)
        s = wind * exp(-((m - 12) / 5.0_rk) ** 2) * f
        tail = 1.0_rk / (1.0_rk + (f / 0.1_rk) ** 4)
        e(k, m) = e(k, m) + dt * (s * (1.0_rk + e(k, m)) - 0.2_rk * e(k, m) * e(k, m)) * tail
      end do
    end do
  end subroutine

  real(rk) function height(e)
    real(rk), intent(in) :: e(nf, nd)
    integer :: k
    height = 0
    do k = 1, nf
      height = height + sum(e(k, :)) * 0.004_rk * 1.1_rk ** k
    end do
    height = 4 * sqrt(height)
  end function
end module

program wave_spectra
  use coast
  implicit none
  integer :: ierr, fh, t, nt, i, j, nrows, k
  integer, allocatable :: rows(:)
  integer(MPI_OFFSET_KIND) :: pos
  real(rk), allocatable :: e(:,:,:,:), hs(:,:), rowsum(:), allsum(:)
  real(rk) :: wind
  character(len=16) :: arg
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  call get_command_argument(1, arg); read(arg, *) nx
  call get_command_argument(2, arg); read(arg, *) ny
  call get_command_argument(3, arg); read(arg, *) nt
  call land_mask()
  rows = pack([(j, j = 1, ny)], [(mine(j), j = 1, ny)])
  nrows = size(rows)
  allocate(e(nf, nd, nx, nrows), hs(nx, nrows), rowsum(ny), allsum(ny))
  e = 0.01_rk
  rowsum = 0
  call MPI_File_open(MPI_COMM_WORLD, 'hsig.bin', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
  do t = 1, nt
    wind = 1.0_rk + 0.5_rk * sin(0.3_rk * t)
    hs = 0
    do k = 1, nrows
      do i = 1, nx
        if (.not. sea(i, rows(k))) cycle
        call grow(e(:, :, i, k), wind, 0.05_rk)
        hs(i, k) = height(e(:, :, i, k))
      end do
      rowsum(rows(k)) = rowsum(rows(k)) + sum(hs(:, k))
    end do
    call write_rows()
  end do
  call MPI_File_close(fh, ierr)
  call MPI_Reduce(rowsum, allsum, ny, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) print '(a,i4,a,i6,a,es18.10)', 'times', nt, ' sea points', count(sea), ' hs sum', sum(allsum)
  call MPI_Finalize(ierr)
contains
  subroutine write_rows()
    integer :: ftype
    integer, allocatable :: disp(:)
    disp = (rows - 1) * nx
    call MPI_Type_create_indexed_block(nrows, nx, disp, MPI_DOUBLE_PRECISION, ftype, ierr)
    call MPI_Type_commit(ftype, ierr)
    pos = int(t - 1, MPI_OFFSET_KIND) * nx * ny * 8
    call MPI_File_set_view(fh, pos, MPI_DOUBLE_PRECISION, ftype, 'native', MPI_INFO_NULL, ierr)
    call MPI_File_write_all(fh, hs, nx * nrows, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
    call MPI_Type_free(ftype, ierr)
  end subroutine
end program
