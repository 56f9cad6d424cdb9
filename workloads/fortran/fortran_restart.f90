! A restart file of records; written with the module mpi.
!
!   before  small records through the shared file pointer: every write waits
!           for the pointer, and the order of records is left to chance
!   after   each rank knows its place: one split collective write per rank
program fortran_restart
  use mpi
  use answer
  implicit none
  integer, parameter :: record_words = 256
  integer :: file, error, moved, status(MPI_STATUS_SIZE)
  integer(c_int64_t) :: records, k, first, words
  integer(c_int64_t), allocatable :: mine(:)

  call MPI_Init(error)
  call start_run('before after')
  records = scaled(64_c_int64_t)
  words = records*record_words
  first = words*rank_here()
  allocate (mine(words))
  call fill_words(mine, first, words)
  call add_result(mine, first, words)

  call counts_all_of(mpiio)
  call begin_io()
  call MPI_File_open(MPI_COMM_WORLD, in_dir('restart.dat'), MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, error)
  call check()
  call count_calls(mpiio, opens, 1_c_int64_t)
  if (is_variant('before')) then
    do k = 0, records - 1
      call MPI_File_write_shared(file, mine(k*record_words + 1:(k + 1)*record_words), record_words*8, MPI_BYTE, status, error)
      call check()
      call count_write()
    end do
  else
    call MPI_File_write_at_all_begin(file, int(first*8, MPI_OFFSET_KIND), mine, int(words)*8, MPI_BYTE, error)
    call check()
    call MPI_File_write_at_all_end(file, mine, status, error)
    call check()
    call count_write()
    call count_calls(mpiio, collective_writes, 1_c_int64_t)
  end if
  call MPI_File_close(file, error)
  call count_calls(mpiio, closes, 1_c_int64_t)
  call end_io()

  if (is_variant('before')) then
    call add_file('restart.dat')
    call expect('small-independent-requests', 'small records through the shared file pointer; explicit offsets, collective')
  else
    call add_file('restart.dat', words*8*ranks())
    call expect('none', 'one collective write per rank')
  end if
  call write_answer('fortran_restart')
  call MPI_Finalize(error)

contains

  subroutine check()
    integer :: ignored
    if (error /= MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 1, ignored)
  end subroutine

  subroutine count_write()
    call MPI_Get_count(status, MPI_BYTE, moved, error)
    call count_calls(mpiio, writes, 1_c_int64_t)
    call count_calls(mpiio, bytes_written, int(moved, c_int64_t))
  end subroutine

end program fortran_restart
