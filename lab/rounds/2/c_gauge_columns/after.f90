! Merges the readings of river gauges.  The loggers send lines of numbers
! with a different count of columns, missing values are marked by "-".
module gauge_lines
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: maxcol = 12
contains
  subroutine logger_line(k, line)
    integer, intent(in) :: k
    character(*), intent(out) :: line
    integer :: j, n
    character(16) :: w
    n = 4 + mod(k*13, 8)
    line = ''
    do j = 1, n
      if (mod(k*7 + j*3, 17) == 0) then
        w = '-'
      else
        write(w, '(f8.3)') 1.5d0 + 0.5d0*sin(0.01d0*k + j) + 0.001d0*mod(k, 100)
      end if
      line = trim(line)//' '//trim(adjustl(w))
    end do
  end subroutine

  subroutine split_columns(line, val, n)
    character(*), intent(in) :: line
    real(dp), intent(out) :: val(maxcol)
    integer, intent(out) :: n
    integer :: i, first, last
    last = len_trim(line)
    first = 0
    n = 0
    do i = 1, last + 1
      if (i > last) then
        if (first > 0) call take(line(first:i - 1))
      else if (line(i:i) == ' ') then
        if (first > 0) call take(line(first:i - 1))
        first = 0
      else if (first == 0) then
        first = i
      end if
    end do
  contains
    subroutine take(word)
      character(*), intent(in) :: word
      n = n + 1
      if (trim(word) == '-') then
        val(n) = -999.0_dp
      else
        read(word, *) val(n)
      end if
    end subroutine
  end subroutine
end module

program gauge_columns
  use gauge_lines
  implicit none
  integer :: nline, k, n, j, good, missing
  real(dp) :: val(maxcol), total, level(maxcol)
  character(200) :: line
  character(32) :: arg

  nline = 2000
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read(arg, *) nline
  end if
  good = 0
  missing = 0
  total = 0.0_dp
  level = 0.0_dp
  do k = 1, nline
    call logger_line(k, line)
    call split_columns(line, val, n)
    do j = 1, n
      if (val(j) > -900.0_dp) then
        good = good + 1
        total = total + val(j)
        level(j) = max(level(j), val(j))
      else
        missing = missing + 1
      end if
    end do
  end do
  print '(a,i0,a,i0,a,f10.6,a,f8.3)', 'values ', good, ' missing ', missing, &
        ' mean ', total/good, ' top ', maxval(level)
end program
