! Flow line model of a glacier; keeps the history of its profile on file so
! that a run may be looked at while it goes on.
module history
  use iso_fortran_env, only: real64, int32, int64
  implicit none
  type :: history_t
    integer :: lun = -1
    integer :: nx = 0
    integer :: kept = 0
    real(real64), allocatable :: years(:)
    real(real64), allocatable :: thickness(:, :)
  end type history_t
contains
  subroutine history_open(hist, filename, nx, capacity)
    type(history_t), intent(inout) :: hist
    character(len=*), intent(in) :: filename
    integer, intent(in) :: nx, capacity
    hist%nx = nx
    allocate (hist%years(capacity), hist%thickness(nx, capacity))
    open (newunit=hist%lun, file=filename, status='replace', action='readwrite', &
          form='unformatted', access='stream')
    write (hist%lun) int(nx, int32), 0_int32
  end subroutine history_open

  subroutine history_add(hist, year, profile)
    type(history_t), intent(inout) :: hist
    real(real64), intent(in) :: year, profile(:)
    hist%kept = hist%kept + 1
    hist%years(hist%kept) = year
    hist%thickness(:, hist%kept) = profile
    call history_save(hist)
  end subroutine history_add

  subroutine history_save(hist)
    type(history_t), intent(in) :: hist
    integer(int64) :: place
    write (hist%lun, pos=1) int(hist%nx, int32), int(hist%kept, int32)
    place = 9_int64 + 8_int64 * (hist%nx + 1) * (hist%kept - 1)
    write (hist%lun, pos=place) hist%years(hist%kept), hist%thickness(:, hist%kept)
    flush (hist%lun)
  end subroutine history_save

  subroutine history_close(hist)
    type(history_t), intent(inout) :: hist
    close (hist%lun)
    deallocate (hist%years, hist%thickness)
  end subroutine history_close
end module history

program glacier
  use history
  implicit none
  integer, parameter :: nx = 150
  real(real64), parameter :: dx = 120.0_real64, flow = 2.0e-10_real64
  real(real64) :: h(nx), bed(nx), surf(nx), flux(nx), slope, dt, volume
  type(history_t) :: hist
  integer :: year, nyear, sub, i
  character(len=16) :: arg

  nyear = 1500
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nyear
  end if
  do i = 1, nx
    bed(i) = 3200.0_real64 - 9.0_real64 * i
  end do
  h = 0
  dt = 1.0_real64 / 12.0_real64
  call history_open(hist, 'glacier_history.bin', nx, nyear)
  do year = 1, nyear
    do sub = 1, 12
      surf = bed + h
      flux = 0
      do i = 1, nx - 1
        slope = (surf(i) - surf(i + 1)) / dx
        flux(i) = flow * (0.5_real64 * (h(i) + h(i + 1)))**4 * slope
      end do
      do i = 1, nx
        h(i) = h(i) - dt * flux(i) / dx + dt * 0.006_real64 * (surf(i) - 2750.0_real64) / 10.0_real64
        if (i > 1) h(i) = h(i) + dt * flux(i - 1) / dx
        h(i) = min(max(h(i), 0.0_real64), 600.0_real64)
      end do
    end do
    call history_add(hist, real(year, real64), h)
  end do
  volume = sum(h) * dx
  print '(a,i0,a,es14.6,a,f8.2)', 'year ', nyear, ' volume per width ', volume, ' thickest ', maxval(h)
  call history_close(hist)
end program glacier
