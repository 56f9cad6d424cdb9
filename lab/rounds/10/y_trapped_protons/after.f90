! Protons in a dipole magnetic field (test particles, Boris scheme).
! Each rank follows its own share; positions go to one trajectory file,
! ordered by record and then by particle.
!   usage: trapped_protons PARTICLES NRECORDS STEPS_PER_RECORD
module dipole
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  pure function bfield(x) result(b)
    real(dp), intent(in) :: x(3)
    real(dp) :: b(3), r2, r5
    r2 = dot_product(x, x)
    r5 = r2 * r2 * sqrt(r2)
    b(1) = -3d0 * x(1) * x(3) / r5
    b(2) = -3d0 * x(2) * x(3) / r5
    b(3) = -(3d0 * x(3)**2 - r2) / r5
  end function

  pure function cross(a, b) result(c)
    real(dp), intent(in) :: a(3), b(3)
    real(dp) :: c(3)
    c = [a(2)*b(3) - a(3)*b(2), a(3)*b(1) - a(1)*b(3), a(1)*b(2) - a(2)*b(1)]
  end function

  pure subroutine boris(x, v, h)
    real(dp), intent(inout) :: x(3), v(3)
    real(dp), intent(in) :: h
    real(dp) :: t(3), s(3), w(3)
    t = 400d0 * bfield(x) * h / 2
    s = 2d0 * t / (1d0 + dot_product(t, t))
    w = v + cross(v, t)
    v = v + cross(w, s)
    x = x + h * v
  end subroutine
end module

program trapped_protons
  use mpi
  use dipole
  implicit none
  integer :: ierr, rank, nranks, total, n, records, steps, rec, s, i, fh
  real(dp), allocatable :: x(:,:), v(:,:)
  real(dp) :: mine(2), all(2)
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  call get_command_argument(1, arg); read (arg, *) total
  call get_command_argument(2, arg); read (arg, *) records
  call get_command_argument(3, arg); read (arg, *) steps
  n = total / nranks
  allocate (x(3, n), v(3, n))
  do i = 1, n
    call inject(rank * n + i, x(:, i), v(:, i))
  end do

  call MPI_File_open(MPI_COMM_WORLD, 'orbits.dat', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
  do rec = 0, records - 1
    do i = 1, n
      do s = 1, steps
        call boris(x(:, i), v(:, i), 0.002d0)
      end do
    end do
    call store(rec)
  end do
  call MPI_File_close(fh, ierr)

  mine = [sum(sqrt(sum(x**2, dim=1))), sum(v**2)]
  call MPI_Reduce(mine, all, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,i0,a,f14.8,a,f14.8)', 'records ', records, '  mean L ', all(1) / total, &
    '  mean energy ', all(2) / total
  call MPI_Finalize(ierr)

contains

  subroutine inject(id, x, v)
    integer, intent(in) :: id
    real(dp), intent(out) :: x(3), v(3)
    real(dp) :: a, p
    a = 2.399963d0 * id
    p = 0.3d0 + 1.1d0 * mod(0.618034d0 * id, 1d0)
    x = [(2d0 + mod(0.7548777d0 * id, 2d0)) * cos(a), (2d0 + mod(0.7548777d0 * id, 2d0)) * sin(a), 0d0]
    v = [sin(p) * cos(3 * a), sin(p) * sin(3 * a), cos(p)]
  end subroutine

  subroutine store(rec)
    integer, intent(in) :: rec
    integer(MPI_OFFSET_KIND) :: at
    at = 24_MPI_OFFSET_KIND * (int(rec, MPI_OFFSET_KIND) * total + rank * n)
    call MPI_File_write_at(fh, at, x, 3 * n, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
  end subroutine
end program
