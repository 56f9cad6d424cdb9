! An old code that saves its field; written with mpif.h.
!
!   before  rank 0 gathers everything and writes it with Fortran's own I/O
!   after   every rank writes its part, collectively
program fortran_legacy
  use answer
  implicit none
  include 'mpif.h'
  integer :: file, unit, error, moved, status(MPI_STATUS_SIZE)
  integer(c_int64_t) :: words, first
  integer(c_int64_t), allocatable :: mine(:), whole(:)

  call MPI_Init(error)
  call start_run('before after')
  words = scaled(131072_c_int64_t)
  first = words*rank_here()
  allocate (mine(words), whole(merge(words*ranks(), 1_c_int64_t, rank_here() == 0)))
  call fill_words(mine, first, words)
  call add_result(mine, first, words)

  call begin_io()
  if (is_variant('before')) then
    call MPI_Gather(mine, int(words), MPI_INTEGER8, whole, int(words), MPI_INTEGER8, 0, MPI_COMM_WORLD, error)
    if (rank_here() == 0) then
      open (newunit=unit, file=in_dir('field.dat'), form='unformatted', access='stream', status='replace')
      write (unit) whole
      close (unit)
    end if
  else
    call counts_all_of(mpiio)
    call MPI_File_open(MPI_COMM_WORLD, in_dir('field.dat'), MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, error)
    call count_calls(mpiio, opens, 1_c_int64_t)
    call MPI_File_write_at_all(file, int(first*8, MPI_OFFSET_KIND), mine, int(words)*8, MPI_BYTE, status, error)
    call MPI_Get_count(status, MPI_BYTE, moved, error)
    call count_calls(mpiio, writes, 1_c_int64_t)
    call count_calls(mpiio, collective_writes, 1_c_int64_t)
    call count_calls(mpiio, bytes_written, int(moved, c_int64_t))
    call MPI_File_close(file, error)
    call count_calls(mpiio, closes, 1_c_int64_t)
  end if
  call end_io()

  ! Stream output holds the bytes of the array and nothing else.
  if (is_variant('before') .and. rank_here() == 0) call count_calls(posix, bytes_written, size_of('field.dat'))
  call add_file('field.dat', words*8*ranks())
  if (is_variant('before')) then
    call expect('rank-0-only', 'rank 0 gathers and writes all bytes; let every rank write its part')
  else
    call expect('none', 'one collective write per rank')
  end if
  call write_answer('fortran_legacy')
  call MPI_Finalize(error)
end program fortran_legacy
