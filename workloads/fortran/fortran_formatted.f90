! A serial program saves numbers.
!
!   before  as formatted text, a number per line
!   after   as an unformatted stream, all at once
program fortran_formatted
  use answer
  implicit none
  integer :: unit
  integer(c_int64_t) :: numbers, k
  integer(c_int64_t), allocatable :: words(:)

  call start_run('before after')
  numbers = scaled(50000_c_int64_t)
  allocate (words(numbers))
  call fill_words(words, 0_c_int64_t, numbers)
  call add_result(words, 0_c_int64_t, numbers)

  call begin_io()
  if (is_variant('before')) then
    open (newunit=unit, file=in_dir('numbers.txt'), form='formatted', status='replace')
    do k = 1, numbers
      write (unit, '(i0)') words(k)
    end do
  else
    open (newunit=unit, file=in_dir('numbers.dat'), form='unformatted', access='stream', status='replace')
    write (unit) words
  end if
  close (unit)
  call end_io()

  ! Both kinds of file hold what was written and nothing else; how many writes
  ! the Fortran library makes of it is its own affair.
  if (is_variant('before')) then
    call count_calls(posix, bytes_written, size_of('numbers.txt'))
    call add_file('numbers.txt')
    call expect('text-output', 'all data are formatted as text; write unformatted')
  else
    call count_calls(posix, bytes_written, size_of('numbers.dat'))
    call add_file('numbers.dat', numbers*8)
    call expect('none', 'binary data in large writes')
  end if
  call write_answer('fortran_formatted')
end program fortran_formatted
