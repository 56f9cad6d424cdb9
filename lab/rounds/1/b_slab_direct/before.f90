! Coupled oscillators on a ring, dealt out in slabs; snapshots go to a shared file,
! each rank writes its slab at its own offset.
program ring
  use mpi
  implicit none
  integer, parameter :: n = 40000
  integer :: me, np, ierr, fh, step, nsteps, snap
  integer(kind=MPI_OFFSET_KIND) :: place
  real(8) :: phase(n), speed(n), fresh(n), coherence(2), whole(2)
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  nsteps = 600
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read(arg, *) nsteps
  end if
  call prepare_ring()
  call MPI_File_open(MPI_COMM_WORLD, 'ring.bin', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
  snap = 0
  do step = 1, nsteps
    call couple(0.3d0, 0.01d0)
    if (mod(step, 300) == 0) then
      place = (int(snap, MPI_OFFSET_KIND) * np + me) * n * 8
      call MPI_File_write_at(fh, place, phase, n, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
      snap = snap + 1
    end if
  end do
  call MPI_File_close(fh, ierr)
  coherence(1) = sum(cos(phase))
  coherence(2) = sum(sin(phase))
  call MPI_Reduce(coherence, whole, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) print '(a,i0,a,f12.8)', 'snapshots ', snap, '  coherence ', sqrt(sum(whole**2)) / (n * np)
  call MPI_Finalize(ierr)

contains

  subroutine prepare_ring()
    integer :: i
    do i = 1, n
      phase(i) = mod(0.618034d0 * (i + n * me), 1d0) * 6.28318530718d0
      speed(i) = 1d0 + 0.1d0 * sin(0.01d0 * i)
    end do
  end subroutine prepare_ring

  subroutine couple(strength, dt)
    real(8), intent(in) :: strength, dt
    integer :: i, l, r
    do i = 1, n
      l = merge(n, i - 1, i == 1)
      r = merge(1, i + 1, i == n)
      fresh(i) = phase(i) + dt * (speed(i) + strength * (sin(phase(l) - phase(i)) + sin(phase(r) - phase(i))))
    end do
    phase = fresh
  end subroutine couple

end program ring
