! Carbon pools of the land biomes, driven by a monthly climatology of
! temperature and rain; the latitudes are shared out over the ranks.
program biome_carbon
  use mpi
  implicit none
  integer, parameter :: nx = 360, ny = 180, nmonth = 12
  real(8), allocatable :: temp(:,:,:), rain(:,:,:), leaf(:,:), wood(:,:), soil(:,:)
  integer :: rank, nproc, ierr, j0, j1, year, nyears, month
  real(8) :: carbon, total
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nyears = 5
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read (arg, *) nyears
  end if
  j0 = rank*ny/nproc + 1
  j1 = (rank + 1)*ny/nproc
  allocate (temp(nx, ny, nmonth), rain(nx, ny, nmonth))
  allocate (leaf(nx, j0:j1), wood(nx, j0:j1), soil(nx, j0:j1))
  leaf = 0.3d0
  wood = 5d0
  soil = 9d0
  do year = 1, nyears
     do month = 1, nmonth
        call load_climate(temp, rain)
        call grow(temp(:, j0:j1, month), rain(:, j0:j1, month))
     end do
  end do
  carbon = sum(leaf) + sum(wood) + sum(soil)
  call MPI_Reduce(carbon, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,es20.12)', 'land carbon ', total
  call MPI_Finalize(ierr)

contains

  subroutine load_climate(temp, rain)
    real(8), intent(out) :: temp(nx, ny, nmonth), rain(nx, ny, nmonth)
    integer :: lun
    open (newunit=lun, file='climatology.bin', access='stream', form='unformatted', &
          status='old', action='read')
    read (lun) temp
    read (lun) rain
    close (lun)
  end subroutine load_climate

  subroutine grow(t, r)
    real(8), intent(in) :: t(nx, j0:j1), r(nx, j0:j1)
    real(8) :: npp, decay
    integer :: i, j
    do j = j0, j1
       do i = 1, nx
          npp = max(0d0, 0.004d0*min(t(i, j), 0.9d0*r(i, j)))
          decay = 0.002d0*max(0d0, t(i, j) + 5d0)/20d0
          leaf(i, j) = leaf(i, j) + 0.4d0*npp - 0.05d0*leaf(i, j)
          wood(i, j) = wood(i, j) + 0.6d0*npp - 0.002d0*wood(i, j)
          soil(i, j) = soil(i, j) + 0.03d0*leaf(i, j) + 0.002d0*wood(i, j) - decay*soil(i, j)
       end do
    end do
  end subroutine grow
end program biome_carbon
