! Conjugate heat transfer, file-coupled: rank 0 is the gas side, rank 1 the
! wall.  Data files with a lock file handed over, the way OpenFOAM's
! externalCoupled boundary condition does (commsDir, OpenFOAM.lock, wait).
module sleeper
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function usleep(us) bind(c)
      import c_int
      integer(c_int), value :: us
    end function
  end interface
end module

program fsi_couple
  use mpi_f08
  use sleeper
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer :: nface, ndepth, niter, waitms, maxwait, rank, ierr, ios, it
  real(dp), allocatable :: tw(:), qw(:), wall(:,:)
  character(len=20) :: comms
  namelist /coupling/ nface, ndepth, niter, waitms, maxwait, comms

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  open(10 + rank, file='coupling.nml', status='old', iostat=ios)
  if (ios /= 0) call fail('coupling.nml missing')
  read(10 + rank, nml=coupling)
  close(10 + rank)
  allocate(tw(nface), qw(nface), wall(nface,ndepth))
  tw = 600.d0; wall = 600.d0; qw = 0

  do it = 1, niter
    if (rank == 0) then
      call gas_side(it)
      call give('gas', qw, it)
      call await('wall', tw, it)
    else
      call await('gas', qw, it)
      call wall_side()
      call give('wall', tw, it)
    end if
  end do
  if (rank == 0) then
    open(30, file='walltemp.dat')
    write(30, '(5es16.8)') tw(1:nface:97)
    close(30)
    write(*, '(a,i0,2es16.8)') ' coupled iterations ', niter, sum(tw)/nface, sum(qw)/nface
  end if
  call MPI_Finalize(ierr)
contains
  subroutine fail(msg)
    character(*), intent(in) :: msg
    write(0, *) 'fsi_couple: ', msg
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
  subroutine give(who, f, k)
    character(*), intent(in) :: who
    real(dp), intent(in) :: f(:)
    integer, intent(in) :: k
    character(len=60) :: base
    write(base, '(a,a,a,a,i5.5)') trim(comms), '/', who, '_', k
    open(20, file=trim(base)//'.out', form='unformatted', status='replace', iostat=ios)
    if (ios /= 0) call fail('cannot write '//trim(base))
    write(20) k, size(f)
    write(20) f
    close(20)
    open(21, file=trim(base)//'.lock', status='new', iostat=ios)
    close(21)
  end subroutine
  subroutine await(who, f, k)
    character(*), intent(in) :: who
    real(dp), intent(out) :: f(:)
    integer, intent(in) :: k
    character(len=60) :: base
    integer :: m, n, tries
    logical :: there
    write(base, '(a,a,a,a,i5.5)') trim(comms), '/', who, '_', k
    do tries = 1, maxwait
      inquire(file=trim(base)//'.lock', exist=there)
      if (there) exit
      ierr = usleep(int(1000*waitms, c_int))
    end do
    if (.not. there) call fail('timed out for '//trim(base))
    open(22, file=trim(base)//'.out', form='unformatted', status='old', iostat=ios)
    read(22) m, n
    read(22) f
    close(22, status='delete')
    open(21, file=trim(base)//'.lock', status='old')
    close(21, status='delete')
  end subroutine
  subroutine gas_side(k)
    integer, intent(in) :: k
    integer :: i, j
    real(dp) :: hc
    do i = 1, nface
      hc = 40 + 10*sin(0.01d0*i + 0.1d0*k)
      do j = 1, 20
        hc = 0.5d0*(hc + 1800/(hc + 1.d-3*tw(i)))
      end do
      qw(i) = hc*(1500 - tw(i))
    end do
  end subroutine
  subroutine wall_side()
    integer :: s, j
    do s = 1, 20
      wall(:,1) = wall(:,2) + qw*2.d-4
      do j = 2, ndepth-1
        wall(:,j) = wall(:,j) + 0.2d0*(wall(:,j-1) - 2*wall(:,j) + wall(:,j+1))
      end do
    end do
    tw = wall(:,1)
  end subroutine
end program
