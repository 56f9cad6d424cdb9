!> blockio for Fortran 2008: include/blockio.h documents each function.
!> SPDX-FileCopyrightText: 2026 The diya developers
!> SPDX-License-Identifier: Apache-2.0
!>
!> Indexes begin at 1 here, arrays are in Fortran order unless told, and buffers are given by
!> c_loc, so that any type and rank fits. A communicator is the integer of `mpi`, or
!> comm%mpi_val of `mpi_f08`.
!>
!>   type(blockio_array) :: array = blockio_array(dims=2, shape=[200_int64, 100_int64, ...])
!>   call blockio_open(file, "field.raw", BLOCKIO_READ, status, error, comm=MPI_COMM_WORLD)
!>   call blockio_plan_block(file, array, start, counts, plan, status, error)
!>   call blockio_read(file, plan, c_loc(values), status, error)
module blockio
   use, intrinsic :: iso_c_binding
   use, intrinsic :: iso_fortran_env, only: int64
   implicit none
   private

   integer, parameter, public :: BLOCKIO_MAX_DIMS = 8
   integer(c_int), parameter, public :: BLOCKIO_OK = 0, BLOCKIO_BAD_ARGUMENT = 1, BLOCKIO_BAD_SHAPE = 2, &
      BLOCKIO_OVERFLOW = 3, BLOCKIO_OUT_OF_BOUNDS = 4, BLOCKIO_OVERLAP = 5, BLOCKIO_SHORT_FILE = 6, &
      BLOCKIO_BYTE_ORDER = 7, BLOCKIO_WRONG_MODE = 8, BLOCKIO_NO_MEMORY = 9, BLOCKIO_SYSTEM = 10, &
      BLOCKIO_MPI = 11, BLOCKIO_RANKS_DIFFER = 12
   integer(c_int), parameter, public :: BLOCKIO_FLOAT64 = 0, BLOCKIO_FLOAT32 = 1, BLOCKIO_INT8 = 2, &
      BLOCKIO_INT16 = 3, BLOCKIO_INT32 = 4, BLOCKIO_INT64 = 5, BLOCKIO_COMPLEX64 = 6, BLOCKIO_COMPLEX128 = 7, &
      BLOCKIO_OPAQUE = 8
   integer(c_int), parameter, public :: BLOCKIO_C_ORDER = 0, BLOCKIO_FORTRAN_ORDER = 1
   integer(c_int), parameter, public :: BLOCKIO_NATIVE = 0, BLOCKIO_LITTLE = 1, BLOCKIO_BIG = 2
   integer(c_int), parameter, public :: BLOCKIO_AUTO = 0, BLOCKIO_INDEPENDENT = 1, BLOCKIO_SERIALIZED = 2, &
      BLOCKIO_GROUPED = 3, BLOCKIO_COLLECTIVE = 4
   integer(c_int), parameter, public :: BLOCKIO_READ_ONLY = 0, BLOCKIO_READ_WRITE = 1, BLOCKIO_CREATE = 2
   integer(c_int), parameter, public :: BLOCKIO_READING = 0, BLOCKIO_WRITING = 1

   !> An array in a file; as in C, but in Fortran order unless told.
   type, bind(c), public :: blockio_array
      integer(c_int) :: dims = 0
      integer(c_int64_t) :: shape(BLOCKIO_MAX_DIMS) = 0
      integer(c_int) :: element_type = BLOCKIO_FLOAT64
      integer(c_size_t) :: element_bytes = 0
      integer(c_int) :: order = BLOCKIO_FORTRAN_ORDER
      integer(c_int) :: byte_order = BLOCKIO_NATIVE
      integer(c_int64_t) :: offset_bytes = 0
   end type

   !> A block with all that C has; start begins at 0 here, as in C.
   type, bind(c), public :: blockio_block
      integer(c_int64_t) :: start(BLOCKIO_MAX_DIMS) = 0
      integer(c_int64_t) :: counts(BLOCKIO_MAX_DIMS) = 0
      integer(c_int64_t) :: stride(BLOCKIO_MAX_DIMS) = 0
      integer(c_int64_t) :: piece(BLOCKIO_MAX_DIMS) = 0
      integer(c_int64_t) :: halo_low(BLOCKIO_MAX_DIMS) = 0
      integer(c_int64_t) :: halo_high(BLOCKIO_MAX_DIMS) = 0
      logical(c_bool) :: periodic(BLOCKIO_MAX_DIMS) = .false._c_bool
      logical(c_bool) :: other_order = .false._c_bool
   end type

   type, bind(c), public :: blockio_options
      integer(c_int) :: method = BLOCKIO_AUTO
      integer(c_int) :: aggregators = 0
      integer(c_int64_t) :: buffer_bytes = 0
      integer(c_int64_t) :: stripe_bytes = 0
      integer(c_int) :: stripes = 0
      integer(c_int64_t) :: request_ns = 0
   end type

   type, bind(c) :: c_error
      integer(c_int) :: status = BLOCKIO_OK
      character(kind=c_char) :: text(256) = c_null_char
   end type

   !> An open file, and a plan: opaque.
   type, public :: blockio_file
      private
      type(c_ptr) :: handle = c_null_ptr
   end type
   type, public :: blockio_plan
      private
      type(c_ptr) :: handle = c_null_ptr
   end type

   interface
      integer(c_int) function c_open(path, mode, options, file, error) bind(c, name="blockio_open")
         import
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int), value :: mode
         type(blockio_options), intent(in) :: options
         type(c_ptr), intent(out) :: file
         type(c_error), intent(out) :: error
      end function
      integer(c_int) function c_open_comm(comm, path, mode, options, file, error) bind(c, name="blockio_open_fortran")
         import
         integer(c_int), value :: comm, mode
         character(kind=c_char), intent(in) :: path(*)
         type(blockio_options), intent(in) :: options
         type(c_ptr), intent(out) :: file
         type(c_error), intent(out) :: error
      end function
      integer(c_int) function c_close(file, error) bind(c, name="blockio_close")
         import
         type(c_ptr), intent(inout) :: file
         type(c_error), intent(out) :: error
      end function
      integer(c_int) function c_plan_blocks(file, array, blocks, block_count, plan, error) &
         bind(c, name="blockio_plan_blocks")
         import
         type(c_ptr), value :: file
         type(blockio_array), intent(in) :: array
         type(blockio_block), intent(in) :: blocks(*)
         integer(c_size_t), value :: block_count
         type(c_ptr), intent(out) :: plan
         type(c_error), intent(out) :: error
      end function
      subroutine c_plan_free(plan) bind(c, name="blockio_plan_free")
         import
         type(c_ptr), intent(inout) :: plan
      end subroutine
      integer(c_int64_t) function c_plan_bytes(plan) bind(c, name="blockio_plan_bytes")
         import
         type(c_ptr), value :: plan
      end function
      function c_note(plan, direction) bind(c, name="blockio_note") result(text)
         import
         type(c_ptr), value :: plan
         integer(c_int), value :: direction
         type(c_ptr) :: text
      end function
      integer(c_int) function c_read(file, plan, values, error) bind(c, name="blockio_read")
         import
         type(c_ptr), value :: file, plan, values
         type(c_error), intent(out) :: error
      end function
      integer(c_int) function c_write(file, plan, values, error) bind(c, name="blockio_write")
         import
         type(c_ptr), value :: file, plan, values
         type(c_error), intent(out) :: error
      end function
   end interface

   public :: blockio_open, blockio_close, blockio_plan_block, blockio_plan_blocks, blockio_plan_free, &
      blockio_plan_bytes, blockio_note, blockio_read, blockio_write

