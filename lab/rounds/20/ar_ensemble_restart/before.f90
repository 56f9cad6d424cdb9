! Ensemble square-root filter of a toy ocean: every rank advances its members,
! the ensemble mean and spread are reduced, the analysed members are kept as restarts.
module ens_param
  implicit none
  integer :: nx = 512, ny = 512, nz = 8, nmem = 20
  real    :: inflation = 1.05
contains
  subroutine read_config(fname)
    character(*), intent(in) :: fname
    namelist /ensemble/ nx, ny, nz, nmem, inflation
    integer :: u, ios
    open(newunit=u, file=fname, status='old', action='read', iostat=ios)
    if (ios == 0) then
      read(u, nml=ensemble)
      close(u)
    end if
  end subroutine read_config

  integer function owner_of(m, nproc)
    integer, intent(in) :: m, nproc
    owner_of = mod(m - 1, nproc)
  end function owner_of
end module ens_param

module ens_io
  use, intrinsic :: iso_c_binding
  use mpi
  use ens_param
  implicit none
  interface
    integer(c_int) function c_fsync(fd) bind(c, name='fsync')
      import c_int
      integer(c_int), value :: fd
    end function c_fsync
  end interface
contains
  subroutine put_member(m, field)
    integer, intent(in) :: m
    real, intent(in) :: field(:,:,:)
    character(len=32) :: fname
    integer :: u, rc
    write(fname, '(a,i3.3,a)') 'restart_', m, '.bin'
    open(newunit=u, file=fname, form='unformatted', access='stream', status='replace')
    write(u) field
    flush(u)
    rc = c_fsync(fnum(u))          ! the job may be killed right after the cycle
    close(u)
  end subroutine put_member

  subroutine store_ensemble(state, rank, nproc)
    real, intent(in) :: state(:,:,:,:)
    integer, intent(in) :: rank, nproc
    real, allocatable :: work(:,:,:)
    integer :: m, loc, ierr, own
    if (rank == 0) allocate(work(nx, ny, nz))
    do m = 1, nmem
      own = owner_of(m, nproc)
      loc = (m - 1) / nproc + 1
      if (rank == 0) then
        if (own == 0) then
          work = state(:,:,:,loc)
        else
          call MPI_Recv(work, nx*ny*nz, MPI_REAL, own, m, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        end if
        call put_member(m, work)
      else if (rank == own) then
        call MPI_Send(state(:,:,:,loc), nx*ny*nz, MPI_REAL, 0, m, MPI_COMM_WORLD, ierr)
      end if
    end do
  end subroutine store_ensemble
end module ens_io

program ensemble_restart
  use mpi
  use ens_param
  use ens_io
  implicit none
  integer :: ierr, rank, nproc, nloc, m, loc, k, u
  real, allocatable :: state(:,:,:,:), mean(:,:,:)
  real(8) :: sp, spread, total
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  call read_config('ensemble.nml')
  nloc = 0
  do m = 1, nmem
    if (owner_of(m, nproc) == rank) nloc = nloc + 1
  end do
  allocate(state(nx, ny, nz, max(nloc, 1)), mean(nx, ny, nz))
  do m = 1, nmem
    if (owner_of(m, nproc) /= rank) cycle
    loc = (m - 1) / nproc + 1
    call advance(state(:,:,:,loc), m)
  end do
  mean = 0.
  do loc = 1, nloc
    mean = mean + state(:,:,:,loc)
  end do
  call MPI_Allreduce(MPI_IN_PLACE, mean, nx*ny*nz, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, ierr)
  mean = mean / nmem
  sp = 0d0
  do loc = 1, nloc
    state(:,:,:,loc) = mean + inflation * (state(:,:,:,loc) - mean)
    do k = 1, nz
      sp = sp + sum(dble(state(:,:,k,loc) - mean(:,:,k))**2)
    end do
  end do
  call MPI_Allreduce(sp, spread, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call store_ensemble(state, rank, nproc)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    total = sum(dble(mean))
    open(newunit=u, file='ensemble.log', status='replace')
    write(u, '(a,i0,a,f9.4)') 'members ', nmem, ' inflation ', inflation
    write(u, '(a,es16.8)') 'spread ', sqrt(spread / (dble(nx)*ny*nz*nmem))
    close(u)
    print '(a,es14.6,a,es14.6)', 'mean ', total / (dble(nx)*ny*nz), ' spread ', sqrt(spread / (dble(nx)*ny*nz*nmem))
  end if
  call MPI_Finalize(ierr)
contains
  subroutine advance(f, m)
    real, intent(out) :: f(:,:,:)
    integer, intent(in) :: m
    integer :: i, j, kk
    real :: row(size(f,1))
    do i = 1, size(f,1)
      row(i) = sin(0.02*i + 0.7*m)
    end do
    do kk = 1, size(f,3)
      do j = 1, size(f,2)
        f(:,j,kk) = 15. - kk + row * cos(0.013*j + 0.2*m)
      end do
    end do
  end subroutine advance
end program ensemble_restart
