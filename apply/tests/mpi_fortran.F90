! Independent writes and a hint in one of three dialects: -DMPIF_H, -DUSE_MPI, -DUSE_MPI_F08.
! Prints what the calls answer on rank 0.
program independent
#if defined(USE_MPI_F08)
  use mpi_f08
#elif defined(USE_MPI)
  use mpi
#endif
  implicit none
#if defined(MPIF_H)
  include 'mpif.h'
#endif
#if defined(USE_MPI_F08)
  type(MPI_File) :: file
  type(MPI_Status) :: status
  type(MPI_Info) :: info
#else
  integer :: file, info
  integer :: status(MPI_STATUS_SIZE)
#endif
  integer :: rank, ranks, ierr, i, items
  integer :: values(64), back(64)
  integer(kind=MPI_OFFSET_KIND) :: offset, position
  logical :: is_there
  character(len=512) :: path
  character(len=64) :: hint

  hint = ''
  call get_command_argument(1, path)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
  call MPI_File_get_info(file, info, ierr)
  call MPI_Info_get(info, 'cb_buffer_size', 63, hint, is_there, ierr)
  if (rank == 0) print '(a, l1, 1x, a)', 'hint ', is_there, trim(hint)
  do i = 0, 15
    values = [(rank*1000 + i*64 + items, items=1, 64)]
    offset = 256_MPI_OFFSET_KIND*(i*ranks + rank)
    call MPI_File_write_at(file, offset, values, 64, MPI_INTEGER, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, items, ierr)
    if (rank == 0 .and. (items /= 64 .or. ierr /= MPI_SUCCESS)) print *, 'write_at', i, items, ierr
  end do
  call MPI_File_write_at(file, offset, values, 32, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call MPI_File_read_at(file, offset, back, 64, MPI_INTEGER, status, ierr)
  if (rank == 0) print '(a, l1)', 'read back ', all(back == values)
  call MPI_File_sync(file, ierr)

  offset = 256_MPI_OFFSET_KIND*16*ranks
  call MPI_File_set_view(file, offset, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  offset = rank*64
  call MPI_File_seek(file, offset, MPI_SEEK_SET, ierr)
  do i = 1, 4
    call MPI_File_write(file, values(16*i - 15), 16, MPI_INTEGER, status, ierr)
  end do
  call MPI_File_get_position(file, position, ierr)
  call MPI_Get_count(status, MPI_INTEGER, items, ierr)
  if (rank == 0) print '(a, i0, 1x, i0)', 'position ', position, items
  call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program
