! Molecular chains with a thermostat; rank 0 keeps the energy log and the end-to-end table.
program monitor
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer :: ierr, rank, nproc, nchain, nbead, nstep, step, c, b, lun, tab
  real(dp), allocatable :: x(:, :, :), v(:, :, :), f(:, :, :), span(:), spans(:)
  real(dp) :: ekin, epot, sums(2), dt, drive
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nchain = 60
  nbead = 250
  nstep = 4000
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nstep
  end if
  allocate (x(3, nbead, nchain), v(3, nbead, nchain), f(3, nbead, nchain))
  allocate (span(nchain), spans(nchain * nproc))
  dt = 0.005_dp
  do c = 1, nchain
    do b = 1, nbead
      x(:, b, c) = (/ real(b, dp), 0.1_dp * sin(1.0_dp * b), 0.1_dp * cos(0.7_dp * (c + rank)) /)
    end do
  end do
  v = 0.0_dp
  if (rank == 0) then
    open (newunit=lun, file='energy.log', status='replace', action='write')
    open (newunit=tab, file='span.tab', status='replace', action='write')
  end if

  do step = 1, nstep
    drive = 0.3_dp * sin(0.01_dp * step)
    call forces(drive, epot)
    v = 0.999_dp * (v + dt * f)
    x = x + dt * v
    if (mod(step, 100) == 0) then
      ekin = 0.5_dp * sum(v * v)
      call MPI_Reduce((/ ekin, epot /), sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
      if (rank == 0) then
        write (lun, '(i8,3es16.7)') step, sums(1), sums(2), sums(1) + sums(2)
        flush (lun)
      end if
    end if
    if (mod(step, 1000) == 0) then
      do c = 1, nchain
        span(c) = norm2(x(:, nbead, c) - x(:, 1, c))
      end do
      call MPI_Gather(span, nchain, MPI_DOUBLE_PRECISION, spans, nchain, MPI_DOUBLE_PRECISION, 0, &
                      MPI_COMM_WORLD, ierr)
      if (rank == 0) then
        do c = 1, nchain * nproc
          write (tab, '(i8,i6,f14.6)') step, c, spans(c)
        end do
      end if
    end if
  end do
  if (rank == 0) then
    close (lun)
    close (tab)
    print '(a,es18.9)', 'last total energy ', sums(1) + sums(2)
  end if
  call MPI_Finalize(ierr)

contains

  subroutine forces(amp, energy)
    real(dp), intent(in)  :: amp
    real(dp), intent(out) :: energy
    real(dp) :: d(3), r, stretch
    integer :: i, k
    f = 0.0_dp
    energy = 0.0_dp
    do k = 1, nchain
      do i = 1, nbead - 1
        d = x(:, i + 1, k) - x(:, i, k)
        r = sqrt(d(1)**2 + d(2)**2 + d(3)**2)
        stretch = r - 1.0_dp
        energy = energy + 50.0_dp * stretch**2
        f(:, i, k) = f(:, i, k) + 100.0_dp * stretch * d / r
        f(:, i + 1, k) = f(:, i + 1, k) - 100.0_dp * stretch * d / r
      end do
      f(1, nbead, k) = f(1, nbead, k) + amp
    end do
  end subroutine forces

end program monitor
