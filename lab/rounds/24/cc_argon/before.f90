! Replicated-data molecular dynamics of liquid argon (velocity Verlet, minimum image),
! force loop dealt by rows, forces summed every step.  Written after the "Understanding
! Molecular Simulation" / CCP5 replicated-data teaching codes.
! usage: argon NCELL STEPS
program argon
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nproc, nc, nsteps, n, s
  character(len=32) :: arg
  real(dp) :: box, pe, ke, vir, mom(3), pmax
  real(dp), allocatable :: x(:,:), v(:,:), f(:,:)
  real(dp), parameter :: dt = 0.002_dp

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nc = 8; nsteps = 200
  call get_command_argument(1, arg); if (len_trim(arg) > 0) read(arg,*) nc
  call get_command_argument(2, arg); if (len_trim(arg) > 0) read(arg,*) nsteps
  n = 4*nc**3; box = nc*1.7_dp
  allocate(x(3,n), v(3,n), f(3,n))
  call lattice()
  call forces()
  do s = 1, nsteps
    v = v + 0.5_dp*dt*f
    x = x + dt*v
    call forces()
    v = v + 0.5_dp*dt*f
    call observables()
    if (rank == 0 .and. mod(s,20) == 0) print '(i6,3f14.5,es10.2)', s, pe/n, ke/n, vir/n, pmax
  end do
  call MPI_Finalize(ierr)
contains
  subroutine lattice()
    integer :: i, j, k, m, a
    real(dp) :: b(3,4)
    b = reshape([0d0,0d0,0d0, .5d0,.5d0,0d0, .5d0,0d0,.5d0, 0d0,.5d0,.5d0], [3,4])
    m = 0
    do k = 0, nc-1
      do j = 0, nc-1
        do i = 0, nc-1
          do a = 1, 4
            m = m + 1
            x(:,m) = ([i,j,k] + b(:,a))*1.7_dp
            v(:,m) = [sin(1.3_dp*m), sin(2.1_dp*m), sin(0.7_dp*m)]
          end do
        end do
      end do
    end do
  end subroutine

  subroutine forces()
    integer :: i, j
    real(dp) :: d(3), r2, i6, ff
    f = 0; pe = 0; vir = 0
    do i = 1+rank, n-1, nproc
      do j = i+1, n
        d = x(:,i) - x(:,j)
        d = d - box*anint(d/box)
        r2 = d(1)*d(1) + d(2)*d(2) + d(3)*d(3)
        if (r2 > 6.25_dp) cycle
        i6 = 1/(r2*r2*r2)
        ff = 48*i6*(i6-0.5_dp)/r2
        pe = pe + 4*i6*(i6-1); vir = vir + ff*r2
        f(:,i) = f(:,i) + ff*d; f(:,j) = f(:,j) - ff*d
      end do
    end do
    call MPI_Allreduce(MPI_IN_PLACE, f, 3*n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(MPI_IN_PLACE, pe, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(MPI_IN_PLACE, vir, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine observables()
    integer :: i
    ke = 0; mom = 0
    do i = 1+rank, n, nproc
      ke = ke + 0.5_dp*sum(v(:,i)**2); mom = mom + v(:,i)
    end do
    call MPI_Allreduce(MPI_IN_PLACE, ke, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(MPI_IN_PLACE, mom, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    pmax = maxval(abs(mom))
    call MPI_Bcast(pmax, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  end subroutine
end program
