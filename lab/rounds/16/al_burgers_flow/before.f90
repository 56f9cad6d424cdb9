! Two-dimensional viscous Burgers flow on MPI ranks, strips of the domain in y.
! Each rank keeps the history of its own strip in a file of its own.
!
! usage: mpirun -n 2 burgers n nsteps every
program burgers
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: viscosity = 0.002_dp, cfl = 0.25_dp
  real(dp), allocatable :: u(:,:), v(:,:), un(:,:), vn(:,:)
  integer :: ierr, rank, nranks, n, rows, nsteps, every, step, unit, below, above
  real(dp) :: h, dt, energy(1), total(1), time
  character(len=32) :: arg, name

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  n = 512
  nsteps = 400
  every = 40
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg); read (arg, *) n
  end if
  if (command_argument_count() >= 2) then
     call get_command_argument(2, arg); read (arg, *) nsteps
  end if
  if (command_argument_count() >= 3) then
     call get_command_argument(3, arg); read (arg, *) every
  end if
  rows = n / nranks
  h = 1.0_dp / n
  below = modulo(rank - 1, nranks)
  above = modulo(rank + 1, nranks)
  allocate (u(n, 0:rows+1), v(n, 0:rows+1), un(n, 0:rows+1), vn(n, 0:rows+1))
  call vortices(u, v)

  write (name, '(a,i3.3,a)') 'strip_', rank, '.dat'
  open (newunit=unit, file=name, form='unformatted', access='stream', status='replace')
  write (unit) n, rows, rank
  time = 0.0_dp
  dt = min(cfl * h / 1.5_dp, 0.2_dp * h * h / viscosity)
  do step = 1, nsteps
     call halo(u)
     call halo(v)
     call advance
     time = time + dt
     if (mod(step, every) == 0) then
        write (unit) time
        write (unit) u(:, 1:rows)
        write (unit) v(:, 1:rows)
     end if
  end do
  close (unit)

  energy(1) = 0.5_dp * sum(u(:, 1:rows)**2 + v(:, 1:rows)**2) * h * h
  call MPI_Reduce(energy, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,f8.5,a,es15.7)', ' time ', time, '  kinetic energy ', total(1)
  call MPI_Finalize(ierr)

contains

  subroutine vortices(a, b)
    real(dp), intent(out) :: a(:, 0:), b(:, 0:)
    real(dp), parameter :: twopi = 6.283185307179586_dp
    real(dp) :: x, y
    integer :: i, j
    do j = 0, rows + 1
       y = (rank * rows + j - 0.5_dp) * h
       do i = 1, n
          x = (i - 0.5_dp) * h
          a(i, j) = sin(twopi * x) * cos(twopi * y) + 0.2_dp * sin(3 * twopi * y)
          b(i, j) = -cos(twopi * x) * sin(twopi * y) + 0.2_dp * cos(2 * twopi * x)
       end do
    end do
  end subroutine vortices

  subroutine halo(a)
    real(dp), intent(inout) :: a(:, 0:)
    integer :: stat(MPI_STATUS_SIZE)
    call MPI_Sendrecv(a(:, 1), n, MPI_DOUBLE_PRECISION, below, 1, a(:, rows+1), n, &
         MPI_DOUBLE_PRECISION, above, 1, MPI_COMM_WORLD, stat, ierr)
    call MPI_Sendrecv(a(:, rows), n, MPI_DOUBLE_PRECISION, above, 2, a(:, 0), n, &
         MPI_DOUBLE_PRECISION, below, 2, MPI_COMM_WORLD, stat, ierr)
  end subroutine halo

  ! upwind advection, central diffusion, periodic in x
  subroutine advance
    integer :: i, j, w, e
    real(dp) :: cu, cv
    do j = 1, rows
       do i = 1, n
          w = merge(n, i - 1, i == 1)
          e = merge(1, i + 1, i == n)
          cu = u(i, j)
          cv = v(i, j)
          un(i, j) = cu - dt / h * (slope(cu, cu, u(w, j), u(e, j)) + slope(cv, cu, u(i, j-1), u(i, j+1))) &
               + dt * viscosity / (h * h) * (u(w, j) + u(e, j) + u(i, j-1) + u(i, j+1) - 4 * cu)
          vn(i, j) = cv - dt / h * (slope(cu, cv, v(w, j), v(e, j)) + slope(cv, cv, v(i, j-1), v(i, j+1))) &
               + dt * viscosity / (h * h) * (v(w, j) + v(e, j) + v(i, j-1) + v(i, j+1) - 4 * cv)
       end do
    end do
    u(:, 1:rows) = un(:, 1:rows)
    v(:, 1:rows) = vn(:, 1:rows)
  end subroutine advance

  pure function slope(speed, here, before, after) result(s)
    real(dp), intent(in) :: speed, here, before, after
    real(dp) :: s
    s = max(speed, 0.0_dp) * (here - before) + min(speed, 0.0_dp) * (after - here)
  end function slope

end program burgers
