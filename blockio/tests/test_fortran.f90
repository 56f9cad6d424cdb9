!> The Fortran module: a block written, read again, an error with its text.
program test_fortran
   use blockio
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   type(blockio_file) :: file
   type(blockio_plan) :: plan
   type(blockio_array) :: array
   real(real64), target :: values(3, 2), read(3, 2), all(4, 5)
   character(len=256) :: path, text
   integer :: status, i

   call get_command_argument(1, path)
   array%dims = 2
   array%shape(1:2) = [4, 5]
   call blockio_open(file, path, BLOCKIO_CREATE, status, text)
   call check(status == BLOCKIO_OK, text)
   all = 0
   call blockio_plan_block(file, array, [1_int64, 1_int64], [4_int64, 5_int64], plan, status, text)
   call check(status == BLOCKIO_OK, text)
   call blockio_write(file, plan, c_loc(all), status, text)
   call check(status == BLOCKIO_OK, text)
   call blockio_plan_free(plan)
   values = reshape([(real(i, real64), i=1, 6)], [3, 2])
   call blockio_plan_block(file, array, [2_int64, 4_int64], [3_int64, 2_int64], plan, status, text)
   call check(status == BLOCKIO_OK .and. blockio_plan_bytes(plan) == 48, text)
   call blockio_write(file, plan, c_loc(values), status, text)
   call check(status == BLOCKIO_OK, text)
   call blockio_read(file, plan, c_loc(read), status, text)
   call check(status == BLOCKIO_OK .and. all_equal(read, values), "read after write")
   call blockio_note(plan, BLOCKIO_READING, text)
   call check(index(text, "independent read") == 1, text)
   call blockio_plan_free(plan)
   call blockio_plan_block(file, array, [1_int64, 1_int64], [4_int64, 5_int64], plan, status, text)
   call blockio_read(file, plan, c_loc(all), status, text)
   call check(status == BLOCKIO_OK .and. all_equal(all(2:4, 4:5), values), "the block in the array")
   call blockio_plan_free(plan)
   call blockio_plan_block(file, array, [1_int64, 1_int64], [4_int64, 6_int64], plan, status, text)
   call check(status == BLOCKIO_OUT_OF_BOUNDS .and. index(text, "ends at 6 along index 1") > 0, text)
   call blockio_close(file, status, text)
   call check(status == BLOCKIO_OK, text)
   print "(a)", "fortran: 0 wrong"

contains
   logical function all_equal(left, right)
      real(real64), intent(in) :: left(:, :), right(:, :)
      all_equal = .not. any(abs(left - right) > 0)
   end function
   subroutine check(is_right, what)
      logical, intent(in) :: is_right
      character(len=*), intent(in) :: what
      if (is_right) return
      print "(2a)", "fortran: wrong: ", trim(what)
      error stop 1
   end subroutine
end program
