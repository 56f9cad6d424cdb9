! Sputtering of a metal target by keV argon (binary collision approximation).
! The ranks follow different ions; every atom that leaves the surface is put
! into the common list of the experiment.
!
!   usage: mpirun -n 2 sputter <ions per rank>
program sputter
  use mpi
  implicit none
  integer, parameter :: nmax = 4000
  real(8), parameter :: e0 = 1000.0d0, esurf = 3.5d0, ecut = 4.0d0, mfp = 2.5d0
  real(8) :: energy(nmax), depth(nmax), cosine(nmax), azimuth(nmax)
  real(8) :: record(4), yield, total, spent, all_spent
  real(8), allocatable :: list(:, :), longer(:, :)
  integer :: rank, nproc, ierr, fh, ions, i, n, kept
  integer :: status(MPI_STATUS_SIZE)
  integer(8) :: seed
  character(32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  ions = 1000
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) ions
  end if
  seed = 7919_8 * (rank + 1) + 13_8

  call open_list()
  yield = 0
  spent = 0
  do i = 1, ions
    n = 0
    call push(e0, 0.0d0, cos(0.5d0), 0.0d0)
    do while (n > 0)
      call follow()
    end do
  end do
  call close_list()

  call MPI_Reduce(yield, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call MPI_Reduce(spent, all_spent, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    print '(a,f8.4,a)', 'sputter yield ', total / (ions * nproc), ' atoms per ion'
    print '(a,f9.2,a)', 'left in target ', all_spent / (ions * nproc), ' eV per ion'
  end if
  call MPI_Finalize(ierr)

contains

  real(8) function uniform()
    seed = mod(seed * 48271_8, 2147483647_8)
    uniform = real(seed, 8) / 2147483647.0d0
  end function uniform

  subroutine push(e, z, c, phi)
    real(8), intent(in) :: e, z, c, phi
    if (n == nmax) return
    n = n + 1
    energy(n) = e
    depth(n) = z
    cosine(n) = c
    azimuth(n) = phi
  end subroutine push

  ! one free flight and one collision of the particle on top of the stack
  subroutine follow()
    real(8) :: e, z, c, phi, transfer, turn
    e = energy(n)
    c = cosine(n)
    phi = azimuth(n)
    z = depth(n) - mfp * log(uniform()) * c
    n = n - 1
    if (z <= 0.0d0) then
      if (e * c * c > esurf) call emitted(e - esurf, c, phi)
      return
    end if
    if (e < ecut) then
      spent = spent + e
      return
    end if
    transfer = e * uniform()**2
    turn = sqrt(transfer / e)
    call push(e - transfer, z, max(-1.0d0, min(1.0d0, c + turn * (2 * uniform() - 1))), &
              phi + turn * (uniform() - 0.5d0))
    if (transfer > ecut) then
      call push(transfer - 1.0d0, z, 2.0d0 * uniform() - 1.0d0, 6.2831853d0 * uniform())
    else
      spent = spent + transfer
    end if
  end subroutine follow

  subroutine open_list()
    call MPI_File_open(MPI_COMM_WORLD, 'sputtered.lst', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                       MPI_INFO_NULL, fh, ierr)
    allocate (list(4, 4096))
    kept = 0
  end subroutine open_list

  subroutine emitted(e, c, phi)
    real(8), intent(in) :: e, c, phi
    yield = yield + 1
    record = (/ real(rank * ions + i, 8), e, c, phi /)
    if (kept == size(list, 2)) then
      allocate (longer(4, 2 * kept))
      longer(:, 1:kept) = list
      call move_alloc(longer, list)
    end if
    kept = kept + 1
    list(:, kept) = record
  end subroutine emitted

  subroutine close_list()
    integer(8) :: mine, before
    integer(MPI_OFFSET_KIND) :: at
    mine = kept
    before = 0
    call MPI_Exscan(mine, before, 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (rank == 0) before = 0
    at = before * 32
    call MPI_File_write_at_all(fh, at, list, 4 * kept, MPI_DOUBLE_PRECISION, status, ierr)
    call MPI_File_close(fh, ierr)
  end subroutine close_list

end program sputter
