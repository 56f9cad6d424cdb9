! Water levels of a cascade of reservoirs over a season, routed by the hour.
module cascade
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nres = 900
  type state
    real(dp) :: storage(nres)
    real(dp) :: area(nres)
    real(dp) :: release(nres)
  end type state
contains

  subroutine start(s)
    type(state), intent(out) :: s
    integer :: i
    do i = 1, nres
      s%area(i) = 1.0d6 * (1.0d0 + 0.5d0 * sin(0.37d0 * i))
      s%storage(i) = 2.0d7 * (1.0d0 + 0.2d0 * cos(0.11d0 * i))
      s%release(i) = 0.0d0
    end do
  end subroutine start

  pure function rainfall(i, hour) result(r)
    integer, intent(in) :: i, hour
    real(dp) :: r
    r = max(0.0d0, sin(0.05d0 * hour + 0.002d0 * i) - 0.3d0) * 4.0d-3
  end function rainfall

  subroutine route_hour(s, hour)
    type(state), intent(inout) :: s
    integer, intent(in) :: hour
    real(dp) :: inflow, depth
    integer :: i, minute
    do minute = 1, 6
      inflow = 0.0d0
      do i = 1, nres
        depth = s%storage(i) / s%area(i)
        s%release(i) = 0.4d0 * depth * sqrt(max(depth, 0.0d0))
        s%storage(i) = s%storage(i) + 600.0d0 * (inflow - s%release(i)) &
                       + rainfall(i, hour) * s%area(i) / 6.0d0
        if (s%storage(i) < 0.0d0) s%storage(i) = 0.0d0
        inflow = s%release(i)
      end do
    end do
  end subroutine route_hour
end module cascade

module season_file
  use cascade, only: dp, nres
  implicit none
  integer :: unit_levels = -1
contains

  subroutine open_season(name)
    character(len=*), intent(in) :: name
    open (newunit=unit_levels, file=name, access='stream', form='unformatted', &
          status='replace', action='readwrite')
  end subroutine open_season

  subroutine save_season(levels, hour)
    real(dp), intent(in) :: levels(:, :)
    integer, intent(in) :: hour
    write (unit_levels, pos=1) hour, size(levels, 1), size(levels, 2)
    write (unit_levels, pos=13 + 8_8 * nres * (hour - 1)) levels(:, hour)
  end subroutine save_season
end module season_file

program reservoir_levels
  use cascade
  use season_file
  implicit none
  type(state) :: s
  real(dp), allocatable :: levels(:, :)
  character(len=32) :: word
  integer :: hours, hour

  hours = 1100
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) hours
  end if
  allocate (levels(nres, hours))
  levels = 0.0d0
  call start(s)
  call open_season('levels.bin')
  do hour = 1, hours
    call route_hour(s, hour)
    levels(:, hour) = s%storage / s%area
    call save_season(levels, hour)
  end do
  close (unit_levels)
  print '(a,i0,a,f10.4)', 'hours ', hours, ', mean last level ', sum(levels(:, hours)) / nres
end program reservoir_levels
