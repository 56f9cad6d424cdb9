! Rogue waves: ensemble of random deep-water wave trains, nonlinear
! Schroedinger equation for the envelope (4th-order Runge-Kutta, centred
! differences, periodic).  Each rank carries its own members and stores the
! envelopes in its own file.
!
!   usage: mpirun -n 2 rogue <steps> <points>
program rogue
  use mpi
  implicit none
  integer, parameter :: members = 4, every = 200
  real(8), parameter :: dx = 0.12d0, dt = 2.0d-3, pi = 3.141592653589793d0
  complex(8), parameter :: im = (0.0d0, 1.0d0)
  complex(8), allocatable :: a(:, :)
  integer :: rank, nproc, ierr, steps, points, m, n, lun
  real(8) :: peak, highest, kurt, mean
  character(32) :: arg, name

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  steps = 1000
  points = 8192
  if (command_argument_count() >= 2) then
    call get_command_argument(1, arg)
    read (arg, *) steps
    call get_command_argument(2, arg)
    read (arg, *) points
  end if
  allocate (a(points, members))
  do m = 1, members
    call sea(a(:, m), 100 * rank + m)
  end do

  write (name, '(a,i0,a)') 'envelope_', rank, '.dat'
  open (newunit=lun, file=name, form='unformatted', access='stream', status='replace')
  peak = 0
  do n = 1, steps
    do m = 1, members
      call advance(a(:, m))
    end do
    peak = max(peak, maxval(abs(a)))
    if (mod(n, every) == 0) write (lun) a
  end do
  close (lun)

  kurt = sum(abs(a)**4) / size(a) / (sum(abs(a)**2) / size(a))**2
  call MPI_Reduce(peak, highest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  call MPI_Reduce(kurt, mean, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    print '(a,f8.4)', 'highest envelope ', highest
    print '(a,f8.4)', 'kurtosis ', mean / nproc
  end if
  call MPI_Finalize(ierr)

contains

  ! random narrow-banded sea with unit variance
  subroutine sea(w, seed)
    complex(8), intent(out) :: w(:)
    integer, intent(in) :: seed
    integer(8) :: s
    integer :: k, i
    real(8) :: phase, amp
    s = 1000003_8 * seed + 17_8
    w = 0
    do k = -24, 24
      s = mod(s * 48271_8, 2147483647_8)
      phase = 2 * pi * real(s, 8) / 2147483647.0d0
      amp = exp(-0.5d0 * (k / 8.0d0)**2)
      do i = 1, size(w)
        w(i) = w(i) + amp * exp(im * (phase + 2 * pi * k * (i - 1) / 512.0d0))
      end do
    end do
    w = w / sqrt(sum(abs(w)**2) / size(w))
  end subroutine sea

  subroutine slope(w, f)
    complex(8), intent(in) :: w(:)
    complex(8), intent(out) :: f(:)
    integer :: i, n
    n = size(w)
    do i = 1, n
      f(i) = im * ((w(modulo(i, n) + 1) - 2 * w(i) + w(modulo(i - 2, n) + 1)) / dx**2 &
                   + 2 * abs(w(i))**2 * w(i))
    end do
  end subroutine slope

  subroutine advance(w)
    complex(8), intent(inout) :: w(:)
    complex(8) :: k1(size(w)), k2(size(w)), k3(size(w)), k4(size(w))
    call slope(w, k1)
    call slope(w + 0.5d0 * dt * k1, k2)
    call slope(w + 0.5d0 * dt * k2, k3)
    call slope(w + dt * k3, k4)
    w = w + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
  end subroutine advance

end program rogue
