! Restart conversion: reads a restart in big unformatted stream blocks (a run of
! k-planes per rank), changes the gas model (conserved -> primitive with a new
! gamma) and writes the new restart, committed to disk once before the rename.
module posix_bits
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function c_fsync(fd) bind(c, name='fsync')
      import c_int
      integer(c_int), value :: fd
    end function
    integer(c_int) function c_rename(a, b) bind(c, name='rename')
      import c_char, c_int
      character(kind=c_char), intent(in) :: a(*), b(*)
    end function
  end interface
end module

program remesh
  use mpi_f08
  use posix_bits
  implicit none
  integer, parameter :: dp = kind(1.d0), nv = 5
  integer :: ni, nj, nk, kb, rank, nproc, ierr, ios, k0, k1, k, hdr(4)
  real(dp), allocatable :: q(:,:,:,:)
  real(dp) :: gam, s(2), g(2)
  integer(8) :: plane, at
  character(len=40) :: fin, fout, tmp
  namelist /convert/ fin, fout, gam, kb

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  open(10, file='convert.nml', status='old', iostat=ios)
  if (ios /= 0) call quit('convert.nml')
  read(10, nml=convert)
  close(10)
  open(20, file=fin, form='unformatted', access='stream', status='old', action='read', iostat=ios)
  if (ios /= 0) call quit(fin)
  read(20) hdr
  ni = hdr(2); nj = hdr(3); nk = hdr(4)
  if (hdr(1) /= 20240 .or. mod(nk, nproc*kb) /= 0) call quit('bad restart header')
  tmp = trim(fout)//'.part'
  if (rank == 0) then
    open(21, file=tmp, form='unformatted', access='stream', status='replace', iostat=ios)
    write(21) hdr
    close(21)
  end if
  call MPI_Barrier(MPI_COMM_WORLD)
  open(21, file=tmp, form='unformatted', access='stream', status='old', action='readwrite', iostat=ios)
  if (ios /= 0) call quit(tmp)

  allocate(q(nv,ni,nj,kb))
  plane = int(ni,8)*nj*nv*8
  k0 = rank*(nk/nproc); k1 = k0 + nk/nproc - 1
  s = 0
  do k = k0, k1, kb
    at = 17 + k*plane
    read(20, pos=at, iostat=ios) q
    if (ios /= 0) call quit('short restart')
    call to_primitive()
    s(1) = s(1) + sum(q(1,:,:,:)); s(2) = s(2) + sum(q(5,:,:,:))
    write(21, pos=at, iostat=ios) q
    if (ios /= 0) call quit('disk full')
  end do
  close(20)
  flush(21)
  call MPI_Reduce(s, g, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 0) then
    if (c_fsync(int(fnum(21), c_int)) /= 0) call quit('fsync')
    ierr = c_rename(trim(tmp)//c_null_char, trim(fout)//c_null_char)
    if (ierr /= 0) call quit('rename')
    write(*, '(a,2es18.10)') ' sum rho, p: ', g
  end if
  close(21)
  call MPI_Finalize(ierr)
contains
  subroutine quit(msg)
    character(*), intent(in) :: msg
    write(0, *) 'remesh: ', trim(msg)
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
  subroutine to_primitive()
    integer :: i, j, m
    real(dp) :: r
    do m = 1, kb
      do j = 1, nj
        do i = 1, ni
          r = q(1,i,j,m)
          q(2:4,i,j,m) = q(2:4,i,j,m)/r
          q(5,i,j,m) = (gam - 1)*(q(5,i,j,m) - 0.5d0*r*sum(q(2:4,i,j,m)**2))
        end do
      end do
    end do
  end subroutine
end program
