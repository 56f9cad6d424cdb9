! Elastic network contact statistics of a large assembly.
! usage: enm capsid.pdb contacts.txt
! Replicated-data layout as in many normal-mode codes: every rank holds all
! coordinates and works on its own range of atoms.
program enm
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0), reclen = 81, nhead = 2, window = 24
  real(dp), parameter :: rc2 = 49d0
  integer :: ierr, rank, nproc, natom, lo, hi
  character(len=256) :: fin, fout
  real(dp), allocatable :: xyz(:,:), bfac(:)
  integer, allocatable :: resno(:), ncont(:)
  integer :: hist(0:window)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  if (command_argument_count() < 2) call fail('usage: enm pdb out')
  call get_command_argument(1, fin)
  call get_command_argument(2, fout)

  call load_structure(trim(fin))
  lo = 1 + int(int(natom,8)*rank/nproc)
  hi = int(int(natom,8)*(rank+1)/nproc)
  allocate(ncont(natom)); ncont = 0
  call count_contacts()
  call report(trim(fout))
  call MPI_Finalize(ierr)
contains
  subroutine fail(msg)
    character(*), intent(in) :: msg
    write(0,*) msg
    call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  end subroutine

  subroutine load_structure(path)
    character(*), intent(in) :: path
    character(len=80) :: line
    integer :: u, i, ios, serial, a, b, p
    character(len=4) :: nm, rs
    real(dp) :: occ
    integer, allocatable :: cnt(:), dis(:)
    open(newunit=u, file=path, status='old', action='read', access='stream', form='formatted', iostat=ios)
    if (ios /= 0) call fail('cannot open '//path)
    read(u,'(17x,i8)') natom
    allocate(xyz(3,natom), bfac(natom), resno(natom), cnt(nproc), dis(nproc))
    do p = 0, nproc-1
      dis(p+1) = int(int(natom,8)*p/nproc)
      cnt(p+1) = int(int(natom,8)*(p+1)/nproc) - dis(p+1)
    end do
    a = dis(rank+1) + 1
    b = dis(rank+1) + cnt(rank+1)
    do i = a, b
      if (i == a) then
        read(u,'(a)',pos=1+reclen*(nhead+a-1),iostat=ios) line
      else
        read(u,'(a)',iostat=ios) line
      end if
      if (ios /= 0) call fail('structure is truncated')
      read(line,'(6x,z5,2x,a3,1x,a3,2x,i4,4x,3f8.3,2f6.2)') serial, nm, rs, resno(i), xyz(:,i), occ, bfac(i)
      if (occ <= 0d0) xyz(:,i) = 0d0
    end do
    close(u)
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, xyz, 3*cnt, 3*dis, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, bfac, cnt, dis, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, resno, cnt, dis, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine count_contacts()
    integer :: i, j
    real(dp) :: d(3)
    do i = lo, hi
      do j = max(1, i-window), i-1
        if (resno(j) == resno(i)) cycle
        d = xyz(:,i) - xyz(:,j)
        if (dot_product(d, d) < rc2) ncont(i) = ncont(i) + 1
      end do
    end do
    hist = 0
    do i = lo, hi
      hist(ncont(i)) = hist(ncont(i)) + 1
    end do
    call MPI_Allreduce(MPI_IN_PLACE, hist, window+1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine report(path)
    character(*), intent(in) :: path
    integer :: u, k
    real(dp) :: c(3)
    if (rank /= 0) return
    c = sum(xyz, dim=2)/natom
    open(newunit=u, file=path, status='replace')
    write(u,'(a,i0)') '# atoms ', natom
    write(u,'(a,3f12.4)') '# centre ', c
    write(u,'(a,f10.4)') '# mean B ', sum(bfac)/natom
    do k = 0, window
      write(u,'(i4,i10)') k, hist(k)
    end do
    close(u)
    print '(a,i0,a,i0)', 'atoms ', natom, ' contacts ', sum([(k*hist(k), k=0,window)])
  end subroutine
end program
