! Direct N-body integration of a small star cluster (softened gravity,
! leapfrog).  The bodies are divided over the ranks for the forces; the first
! rank keeps the log of the energies and the final state.
program star_cluster
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp), parameter :: eps2 = 1d-3, dt = 1d-3
  integer :: n, nsteps, every, rank, nproc, ierr, i1, i2, s, log_unit, out
  integer, allocatable :: counts(:), displs(:)
  real(dp), allocatable :: x(:,:), v(:,:), a(:,:)
  real(dp) :: e0, e, pot
  character(len=32) :: arg
  integer :: r

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  n = 1024; nsteps = 300; every = 5
  if (command_argument_count() >= 2) then
     call get_command_argument(1, arg); read(arg, *) n
     call get_command_argument(2, arg); read(arg, *) nsteps
  end if
  allocate(x(3, n), v(3, n), a(3, n), counts(nproc), displs(nproc))
  do r = 1, nproc
     displs(r) = 3 * (n * (r - 1) / nproc)
     counts(r) = 3 * (n * r / nproc) - displs(r)
  end do
  i1 = n * rank / nproc + 1
  i2 = n * (rank + 1) / nproc
  call plummer(x, v)
  if (rank == 0) open(newunit=log_unit, file='energy.log', status='replace')

  call forces(pot)
  e0 = energy(pot)
  do s = 1, nsteps
     v = v + 0.5d0 * dt * a
     x = x + dt * v
     call forces(pot)
     v = v + 0.5d0 * dt * a
     if (mod(s, every) == 0) then
        e = energy(pot)
        if (rank == 0) then
           write(log_unit, '(i7,f12.6,es18.9,es12.3)') s, s * dt, e, (e - e0) / e0
           flush(log_unit)
        end if
     end if
  end do

  if (rank == 0) then
     close(log_unit)
     open(newunit=out, file='cluster.bin', access='stream', form='unformatted', status='replace')
     write(out) n, x, v
     close(out)
     print '(a,i6,a,es12.3)', 'bodies ', n, '  relative energy error ', (e - e0) / e0
  end if
  call MPI_Finalize(ierr)

contains

  subroutine plummer(x, v)
    real(dp), intent(out) :: x(:,:), v(:,:)
    integer :: i
    real(dp) :: u(5), rad, c, phi, sp
    integer :: k
    integer, allocatable :: seed(:)
    call random_seed(size=k)
    allocate(seed(k)); seed = 12345
    call random_seed(put=seed)
    do i = 1, n
       call random_number(u)
       rad = min(5d0, 1d0 / sqrt(max(1d-6, u(1))**(-2d0/3d0) - 1d0 + 1d-9))
       c = 2d0 * u(2) - 1d0
       phi = 6.283185307d0 * u(3)
       x(:, i) = rad * (/ sqrt(1 - c*c) * cos(phi), sqrt(1 - c*c) * sin(phi), c /)
       sp = 0.5d0 * (1d0 + rad * rad)**(-0.25d0)
       c = 2d0 * u(4) - 1d0
       phi = 6.283185307d0 * u(5)
       v(:, i) = sp * (/ sqrt(1 - c*c) * cos(phi), sqrt(1 - c*c) * sin(phi), c /)
    end do
  end subroutine

  subroutine forces(pot)
    real(dp), intent(out) :: pot
    real(dp) :: d(3), r2, w, mine
    integer :: i, j
    mine = 0d0
    do i = i1, i2
       a(:, i) = 0d0
       do j = 1, n
          d = x(:, j) - x(:, i)
          r2 = d(1)*d(1) + d(2)*d(2) + d(3)*d(3) + eps2
          w = 1d0 / sqrt(r2)
          mine = mine - 0.5d0 * w / (dble(n) * n)
          a(:, i) = a(:, i) + d * (w * w * w / n)
       end do
    end do
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, counts, displs, &
         MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(mine, pot, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end subroutine

  real(dp) function energy(pot)
    real(dp), intent(in) :: pot
    energy = pot + 0.5d0 * sum(v * v) / n
  end function
end program
