! Two-point statistics of a galaxy catalogue; each rank reads its share of the list.
program catalog
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nbin = 40
  integer :: ierr, rank, nproc, ngal, i, j, b, lun, first, last
  real(dp), allocatable :: pos(:, :)
  integer(8) :: hist(nbin), total(nbin)
  real(dp) :: d2, rmax2
  character(len=32) :: arg, name

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  ngal = 16000
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) ngal
  end if
  if (rank == 0) call make_catalogue('galaxies.cat')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)

  allocate (pos(3, ngal))
  open (newunit=lun, file='galaxies.cat', form='unformatted', status='old', action='read')
  do i = 1, ngal
    read (lun) pos(:, i)
  end do
  close (lun)

  hist = 0
  rmax2 = 0.9_dp**2
  do i = 1 + rank, ngal, nproc
    do j = 1, i - 1
      d2 = (pos(1, i) - pos(1, j))**2 + (pos(2, i) - pos(2, j))**2 + (pos(3, i) - pos(3, j))**2
      if (d2 < rmax2) then
        b = 1 + int(nbin * sqrt(d2 / rmax2))
        hist(b) = hist(b) + 1
      end if
    end do
  end do
  first = 1 + rank * nbin / nproc
  last = (rank + 1) * nbin / nproc
  call MPI_Allreduce(hist, total, nbin, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, ierr)

  write (name, '(a,i2.2,a)') 'pairs_', rank, '.txt'
  open (newunit=lun, file=name, status='replace', action='write')
  do b = first, last
    write (lun, '(f10.5,i16)') 0.9_dp * (b - 0.5_dp) / nbin, total(b)
  end do
  close (lun)
  if (rank == 0) print '(a,i14)', 'pairs within range ', sum(total)
  call MPI_Finalize(ierr)

contains

  subroutine make_catalogue(fname)
    character(len=*), intent(in) :: fname
    integer :: u, g
    open (newunit=u, file=fname, form='unformatted', status='replace', action='write')
    do g = 1, ngal
      write (u) mod(g * 0.8191725133961645_dp, 1.0_dp), mod(g * 0.6710436067037893_dp, 1.0_dp), &
                mod(g * 0.5497004779019703_dp, 1.0_dp)
    end do
    close (u)
  end subroutine make_catalogue

end program catalog
