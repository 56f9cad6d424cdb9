! Individual-based forest: trees compete for light with their taller
! neighbours along a transect, grow in diameter, die and are replaced by
! seedlings. The trees are dealt out to the ranks one by one, so that old and
! young stands are shared evenly.
module census_mod
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nattr = 5      ! position, diameter, height, age, light
  type census
     integer :: fh = MPI_FILE_NULL
     integer :: ntrees = 0, rank = 0, nranks = 1
  end type census
contains
  subroutine census_open(cs, path, ntrees)
    type(census), intent(out) :: cs
    character(*), intent(in) :: path
    integer, intent(in) :: ntrees
    integer :: ierr
    cs%ntrees = ntrees
    call MPI_Comm_rank(MPI_COMM_WORLD, cs%rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, cs%nranks, ierr)
    call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_WRONLY, &
         MPI_INFO_NULL, cs%fh, ierr)
  end subroutine census_open

  ! census of one year; in the file the trees stand in the order of the transect
  subroutine census_write(cs, year, tree)
    type(census), intent(in) :: cs
    integer, intent(in) :: year
    real(dp), intent(in) :: tree(:, :)
    integer(MPI_OFFSET_KIND) :: slot
    integer :: i, ierr
    do i = 1, size(tree, 2)
       slot = int(year - 1, MPI_OFFSET_KIND) * cs%ntrees + (i - 1) * cs%nranks + cs%rank
       call MPI_File_write_at(cs%fh, slot * nattr * 8, tree(:, i), nattr, &
            MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
    end do
  end subroutine census_write

  subroutine census_close(cs)
    type(census), intent(inout) :: cs
    integer :: ierr
    call MPI_File_close(cs%fh, ierr)
  end subroutine census_close
end module census_mod

module stand_mod
  use census_mod, only: dp
  implicit none
contains
  ! light that reaches the crown, from the leaf area above it per cell
  subroutine shade(tree, leaf, ncell, length)
    real(dp), intent(inout) :: tree(:, :)
    integer, intent(in) :: ncell
    real(dp), intent(in) :: leaf(40, ncell), length
    integer :: i, c, l
    do i = 1, size(tree, 2)
       c = min(ncell, 1 + int(tree(1, i) / length * ncell))
       l = min(40, 1 + int(tree(3, i)))
       tree(5, i) = exp(-0.45_dp * sum(leaf(l:40, c)))
    end do
  end subroutine shade

  subroutine grow(tree)
    real(dp), intent(inout) :: tree(:, :)
    real(dp) :: r, d
    integer :: i
    do i = 1, size(tree, 2)
       d = tree(2, i)
       tree(2, i) = d + 0.9_dp * tree(5, i) * (1.0_dp - d / 110.0_dp)
       tree(3, i) = 1.3_dp + 38.0_dp * (1.0_dp - exp(-0.03_dp * tree(2, i)))
       tree(4, i) = tree(4, i) + 1.0_dp
       call random_number(r)
       if (r < 0.008_dp + 0.1_dp * exp(-12.0_dp * tree(5, i))) tree(2:4, i) = [0.5_dp, 1.3_dp, 0.0_dp]
    end do
  end subroutine grow

  subroutine add_leaves(tree, leaf, ncell, length)
    real(dp), intent(in) :: tree(:, :), length
    integer, intent(in) :: ncell
    real(dp), intent(out) :: leaf(40, ncell)
    integer :: i, c, l
    leaf = 0.0_dp
    do i = 1, size(tree, 2)
       c = min(ncell, 1 + int(tree(1, i) / length * ncell))
       l = min(40, 1 + int(tree(3, i)))
       leaf(l, c) = leaf(l, c) + 2.0e-4_dp * tree(2, i)**2 * ncell / length
    end do
  end subroutine add_leaves
end module stand_mod

program forest_gaps
  use mpi
  use census_mod
  use stand_mod
  implicit none
  integer, parameter :: ncell = 500
  real(dp), parameter :: length = 10000.0_dp
  type(census) :: cs
  real(dp), allocatable :: tree(:, :), leaf(:, :), total(:, :)
  real(dp) :: basal, allbasal
  integer :: ntrees, nyears, year, i, ierr, rank, nranks, nloc, seed(64)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  ntrees = 16000
  nyears = 60
  nloc = ntrees / nranks
  allocate(tree(nattr, nloc), leaf(40, ncell), total(40, ncell))
  seed = 31 + 7 * rank
  call random_seed(put=seed)
  call random_number(tree)
  do i = 1, nloc
     tree(1, i) = length * real((i - 1) * nranks + rank, dp) / ntrees
     tree(2, i) = 40.0_dp * tree(2, i)
     tree(3, i) = 1.3_dp + 38.0_dp * (1.0_dp - exp(-0.03_dp * tree(2, i)))
     tree(4, i) = 80.0_dp * tree(4, i)
  end do
  call census_open(cs, 'census.bin', ntrees)
  do year = 1, nyears
     call add_leaves(tree, leaf, ncell, length)
     call MPI_Allreduce(leaf, total, size(leaf), MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
     call shade(tree, total, ncell, length)
     call grow(tree)
     call census_write(cs, year, tree)
  end do
  call census_close(cs)
  basal = sum(tree(2, :)**2) * 7.854e-5_dp
  call MPI_Reduce(basal, allbasal, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,f12.4,a)', 'basal area ', allbasal, ' m2'
  call MPI_Finalize(ierr)
end program forest_gaps
