! Ranks own blocks of rows of a Fortran array, so every column is cut into
! pieces; written with the module mpi_f08.
!
!   before  one independent write per piece of a column
!   after   a subarray view and one collective write
program fortran_columns
  use mpi_f08
  use answer
  implicit none
  integer, parameter :: rows_here = 512
  integer :: columns, column, rows, moved
  integer(c_int64_t) :: first
  integer(c_int64_t), allocatable :: block(:, :)
  type(MPI_File) :: file
  type(MPI_Status) :: status
  type(MPI_Datatype) :: part

  call MPI_Init()
  call start_run('before after')
  columns = int(scaled(64_c_int64_t))
  rows = rows_here*ranks()
  allocate (block(rows_here, columns))
  do column = 1, columns
    first = (int(column, c_int64_t) - 1)*rows + rank_here()*rows_here
    call fill_words(block(:, column), first, int(rows_here, c_int64_t))
    call add_result(block(:, column), first, int(rows_here, c_int64_t))
  end do

  call counts_all_of(mpiio)
  call begin_io()
  call MPI_File_open(MPI_COMM_WORLD, in_dir('array.dat'), MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file)
  call count_calls(mpiio, opens, 1_c_int64_t)
  if (is_variant('before')) then
    do column = 1, columns
      first = (int(column, c_int64_t) - 1)*rows + rank_here()*rows_here
      call MPI_File_write_at(file, int(first*8, MPI_OFFSET_KIND), block(:, column), rows_here*8, MPI_BYTE, status)
      call count_write()
    end do
  else
    call MPI_Type_create_subarray(2, [rows, columns], [rows_here, columns], [rank_here()*rows_here, 0], &
         MPI_ORDER_FORTRAN, MPI_INTEGER8, part)
    call MPI_Type_commit(part)
    call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER8, part, 'native', MPI_INFO_NULL)
    call count_calls(mpiio, views, 1_c_int64_t)
    call MPI_File_write_all(file, block, rows_here*columns*8, MPI_BYTE, status)
    call count_write()
    call count_calls(mpiio, collective_writes, 1_c_int64_t)
    call MPI_Type_free(part)
  end if
  call MPI_File_close(file)
  call count_calls(mpiio, closes, 1_c_int64_t)
  call end_io()

  call add_file('array.dat', int(rows, c_int64_t)*columns*8)
  if (is_variant('before')) then
    call expect('small-independent-requests', 'independent writes of 4 KiB pieces of columns; subarray view and collective write')
  else
    call expect('none', 'one collective write of a subarray')
  end if
  call write_answer('fortran_columns')
  call MPI_Finalize()

contains

  subroutine count_write()
    call MPI_Get_count(status, MPI_BYTE, moved)
    call count_calls(mpiio, writes, 1_c_int64_t)
    call count_calls(mpiio, bytes_written, int(moved, c_int64_t))
  end subroutine

end program fortran_columns
