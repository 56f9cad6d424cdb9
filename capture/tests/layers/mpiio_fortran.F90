! The MPI-IO calls of one program in three dialects: -DMPIF_H, -DUSE_MPI,
! -DUSE_MPI_F08. Each rank writes and reads 1024 bytes of a shared file.
program dialects
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
  type(MPI_Request) :: request, requests(2)
  type(MPI_Datatype) :: every_other
  type(MPI_Status) :: status, statuses(2)
#else
  integer :: file, request, requests(2), every_other
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
#endif
  integer :: rank, ranks, ierr, i
  integer :: values(256)
  integer(kind=MPI_OFFSET_KIND) :: offset
  character(len=512) :: path

  call get_command_argument(1, path)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  values = [(i, i=1, 256)]

  call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
  offset = rank*1024_MPI_OFFSET_KIND
  call MPI_File_write_at_all(file, offset, values, 256, MPI_INTEGER, status, ierr)
  call MPI_File_read_at(file, offset, values, 256, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call MPI_File_iread_at(file, offset, values, 128, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_File_iwrite_at(file, offset, values, 64, MPI_INTEGER, requests(1), ierr)
  call MPI_File_iwrite_at(file, offset + 512, values, 64, MPI_INTEGER, requests(2), ierr)
  call MPI_Waitall(2, requests, statuses, ierr)

  ! Each rank sees every other block of 64 bytes.
  call MPI_Type_vector(2, 16, 32, MPI_INTEGER, every_other, ierr)
  call MPI_Type_commit(every_other, ierr)
  offset = rank*64_MPI_OFFSET_KIND
  call MPI_File_set_view(file, offset, MPI_INTEGER, every_other, 'native', MPI_INFO_NULL, ierr)
  call MPI_File_write_all(file, values, 16, MPI_INTEGER, status, ierr)
  call MPI_File_write(file, values, 16, MPI_INTEGER, status, ierr)
  call MPI_File_sync(file, ierr)
  call MPI_Type_free(every_other, ierr)
  call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program
