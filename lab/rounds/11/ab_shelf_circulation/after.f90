! Wind-driven barotropic circulation on a continental shelf.
! Stream function psi relaxes under the daily wind-stress curl read from a
! reanalysis file; the relaxed daily fields are kept for the tracer model.
program shelf_circulation
  use mpi
  implicit none
  integer, parameter :: nx = 1536, ny = 1024       ! grid points along / across the shelf
  real(8), parameter :: dx = 2.0d3                 ! grid spacing (m)
  real(8), parameter :: rfric = 2.0d-6             ! bottom friction (1/s)
  real(8), parameter :: omega = 0.8d0              ! relaxation weight
  integer :: ndays, nsweep, day, ierr, rank, nproc, nyl
  integer :: forcing, output
  real(8), allocatable :: psi(:,:), curl(:,:)
  real(8) :: energy, t0, t1
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  call get_command_argument(1, arg); read(arg, *) ndays
  call get_command_argument(2, arg); read(arg, *) nsweep
  nyl = ny / nproc
  allocate(psi(nx, 0:nyl+1), curl(nx, nyl))
  psi = 0.0d0
  call open_files()

  do day = 1, ndays
     call load_curl(day)
     call relax(nsweep)
     call store_psi(day)
     if (mod(day, 5) == 0) then
        energy = kinetic_energy()
        if (rank == 0) print '(a,i4,a,es14.6)', 'day', day, '  kinetic energy', energy
     end if
  end do

  call close_files()
  call MPI_Finalize(ierr)

contains

  subroutine open_files()
    call MPI_File_open(MPI_COMM_WORLD, 'curl.dat', MPI_MODE_RDONLY, MPI_INFO_NULL, forcing, ierr)
    call MPI_File_open(MPI_COMM_WORLD, 'psi.dat', MPI_MODE_WRONLY + MPI_MODE_CREATE, MPI_INFO_NULL, output, ierr)
  end subroutine open_files

  subroutine close_files()
    call MPI_File_close(forcing, ierr)
    call MPI_File_close(output, ierr)
  end subroutine close_files

  ! wind-stress curl of one day, distributed over the strips
  subroutine load_curl(iday)
    integer, intent(in) :: iday
    integer(MPI_OFFSET_KIND) :: off
    off = 8_8 * nx * ((iday-1) * ny + rank * nyl)
    call MPI_File_read_at_all(forcing, off, curl, nx*nyl, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
  end subroutine load_curl

  ! stream function of one day, in grid order
  subroutine store_psi(iday)
    integer, intent(in) :: iday
    integer(MPI_OFFSET_KIND) :: off
    off = 8_8 * nx * ((iday-1) * ny + rank * nyl)
    call MPI_File_write_at_all(output, off, psi(1,1), nx*nyl, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
  end subroutine store_psi

  subroutine exchange()
    integer :: up, down
    up = rank + 1;   if (up >= nproc) up = MPI_PROC_NULL
    down = rank - 1; if (down < 0) down = MPI_PROC_NULL
    call MPI_Sendrecv(psi(1,nyl), nx, MPI_DOUBLE_PRECISION, up, 1, psi(1,0), nx, &
         MPI_DOUBLE_PRECISION, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(psi(1,1), nx, MPI_DOUBLE_PRECISION, down, 2, psi(1,nyl+1), nx, &
         MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine exchange

  subroutine relax(n)
    integer, intent(in) :: n
    integer :: s, i, j
    do s = 1, n
       call exchange()
       do j = 1, nyl
          do i = 2, nx - 1
             psi(i,j) = psi(i,j) + omega * (0.25d0 * (psi(i-1,j) + psi(i+1,j) + psi(i,j-1) &
                  + psi(i,j+1) - dx*dx*curl(i,j)/rfric) - psi(i,j))
          end do
       end do
    end do
  end subroutine relax

  real(8) function kinetic_energy()
    integer :: i, j
    real(8) :: part
    part = 0.0d0
    do j = 1, nyl
       do i = 2, nx
          part = part + ((psi(i,j) - psi(i-1,j)) / dx)**2
       end do
    end do
    call MPI_Allreduce(part, kinetic_energy, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end function kinetic_energy
end program shelf_circulation
