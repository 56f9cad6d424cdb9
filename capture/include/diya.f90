! Regions, steps, epochs and notes of a Fortran program; diya.h says what each does.
! SPDX-FileCopyrightText: 2026 The diya developers
! SPDX-License-Identifier: Apache-2.0
!
!     use diya
!     call diya_step(n)
!     call diya_region_begin("checkpoint")
!     ...
!     call diya_region_end()
!
! Compile this file with the program. Under `diya run` the functions of the recorder are
! found once; otherwise each subroutine compares two values. Before glibc 2.34, link -ldl.
module diya
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_procpointer, c_funptr, &
                                         c_int64_t, c_null_char, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none
  private
  public :: diya_region_begin, diya_region_end, diya_step, diya_epoch, diya_note

  interface diya_step
    module procedure step_32, step_64
  end interface

  interface diya_epoch
    module procedure epoch_32, epoch_64
  end interface

  abstract interface
    subroutine takes_text(text) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: text(*)
    end subroutine
    subroutine takes_nothing() bind(c)
    end subroutine
    subroutine takes_number(number) bind(c)
      import :: c_int64_t
      integer(c_int64_t), value :: number
    end subroutine
  end interface

  interface
    ! A null handle is RTLD_DEFAULT of glibc: everything that is loaded.
    function c_dlsym(handle, name) bind(c, name="dlsym")
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: c_dlsym
    end function
  end interface

  logical :: is_looked_up = .false.
  procedure(takes_text), pointer :: region_begin => null(), note => null()
  procedure(takes_nothing), pointer :: region_end => null()
  procedure(takes_number), pointer :: step => null(), epoch => null()

contains

  ! Threads that come here together find the same addresses.
  subroutine look_up()
    type(c_funptr) :: found(5)
    found(1) = c_dlsym(c_null_ptr, "diya_annotate_region_begin" // c_null_char)
    found(2) = c_dlsym(c_null_ptr, "diya_annotate_region_end" // c_null_char)
    found(3) = c_dlsym(c_null_ptr, "diya_annotate_step" // c_null_char)
    found(4) = c_dlsym(c_null_ptr, "diya_annotate_epoch" // c_null_char)
    found(5) = c_dlsym(c_null_ptr, "diya_annotate_note" // c_null_char)
    if (c_associated(found(1))) call c_f_procpointer(found(1), region_begin)
    if (c_associated(found(2))) call c_f_procpointer(found(2), region_end)
    if (c_associated(found(3))) call c_f_procpointer(found(3), step)
    if (c_associated(found(4))) call c_f_procpointer(found(4), epoch)
    if (c_associated(found(5))) call c_f_procpointer(found(5), note)
    is_looked_up = .true.
  end subroutine

  !> A region of this thread begins; blanks at the end of the name are left out.
  subroutine diya_region_begin(name)
    character(*), intent(in) :: name
    if (.not. is_looked_up) call look_up()
    if (associated(region_begin)) call region_begin(trim(name) // c_null_char)
  end subroutine

  !> The innermost region of this thread ends.
  subroutine diya_region_end()
    if (.not. is_looked_up) call look_up()
    if (associated(region_end)) call region_end()
  end subroutine

  !> A moment.
  subroutine diya_note(text)
    character(*), intent(in) :: text
    if (.not. is_looked_up) call look_up()
    if (associated(note)) call note(trim(text) // c_null_char)
  end subroutine

  ! Step `number` begins, and the one before ends; -1: it only ends.
  subroutine step_64(number)
    integer(int64), intent(in) :: number
    if (.not. is_looked_up) call look_up()
    if (associated(step)) call step(int(number, c_int64_t))
  end subroutine

  subroutine step_32(number)
    integer(int32), intent(in) :: number
    call step_64(int(number, int64))
  end subroutine

  ! As steps.
  subroutine epoch_64(number)
    integer(int64), intent(in) :: number
    if (.not. is_looked_up) call look_up()
    if (associated(epoch)) call epoch(int(number, c_int64_t))
  end subroutine

  subroutine epoch_32(number)
    integer(int32), intent(in) :: number
    call epoch_64(int(number, int64))
  end subroutine

end module
