! angular_power: angular power of simulated sky maps, degree by degree
!
! Every realisation draws coefficients on a ring of colatitudes; the power at
! degree l sums the projections on all associated Legendre functions P_lm,
! m = 0..l.  Degrees are dealt out to the ranks; the spectrum of each realisation
! is one line of the common file spectra.bin.
!
! usage: angular_power n_realisations l_max
program angular_power
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: nring = 16     ! rings of the finest grid
  integer :: rank, nranks, ierr, nreal, lmax, ireal, l, first, last, fh
  integer :: status(MPI_STATUS_SIZE)
  integer(MPI_OFFSET_KIND) :: pos
  real(dp) :: sky(nring), mu(nring)
  real(dp), allocatable :: cl(:)
  real(dp) :: mine, total

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  nreal = int_arg(1, 40)
  lmax = int_arg(2, 96)

  do l = 1, nring
     mu(l) = cos(3.14159265358979_dp * (l - 0.5_dp) / nring)
  end do
  call share(lmax, rank, nranks, first, last)
  allocate (cl(first:last))

  call MPI_File_open(MPI_COMM_WORLD, 'spectra.bin', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                     MPI_INFO_NULL, fh, ierr)
  mine = 0.0_dp
  do ireal = 1, nreal
     call draw_sky(ireal, sky)
     do l = first, last
        cl(l) = power(l, sky, mu, 2 + (nring - 2) * l / lmax)
     end do
     mine = mine + sum(cl)
     pos = (int(ireal - 1, MPI_OFFSET_KIND) * lmax + first - 1) * 8
     call MPI_File_write_at_all(fh, pos, cl, size(cl), MPI_DOUBLE_PRECISION, status, ierr)
  end do
  call MPI_File_close(fh, ierr)

  call MPI_Reduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) write (*, '(a,i5,a,es14.6)') 'mean power of ', nreal, ' skies: ', total / nreal
  call MPI_Finalize(ierr)

contains

  ! degrees first..last belong to this rank
  subroutine share(lmax, rank, nranks, first, last)
    integer, intent(in)  :: lmax, rank, nranks
    integer, intent(out) :: first, last
    first = bound(rank) + 1
    last = bound(rank + 1)
  end subroutine share

  ! the cost of degrees 1..l grows as l**4: equal cost for all ranks
  integer function bound(r)
    integer, intent(in) :: r
    bound = nint(lmax * (real(r, dp) / nranks)**0.25_dp)
  end function bound

  ! the same random sky on all ranks
  subroutine draw_sky(ireal, sky)
    integer, intent(in)   :: ireal
    real(dp), intent(out) :: sky(:)
    integer :: seeds(64)
    seeds = 4711 + 31 * ireal
    call random_seed(put=seeds)
    call random_number(sky)
    sky = sky - 0.5_dp
  end subroutine draw_sky

  ! sum over m of the squared projection on normalised P_lm; low degrees use fewer rings
  function power(l, sky, mu, nuse) result(p)
    integer, intent(in)  :: l, nuse
    real(dp), intent(in) :: sky(:), mu(:)
    real(dp) :: p, proj, pmm, p0, p1, p2, a, b
    integer :: m, k, n
    p = 0.0_dp
    do m = 0, l
       proj = 0.0_dp
       do n = 1, nuse
          pmm = sqrt(0.0795774715459477_dp)
          do k = 1, m
             pmm = -pmm * sqrt((2.0_dp * k + 1) / (2.0_dp * k)) * sqrt(1.0_dp - mu(n)**2)
          end do
          p0 = pmm
          p1 = mu(n) * sqrt(2.0_dp * m + 3) * pmm
          if (l == m) p1 = p0
          do k = m + 2, l
             a = sqrt((4.0_dp * k * k - 1) / (1.0_dp * k * k - m * m))
             b = sqrt(((k - 1.0_dp)**2 - m * m) / (4.0_dp * (k - 1.0_dp)**2 - 1))
             p2 = a * (mu(n) * p1 - b * p0)
             p0 = p1
             p1 = p2
          end do
          proj = proj + sky(n) * p1
       end do
       p = p + merge(1.0_dp, 2.0_dp, m == 0) * proj**2
    end do
    p = p / (2 * l + 1)
  end function power

  integer function int_arg(n, default)
    integer, intent(in) :: n, default
    character(len=16) :: text
    int_arg = default
    if (command_argument_count() >= n) then
       call get_command_argument(n, text)
       read (text, *) int_arg
    end if
  end function int_arg
end program angular_power
