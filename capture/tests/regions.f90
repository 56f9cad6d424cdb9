! Regions of a Fortran program:  regions_f FILE
program regions
  use diya
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  character(1024) :: file
  character(20) :: name = "padded"
  integer :: i
  call get_command_argument(1, file)
  do i = 1, 2
    call diya_step(i)
    call diya_region_begin(name)
    open (unit=10, file=trim(file), position="append")
    write (10, *) i
    close (10)
    call diya_region_end()
  end do
  call diya_step(-1_int64)
  call diya_epoch(5)
  call diya_note("done")
end program
