! What a Fortran workload knows about its own I/O: c/answer.h, seen from Fortran.
module answer
  use, intrinsic :: iso_c_binding
  implicit none

  ! Positions in enum layer and enum counter of c/answer.h.
  enum, bind(c)
    enumerator :: posix = 0, stdio, mpiio
  end enum
  enum, bind(c)
    enumerator :: opens = 0, closes, reads, writes, bytes_read, bytes_written, &
         collective_reads, collective_writes, nonblocking_reads, nonblocking_writes, views
  end enum

  interface
    integer(c_int) function rank_here() bind(c, name='workload_rank')
      import
    end function
    integer(c_int) function ranks() bind(c, name='workload_nprocs')
      import
    end function
    integer(c_int64_t) function scaled(base) bind(c, name='workload_scaled')
      import
      integer(c_int64_t), value :: base
    end function
    subroutine counts_all_of(layer) bind(c, name='workload_counts_all_of')
      import
      integer(c_int), value :: layer
    end subroutine
    subroutine count_calls(layer, counter, amount) bind(c, name='workload_count')
      import
      integer(c_int), value :: layer, counter
      integer(c_int64_t), value :: amount
    end subroutine
    subroutine fill_words(words, first_index, word_count) bind(c, name='workload_fill')
      import
      integer(c_int64_t), intent(out) :: words(*)
      integer(c_int64_t), value :: first_index, word_count
    end subroutine
    subroutine add_result(words, first_index, word_count) bind(c, name='workload_add_result')
      import
      integer(c_int64_t), intent(in) :: words(*)
      integer(c_int64_t), value :: first_index, word_count
    end subroutine
    subroutine begin_io() bind(c, name='workload_begin_io')
    end subroutine
    subroutine end_io() bind(c, name='workload_end_io')
    end subroutine
  end interface

contains

  ! Read the command line. The variants are separated by spaces.
  subroutine start_run(variants)
    character(*), intent(in) :: variants
    interface
      subroutine c_start(argc, argv, variants) bind(c, name='workload_start')
        import
        integer(c_int), value :: argc
        type(c_ptr), intent(in) :: argv(*)
        character(kind=c_char), intent(in) :: variants(*)
      end subroutine
    end interface
    integer, parameter :: longest = 4096
    character(kind=c_char, len=longest), allocatable, target, save :: words(:)
    type(c_ptr), allocatable :: argv(:)
    character(longest) :: word
    integer :: i, last
    last = command_argument_count()
    allocate (words(0:last), argv(0:last + 1))
    do i = 0, last
      call get_command_argument(i, word)
      words(i) = trim(word)//c_null_char
      argv(i) = c_loc(words(i))
    end do
    argv(last + 1) = c_null_ptr
    call c_start(int(last + 1, c_int), argv, variants//c_null_char)
  end subroutine

  logical function is_variant(name)
    character(*), intent(in) :: name
    interface
      logical(c_bool) function c_is_variant(name) bind(c, name='workload_is_variant')
        import
        character(kind=c_char), intent(in) :: name(*)
      end function
    end interface
    is_variant = c_is_variant(name//c_null_char)
  end function

  ! Name of a file below --dir.
  function in_dir(name) result(path)
    character(*), intent(in) :: name
    character(:), allocatable :: path
    interface
      subroutine c_dir(dir, room) bind(c, name='workload_dir')
        import
        character(kind=c_char), intent(out) :: dir(*)
        integer(c_int), value :: room
      end subroutine
    end interface
    character(kind=c_char, len=4096) :: dir
    call c_dir(dir, len(dir, c_int))
    path = dir(:index(dir, c_null_char) - 1)//'/'//name
  end function

  ! Size in bytes of a file below --dir, asked in a way no capture sees.
  integer(c_int64_t) function size_of(name)
    character(*), intent(in) :: name
    interface
      integer(c_int64_t) function c_size(name) bind(c, name='workload_size')
        import
        character(kind=c_char), intent(in) :: name(*)
      end function
    end interface
    size_of = c_size(name//c_null_char)
  end function

  ! A file the run leaves behind; with `bytes`, it holds the next part of the result.
  subroutine add_file(name, bytes)
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in), optional :: bytes
    interface
      subroutine c_add_file(name) bind(c, name='workload_add_file')
        import
        character(kind=c_char), intent(in) :: name(*)
      end subroutine
      subroutine c_add_result_file(name, offset, bytes) bind(c, name='workload_add_result_file')
        import
        character(kind=c_char), intent(in) :: name(*)
        integer(c_int64_t), value :: offset, bytes
      end subroutine
    end interface
    if (present(bytes)) then
      call c_add_result_file(name//c_null_char, 0_c_int64_t, bytes)
    else
      call c_add_file(name//c_null_char)
    end if
  end subroutine

  subroutine expect(root_cause, text)
    character(*), intent(in) :: root_cause, text
    interface
      subroutine c_expect(root_cause, text) bind(c, name='workload_expect')
        import
        character(kind=c_char), intent(in) :: root_cause(*), text(*)
      end subroutine
    end interface
    call c_expect(root_cause//c_null_char, text//c_null_char)
  end subroutine

  subroutine write_answer(workload)
    character(*), intent(in) :: workload
    interface
      subroutine c_write_answer(workload) bind(c, name='workload_write_answer')
        import
        character(kind=c_char), intent(in) :: workload(*)
      end subroutine
    end interface
    call c_write_answer(workload//c_null_char)
  end subroutine

end module answer