contains

   !> Opens a file, for all ranks of comm where that is given.
   subroutine blockio_open(file, path, mode, status, error, comm, options)
      type(blockio_file), intent(out) :: file
      character(len=*), intent(in) :: path
      integer(c_int), intent(in) :: mode
      integer, intent(out) :: status
      character(len=*), intent(inout), optional :: error
      integer, intent(in), optional :: comm
      type(blockio_options), intent(in), optional :: options
      type(blockio_options) :: given
      type(c_error) :: why
      if (present(options)) given = options
      if (present(comm)) then
         status = c_open_comm(int(comm, c_int), trim(path)//c_null_char, mode, given, file%handle, why)
      else
         status = c_open(trim(path)//c_null_char, mode, given, file%handle, why)
      end if
      call give_text(why, error)
   end subroutine

   subroutine blockio_close(file, status, error)
      type(blockio_file), intent(inout) :: file
      integer, intent(out) :: status
      character(len=*), intent(inout), optional :: error
      type(c_error) :: why
      status = c_close(file%handle, why)
      call give_text(why, error)
   end subroutine

   !> Plans one dense block: start begins at 1; one number for each index.
   subroutine blockio_plan_block(file, array, start, counts, plan, status, error)
      type(blockio_file), intent(in) :: file
      type(blockio_array), intent(in) :: array
      integer(int64), intent(in) :: start(:), counts(:)
      type(blockio_plan), intent(out) :: plan
      integer, intent(out) :: status
      character(len=*), intent(inout), optional :: error
      type(blockio_block) :: blocks(1)
      integer :: used
      used = min(size(start), size(counts), BLOCKIO_MAX_DIMS)
      blocks(1)%start(:used) = start(:used) - 1
      blocks(1)%counts(:used) = counts(:used)
      call blockio_plan_blocks(file, array, blocks, plan, status, error)
   end subroutine

   subroutine blockio_plan_blocks(file, array, blocks, plan, status, error)
      type(blockio_file), intent(in) :: file
      type(blockio_array), intent(in) :: array
      type(blockio_block), intent(in) :: blocks(:)
      type(blockio_plan), intent(out) :: plan
      integer, intent(out) :: status
      character(len=*), intent(inout), optional :: error
      type(c_error) :: why
      status = c_plan_blocks(file%handle, array, blocks, size(blocks, kind=c_size_t), plan%handle, why)
      call give_text(why, error)
   end subroutine

   subroutine blockio_plan_free(plan)
      type(blockio_plan), intent(inout) :: plan
      call c_plan_free(plan%handle)
   end subroutine

   integer(int64) function blockio_plan_bytes(plan)
      type(blockio_plan), intent(in) :: plan
      blockio_plan_bytes = c_plan_bytes(plan%handle)
   end function

   !> Why the plan uses its method; cut where text is shorter.
   subroutine blockio_note(plan, direction, text)
      type(blockio_plan), intent(in) :: plan
      integer(c_int), intent(in) :: direction
      character(len=*), intent(out) :: text
      character(kind=c_char), pointer :: letters(:)
      call c_f_pointer(c_note(plan%handle, direction), letters, [512])
      call take_text(letters, text)
   end subroutine

   !> values: c_loc of a contiguous array with blockio_plan_bytes(plan) bytes.
   subroutine blockio_read(file, plan, values, status, error)
      type(blockio_file), intent(in) :: file
      type(blockio_plan), intent(in) :: plan
      type(c_ptr), intent(in) :: values
      integer, intent(out) :: status
      character(len=*), intent(inout), optional :: error
      type(c_error) :: why
      status = c_read(file%handle, plan%handle, values, why)
      call give_text(why, error)
   end subroutine

   subroutine blockio_write(file, plan, values, status, error)
      type(blockio_file), intent(in) :: file
      type(blockio_plan), intent(in) :: plan
      type(c_ptr), intent(in) :: values
      integer, intent(out) :: status
      character(len=*), intent(inout), optional :: error
      type(c_error) :: why
      status = c_write(file%handle, plan%handle, values, why)
      call give_text(why, error)
   end subroutine

   subroutine give_text(why, error)
      type(c_error), intent(in) :: why
      character(len=*), intent(inout), optional :: error
      if (present(error)) call take_text(why%text, error)
   end subroutine

   subroutine take_text(letters, text)
      character(kind=c_char), intent(in) :: letters(:)
      character(len=*), intent(out) :: text
      integer :: i
      text = ""
      do i = 1, min(size(letters), len(text))
         if (letters(i) == c_null_char) exit
         text(i:i) = letters(i)
      end do
   end subroutine
end module
