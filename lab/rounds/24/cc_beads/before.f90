! Two-level parallel run: a QM-like group (all ranks but the last) and one rank for the
! classical environment, each with its own communicator (as CP2K / FHI-aims do for
! force_eval groups).  The group leaders meet once per step to exchange energies; the
! environment rank yields its core (usleep) until then.
! usage: beads NBEAD NSTEP NFRAME
program beads
  use mpi
  use iso_c_binding, only: c_int
  implicit none
  interface
    integer(c_int) function usleep(us) bind(c)
      import c_int
      integer(c_int), value :: us
    end function
  end interface
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nproc, color, gcomm, grank, gsize, nb, nstep, nfr, s
  character(len=32) :: arg
  real(dp), allocatable :: x(:,:), f(:,:), traj(:,:), acf(:)
  real(dp) :: e, emm, etot

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  if (nproc < 3 .or. command_argument_count() < 3) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call get_command_argument(1, arg); read(arg,*) nb
  call get_command_argument(2, arg); read(arg,*) nstep
  call get_command_argument(3, arg); read(arg,*) nfr
  color = merge(1, 0, rank == nproc-1)
  call MPI_Comm_split(MPI_COMM_WORLD, color, rank, gcomm, ierr)
  call MPI_Comm_rank(gcomm, grank, ierr)
  call MPI_Comm_size(gcomm, gsize, ierr)
  allocate(x(3,nb), f(3,nb), traj(nb,nfr), acf(0:nfr/2))
  call init_beads()
  do s = 1, nstep
    if (color == 0) then
      call qm_step(s)
    else
      call mm_step(s)
    end if
    call meet()
    if (rank == 0) print '(a,i4,a,f16.6,a,f14.8)', 'step', s, '  E ', etot, '  acf(5) ', acf(5)
  end do
  call MPI_Comm_free(gcomm, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine init_beads()
    integer :: i, k
    e = 0; emm = 0; acf = 0
    do i = 1, nb
      x(:,i) = [cos(6.2831853_dp*i/nb), sin(6.2831853_dp*i/nb), 0.01_dp*mod(i,5)]*4
    end do
    do k = 1, nfr
      do i = 1, nb
        traj(i,k) = sin(0.013_dp*i*k) + 0.2_dp*cos(0.7_dp*k)
      end do
    end do
  end subroutine

  subroutine forces()
    integer :: i, j
    real(dp) :: d(3), r2
    f = 0; e = 0
    do i = 1+grank, nb, gsize
      do j = 1, nb
        if (i == j) cycle
        d = x(:,i) - x(:,j); r2 = sum(d*d) + 0.1_dp
        f(:,i) = f(:,i) + d/(r2*sqrt(r2)); e = e + 0.5_dp/sqrt(r2)
      end do
    end do
  end subroutine

  subroutine qm_step(s)
    integer, intent(in) :: s
    integer :: lag
    call forces()
    ! autocorrelation of the bead coordinates seen so far
    traj(:,1+mod(s,nfr)) = x(1,:)
    acf = 0
    if (grank == gsize-1) then
      do lag = 0, nfr/2
        acf(lag) = correlate(lag)
      end do
    end if
    call MPI_Allreduce(MPI_IN_PLACE, f, 3*nb, MPI_DOUBLE_PRECISION, MPI_SUM, gcomm, ierr)
    call MPI_Allreduce(MPI_IN_PLACE, e, 1, MPI_DOUBLE_PRECISION, MPI_SUM, gcomm, ierr)
    call MPI_Allreduce(MPI_IN_PLACE, acf, nfr/2+1, MPI_DOUBLE_PRECISION, MPI_SUM, gcomm, ierr)
    x = x + (1e-3_dp + 1e-5_dp*acf(5))*f
  end subroutine

  function correlate(lag) result(c)
    integer, intent(in) :: lag
    real(dp) :: c
    integer :: k
    c = 0
    do k = 1, nfr-nfr/2
      c = c + dot_product(traj(:,k), traj(:,k+lag))
    end do
    c = c/(nb*(nfr-nfr/2))
  end function

  subroutine meet()
    logical :: there
    integer :: st
    if (color == 1) then
      call MPI_Send(emm, 1, MPI_DOUBLE_PRECISION, 0, 5, MPI_COMM_WORLD, ierr)
      do
        call MPI_Iprobe(0, 6, MPI_COMM_WORLD, there, MPI_STATUS_IGNORE, ierr)
        if (there) exit
        st = usleep(500_c_int)
      end do
      call MPI_Recv(etot, 1, MPI_DOUBLE_PRECISION, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    else if (rank == 0) then
      call MPI_Recv(emm, 1, MPI_DOUBLE_PRECISION, nproc-1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      etot = e + emm
      call MPI_Send(etot, 1, MPI_DOUBLE_PRECISION, nproc-1, 6, MPI_COMM_WORLD, ierr)
    end if
  end subroutine

  subroutine mm_step(s)
    integer, intent(in) :: s
    integer :: i
    emm = 0
    do i = 1, 20000
      emm = emm + cos(1e-3_dp*i*s)*1e-3_dp
    end do
  end subroutine
end program
