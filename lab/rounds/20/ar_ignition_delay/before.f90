! Ignition delay over a range of temperatures and pressures, cases dealt out to the ranks;
! rank 0 reads the set-up, tells it to the others, collects the delays and writes the table.
module kinetics
  implicit none
  integer :: ntemp = 60, npres = 8
  real(8) :: tlow = 900d0, thigh = 1300d0, plow = 10d0, phi = 0.8d0
contains
  subroutine read_input(fname)
    character(*), intent(in) :: fname
    namelist /delay/ ntemp, npres, tlow, thigh, plow, phi
    integer :: u
    open(newunit=u, file=fname, status='old', action='read')
    read(u, nml=delay)
    close(u)
  end subroutine read_input

  real(8) function ignition(t0, p)
    real(8), intent(in) :: t0, p
    real(8) :: t, y, r, time, dt
    integer :: k
    t = t0; y = phi; r = 1d-6; time = 0d0
    dt = 2d-6
    do k = 1, 20000
      r = r + dt * (4d8 * exp(-17500d0 / t) * y * sqrt(p) + 80d0 * r * y)
      r = min(r, 1d0)
      t = t + dt * 9d4 * r * y
      y = max(0d0, y - dt * 60d0 * r * y)
      time = time + dt
      if (t > t0 + 400d0) exit
    end do
    ignition = time
  end function ignition
end module kinetics

program ignition_delay
  use mpi
  use kinetics
  implicit none
  integer :: ierr, rank, nproc, ncase, i, it, ip, rep, nrep, u
  real(8) :: par(4)
  integer :: ipar(2)
  real(8), allocatable :: tau(:), all(:)
  character(len=16) :: a
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nrep = 30
  if (command_argument_count() > 0) then
    call get_command_argument(1, a); read(a, *) nrep
  end if
  if (rank == 0) call read_input('delay.nml')
  ipar = [ntemp, npres]
  par = [tlow, thigh, plow, phi]
  call MPI_Bcast(ipar, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(par, 4, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  ntemp = ipar(1); npres = ipar(2)
  tlow = par(1); thigh = par(2); plow = par(3); phi = par(4)
  ncase = ntemp * npres
  allocate(tau(ncase), all(ncase))
  tau = 0d0
  if (rank == 0) open(newunit=u, file='progress.log', status='replace')
  do rep = 1, nrep
    phi = par(4) * (1d0 + 0.02d0 * (rep - 1))
    do i = rank + 1, ncase, nproc
      it = mod(i - 1, ntemp)
      ip = (i - 1) / ntemp
      tau(i) = tau(i) + ignition(tlow + (thigh - tlow) * it / (ntemp - 1d0), plow * (1 + ip))
    end do
    if (rank == 0) write(u, '(a,i4,a,f8.4)') 'mixture ', rep, ' phi ', phi
  end do
  call MPI_Reduce(tau, all, ncase, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    close(u)
    call write_table(all / nrep)
    print '(a,i0,a,es14.6)', 'cases ', ncase, ' mean delay ', sum(all) / (nrep * ncase)
  end if
  call MPI_Finalize(ierr)
contains
  subroutine write_table(d)
    real(8), intent(in) :: d(:)
    integer :: iu, k
    open(newunit=iu, file='delays.txt', status='replace')
    write(iu, '(a)') '# 1000/T  p/bar  delay/ms'
    do k = 1, ncase
      write(iu, '(f9.5,f8.2,f12.6)') 1000d0 / (tlow + (thigh - tlow) * mod(k - 1, ntemp) / (ntemp - 1d0)), &
           plow * (1 + (k - 1) / ntemp), 1d3 * d(k)
    end do
    close(iu)
  end subroutine write_table
end program ignition_delay
