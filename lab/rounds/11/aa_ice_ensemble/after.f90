! Ensemble of one-dimensional ice-sheet profiles (shallow-ice approximation).
! All ranks share the integration; the profiles of every member are archived,
! each as one segment in the archive of the rank that looks after that member.
module archive
  use iso_c_binding
  implicit none
  interface
     function c_fsync(fd) bind(c, name='fsync') result(ierr)
       import :: c_int
       integer(c_int), value :: fd
       integer(c_int) :: ierr
     end function
  end interface
contains
  subroutine open_archive(unit, rank)
    integer, intent(out) :: unit
    integer, intent(in) :: rank
    character(len=40) :: name
    write(name, '(a,i3.3,a)') 'ice_archive_', rank, '.bin'
    open(newunit=unit, file=name, access='stream', form='unformatted', status='replace')
  end subroutine

  ! the cluster may be switched off at any time, so a member must be safe on
  ! the disk before it is listed as done
  subroutine store_member(unit, member, history)
    integer, intent(in) :: unit, member
    real(8), intent(in) :: history(:,:)
    integer :: ierr
    write(unit) member, size(history), history
    flush(unit)
    ierr = c_fsync(int(fnum(unit), c_int))
  end subroutine
end module

program ice_ensemble
  use mpi
  use archive
  implicit none
  integer, parameter :: nx = 400            ! grid points from divide to margin
  integer, parameter :: nhist = 320         ! stored times of each member
  real(8), parameter :: dx = 2000d0, gam = 1.1d-12
  integer :: rank, nproc, ierr, nmember, m, unit, m1, m2
  character(len=32) :: arg
  real(8), allocatable :: history(:,:)
  real(8) :: h(nx), volume, total
  integer :: done

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nmember = 240
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read(arg, *) nmember
  end if
  allocate(history(nx, nhist))

  ! the steady profile all members start from, each rank relaxes its own copy
  call vialov(h)
  call relax(h, 25000, 0.3d0)

  call open_archive(unit, rank)
  m1 = nmember * rank / nproc + 1
  m2 = nmember * (rank + 1) / nproc
  volume = 0d0
  done = 0
  do m = m1, m2
     call member_history(m, h, history)
     volume = volume + sum(history(:, nhist)) * dx
     call store_member(unit, m, history)
     done = done + 1
  end do
  close(unit)

  call MPI_Reduce(volume, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,i5,a,es16.8,a)', 'members ', nmember, '  mean volume ', total / nmember, ' m2'
  call MPI_Finalize(ierr)

contains

  subroutine vialov(h)
    real(8), intent(out) :: h(:)
    integer :: i
    do i = 1, nx
       h(i) = 3000d0 * max(0d0, 1d0 - (dble(i - 1) / (nx - 1))**(4d0/3d0))**(3d0/8d0)
    end do
  end subroutine

  ! explicit steps of the thickness equation
  subroutine relax(h, nsteps, accu)
    real(8), intent(inout) :: h(:)
    integer, intent(in) :: nsteps
    real(8), intent(in) :: accu
    real(8) :: q(nx), slope, hm
    integer :: n, i
    do n = 1, nsteps
       do i = 1, nx - 1
          slope = (h(i+1) - h(i)) / dx
          hm = 0.5d0 * (h(i) + h(i+1))
          q(i) = -gam * hm**5 * slope**3
       end do
       h(1) = h(1) + 0.5d0 * (accu - q(1) / dx)
       do i = 2, nx - 1
          h(i) = max(0d0, h(i) + 0.5d0 * (accu - (q(i) - q(i-1)) / dx))
       end do
       h(nx) = 0d0
    end do
  end subroutine

  ! linear response of the profile to the climate scenario of member m
  subroutine member_history(m, h0, history)
    integer, intent(in) :: m
    real(8), intent(in) :: h0(:)
    real(8), intent(out) :: history(:,:)
    integer :: k
    do k = 1, nhist
       history(:, k) = h0 * (1d0 + 1d-3 * m * sin(0.02d0 * k) / nmember)
    end do
  end subroutine
end program
