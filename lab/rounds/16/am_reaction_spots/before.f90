! Turing patterns: Gray-Scott reaction and diffusion on a periodic square.
!
! Slabs of columns are distributed over the ranks and exchange one halo column.
! A few times in a run the concentration goes to one common snapshot file, in
! rank order along the slabs, and rank 0 adds a line to the run log.
program gray_scott
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: n = 512
  real(dp), parameter :: du = 0.16_dp, dv = 0.08_dp, feed = 0.035_dp, kill = 0.060_dp
  real(dp), allocatable :: a(:, :), b(:, :), an(:, :), bn(:, :)
  integer :: rank, nranks, ierr, m, k, nsteps, every, fh, left, right, snap, u
  integer(MPI_OFFSET_KIND) :: at
  real(dp) :: mine, total
  character(32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  nsteps = 1000
  every = 200
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read (arg, *) nsteps
  end if
  m = n / nranks
  left = mod(rank - 1 + nranks, nranks)
  right = mod(rank + 1, nranks)
  allocate (a(n, 0:m + 1), b(n, 0:m + 1), an(n, 0:m + 1), bn(n, 0:m + 1))
  call seed_spots()
  call MPI_File_open(MPI_COMM_WORLD, 'spots.f64', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                     MPI_INFO_NULL, fh, ierr)
  if (rank == 0) open (newunit=u, file='run.log', status='replace')
  snap = 0
  do k = 1, nsteps
    call halo(a)
    call halo(b)
    call react()
    if (mod(k, every) == 0) then
      at = (int(snap, MPI_OFFSET_KIND) * n + int(rank, MPI_OFFSET_KIND) * m) * n * 8
      call MPI_File_write_at_all(fh, at, b(1, 1), n * m, MPI_DOUBLE_PRECISION, &
                                 MPI_STATUS_IGNORE, ierr)
      snap = snap + 1
      mine = sum(b(:, 1:m))
      call MPI_Reduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
      if (rank == 0) then
        write (u, '(a,i0,a,es14.6)') 'step ', k, '  mean v ', total / n**2
        flush (u)
      end if
    end if
  end do
  call MPI_File_close(fh, ierr)
  if (rank == 0) then
    close (u)
    print '(a,i0,a,i0,a,es14.6)', 'steps ', nsteps, '  snapshots ', snap, '  mean v ', &
      total / n**2
  end if
  call MPI_Finalize(ierr)

contains

  subroutine seed_spots()
    integer :: i, j, jg, s
    real(dp) :: cx, cy
    a = 1.0_dp
    b = 0.0_dp
    do s = 1, 40
      cx = n * mod(s * 0.7548776662466927_dp, 1.0_dp)
      cy = n * mod(s * 0.5698402909980532_dp, 1.0_dp)
      do j = 1, m
        jg = rank * m + j
        do i = 1, n
          if (abs(i - cx) < 6 .and. abs(jg - cy) < 6) then
            a(i, j) = 0.5_dp
            b(i, j) = 0.25_dp
          end if
        end do
      end do
    end do
  end subroutine seed_spots

  subroutine halo(c)
    real(dp), intent(inout) :: c(n, 0:m + 1)
    call MPI_Sendrecv(c(1, m), n, MPI_DOUBLE_PRECISION, right, 1, c(1, 0), n, &
                      MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(c(1, 1), n, MPI_DOUBLE_PRECISION, left, 2, c(1, m + 1), n, &
                      MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine halo

  subroutine react()
    integer :: i, j, im, ip
    real(dp) :: la, lb, r
    do j = 1, m
      do i = 1, n
        im = merge(n, i - 1, i == 1)
        ip = merge(1, i + 1, i == n)
        la = a(im, j) + a(ip, j) + a(i, j - 1) + a(i, j + 1) - 4 * a(i, j)
        lb = b(im, j) + b(ip, j) + b(i, j - 1) + b(i, j + 1) - 4 * b(i, j)
        r = a(i, j) * b(i, j)**2
        an(i, j) = a(i, j) + du * la - r + feed * (1 - a(i, j))
        bn(i, j) = b(i, j) + dv * lb + r - (feed + kill) * b(i, j)
      end do
    end do
    a(:, 1:m) = an(:, 1:m)
    b(:, 1:m) = bn(:, 1:m)
  end subroutine react

end program gray_scott
