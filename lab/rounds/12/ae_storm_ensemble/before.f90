! Return levels of rain from a radar archive, with bootstrap errors. Each rank
! reads one stretch of the map (rows of pixels with all their block maxima),
! fits Gumbel laws to it and resamples them; the replicate levels of all
! ranks make one file.
module archive_mod
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0), sp = kind(1.0)
contains
  ! share of this rank: npix pixels, nmax maxima each
  subroutine read_share(path, part, rank)
    character(*), intent(in) :: path
    real(sp), intent(out) :: part(:, :)
    integer, intent(in) :: rank
    integer(MPI_OFFSET_KIND) :: at
    integer :: fh, ierr
    at = int(rank, MPI_OFFSET_KIND) * size(part) * 4
    call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, fh, ierr)
    call MPI_File_read_at_all(fh, at, part, size(part), MPI_REAL, MPI_STATUS_IGNORE, ierr)
    call MPI_File_close(fh, ierr)
  end subroutine read_share

  subroutine write_share(path, levels, rank)
    character(*), intent(in) :: path
    real(dp), intent(in) :: levels(:, :)
    integer, intent(in) :: rank
    integer(MPI_OFFSET_KIND) :: at
    integer :: fh, ierr
    at = int(rank, MPI_OFFSET_KIND) * size(levels) * 8
    call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
    call MPI_File_write_at_all(fh, at, levels, size(levels), MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
    call MPI_File_close(fh, ierr)
  end subroutine write_share
end module archive_mod

module gumbel_mod
  use archive_mod, only: dp, sp
  implicit none
contains
  ! level that is passed once in so many blocks, by the method of moments
  pure function return_level(s, q, n, blocks) result(x)
    real(dp), intent(in) :: s, q, blocks
    integer, intent(in) :: n
    real(dp) :: x, mean, scale
    mean = s / n
    scale = sqrt(max(q / n - mean**2, 0.0_dp)) * 0.7796968_dp
    x = mean - 0.5772157_dp * scale - scale * log(-log(1.0_dp - 1.0_dp / blocks))
  end function return_level

  pure function level_of(m, blocks) result(x)
    real(sp), intent(in) :: m(:)
    real(dp), intent(in) :: blocks
    real(dp) :: x
    x = return_level(real(sum(m), dp), real(sum(m**2), dp), size(m), blocks)
  end function level_of

  subroutine bootstrap(m, blocks, levels)
    real(sp), intent(in) :: m(:)
    real(dp), intent(in) :: blocks
    real(dp), intent(out) :: levels(:)
    real(dp) :: s, q, r(size(m)), v
    integer :: k, i
    do k = 1, size(levels)
       call random_number(r)
       s = 0.0_dp
       q = 0.0_dp
       do i = 1, size(m)
          v = m(1 + int(r(i) * size(m)))
          s = s + v
          q = q + v * v
       end do
       levels(k) = return_level(s, q, size(m), blocks)
    end do
  end subroutine bootstrap
end module gumbel_mod

program storm_ensemble
  use mpi
  use archive_mod
  use gumbel_mod
  implicit none
  integer, parameter :: npixels = 40000, nmax = 60
  real(sp), allocatable :: maxima(:, :)
  real(dp), allocatable :: levels(:, :)
  real(dp) :: mine(2), all(2)
  integer :: rank, nranks, ierr, nrep, npix, p, seed(64)
  character(32) :: arg
  nrep = 180
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read(arg, *) nrep
  end if
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  npix = npixels / nranks
  allocate(maxima(nmax, npix), levels(nrep, npix))
  seed = 4 + 13 * rank
  call random_seed(put=seed)
  call read_share('maxima.f32', maxima, rank)
  mine = 0.0_dp
  do p = 1, npix
     call bootstrap(maxima(:, p), 50.0_dp, levels(:, p))
     mine(1) = mine(1) + level_of(maxima(:, p), 50.0_dp)
     mine(2) = mine(2) + sqrt(sum((levels(:, p) - sum(levels(:, p)) / nrep)**2) / nrep)
  end do
  call write_share('levels.f64', levels, rank)
  call MPI_Reduce(mine, all, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,f10.4,a,f8.4,a)', '50-block level ', all(1) / npixels, ' +- ', all(2) / npixels, ' mm'
  call MPI_Finalize(ierr)
end program storm_ensemble
