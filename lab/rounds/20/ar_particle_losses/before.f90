! Coal particles carried through a furnace; a particle that burns out or strikes the
! wall is recorded in a common loss file of 64-byte records.
module furnace
  implicit none
  integer, parameter :: reclen = 8
  type particle
    real(8) :: x, r, ux, d, temp
    integer :: id
  end type particle
contains
  real(8) function rnd(seed)
    integer(8), intent(inout) :: seed
    seed = mod(seed * 16807_8, 2147483647_8)
    rnd = dble(seed) / 2147483647d0
  end function rnd

  subroutine inject(p, seed, id)
    type(particle), intent(out) :: p
    integer(8), intent(inout) :: seed
    integer, intent(in) :: id
    p%x = 0d0
    p%r = 0.2d0 * rnd(seed)
    p%ux = 8d0 + 4d0 * rnd(seed)
    p%d = 40d-6 + 60d-6 * rnd(seed)
    p%temp = 350d0
    p%id = id
  end subroutine inject

  logical function move(p, seed, dt)
    type(particle), intent(inout) :: p
    integer(8), intent(inout) :: seed
    real(8), intent(in) :: dt
    p%x = p%x + p%ux * dt
    p%r = abs(p%r + 0.05d0 * (rnd(seed) - 0.48d0))
    p%temp = p%temp + (1700d0 - p%temp) * 0.2d0
    if (p%temp > 900d0) p%d = p%d - 4d-6
    move = p%x < 5d0 .and. p%r < 0.5d0 .and. p%d > 5d-6
  end function move

  subroutine pack_loss(p, step, rank, rec)
    type(particle), intent(in) :: p
    integer, intent(in) :: step, rank
    real(8), intent(out) :: rec(reclen)
    rec = [p%x, p%r, p%ux, p%d, p%temp, dble(p%id), dble(step), dble(rank)]
  end subroutine pack_loss
end module furnace

program particle_losses
  use mpi
  use furnace
  implicit none
  integer :: ierr, rank, nproc, fh, n, nstep, i, s, nlost, allost, u
  integer(8) :: seed
  integer(kind=MPI_OFFSET_KIND) :: fsize
  type(particle), allocatable :: p(:)
  real(8) :: rec(reclen), mass, allmass
  character(len=16) :: a
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  n = 6000; nstep = 300
  if (command_argument_count() > 0) then
    call get_command_argument(1, a); read(a, *) n
  end if
  if (command_argument_count() > 1) then
    call get_command_argument(2, a); read(a, *) nstep
  end if
  seed = 4711 + 1000 * rank
  allocate(p(n))
  do i = 1, n
    call inject(p(i), seed, i)
  end do
  call MPI_File_open(MPI_COMM_WORLD, 'losses.bin', MPI_MODE_CREATE + MPI_MODE_RDWR, &
                     MPI_INFO_NULL, fh, ierr)
  if (rank == 0) open(newunit=u, file='furnace.log', status='replace')
  nlost = 0; mass = 0d0
  do s = 1, nstep
    do i = 1, n
      if (move(p(i), seed, 0.02d0)) cycle
      call pack_loss(p(i), s, rank, rec)
      call MPI_File_write_shared(fh, rec, reclen, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
      nlost = nlost + 1
      mass = mass + 1d12 * p(i)%d**3
      call inject(p(i), seed, i + s * n)
    end do
    if (rank == 0 .and. mod(s, 10) == 0) write(u, '(2i9,es14.5)') s, nlost, mass
  end do
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_File_get_size(fh, fsize, ierr)
  call MPI_File_close(fh, ierr)
  call MPI_Reduce(nlost, allost, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call MPI_Reduce(mass, allmass, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    close(u)
    print '(a,i0,a,es14.6,a,i0)', 'lost ', allost, ' unburnt ', allmass, ' bytes ', fsize
  end if
  call MPI_Finalize(ierr)
end program particle_losses
