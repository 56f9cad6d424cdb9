! Mesh partition reading.  The neutral mesh file has fixed-width lines
!   nodes:    i8, 3 x 1pe17.9      elements: 9 x i8
! and is dealt out in contiguous blocks of nodes and elements over the ranks.
program mesh_part
  use mpi_f08
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer :: nnode, nelem, rank, nproc, ierr, ios, ln, le
  real(dp), allocatable :: xyz(:,:)
  integer, allocatable :: elem(:,:)
  real(dp) :: t0, s(6), g(6)
  character(len=64) :: title

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  t0 = MPI_Wtime()
  open(10, file='burner.hdr', status='old', iostat=ios)
  if (ios /= 0) call stop_all('no burner.hdr')
  read(10, '(a)') title
  read(10, *) nnode, nelem
  close(10)
  ln = nnode/nproc; le = nelem/nproc
  if (ln*nproc /= nnode .or. le*nproc /= nelem) call stop_all('mesh not divisible')
  allocate(xyz(3,ln), elem(9,le))

  call get_nodes('burner.nod')
  call get_elements('burner.ele')
  call partition_metrics(s)
  call MPI_Reduce(s, g, 6, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) then
    write(*, '(a,a)') ' mesh: ', trim(title)
    write(*, '(a,6es15.7)') ' metrics: ', g
  end if
  call write_partition()
  call MPI_Finalize(ierr)
contains
  subroutine stop_all(msg)
    character(*), intent(in) :: msg
    write(0, *) 'mesh_part: ', msg
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
  subroutine get_nodes(fn)
    character(*), intent(in) :: fn
    integer :: i, id
    open(11, file=fn, status='old', form='formatted', access='stream', action='read', iostat=ios)
    if (ios /= 0) call stop_all('no node file')
    read(11, '()', advance='no', pos=1 + 60*ln*rank)
    do i = 1, ln
      read(11, '(i8,3e17.9)', iostat=ios) id, xyz(:,i)
      if (ios /= 0 .or. id /= rank*ln + i) call stop_all('bad node line')
    end do
    close(11)
  end subroutine
  subroutine get_elements(fn)
    character(*), intent(in) :: fn
    integer :: i
    open(12, file=fn, status='old', form='formatted', access='stream', action='read', iostat=ios)
    if (ios /= 0) call stop_all('no element file')
    read(12, '()', advance='no', pos=1 + 73*le*rank)
    do i = 1, le
      read(12, '(9i8)', iostat=ios) elem(:,i)
      if (ios /= 0 .or. elem(1,i) /= rank*le + i) call stop_all('bad element line')
    end do
    close(12)
  end subroutine
  subroutine partition_metrics(m)
    real(dp), intent(out) :: m(6)
    integer :: i
    m(1:3) = sum(xyz, 2)
    m(4) = 0; m(5) = 0
    do i = 1, le
      m(4) = m(4) + (maxval(elem(2:9,i)) - minval(elem(2:9,i)))
      m(5) = m(5) + mod(elem(2,i) + elem(9,i), 97)
    end do
    m(6) = le
  end subroutine
  subroutine write_partition()
    character(len=24) :: fn
    write(fn, '(a,i4.4,a)') 'burner.part', rank, '.bin'
    open(13, file=fn, form='unformatted', status='replace', iostat=ios)
    if (ios /= 0) call stop_all('cannot write partition')
    write(13) rank, ln, le
    write(13) xyz
    write(13) elem
    close(13)
  end subroutine
end program
