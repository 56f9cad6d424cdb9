! Heat conduction through a snow pack with layers, driven by an hourly weather table.
module snowpack
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: layers = 400
  real(dp) :: temperature(layers), density(layers), conductivity(layers)
contains

  subroutine start()
    integer :: i
    do i = 1, layers
      temperature(i) = -8.0d0 + 6.0d0 * real(i, dp) / layers
      density(i) = 120.0d0 + 280.0d0 * real(i, dp) / layers
    end do
  end subroutine start

  subroutine settle()
    integer :: i
    do i = 1, layers
      density(i) = density(i) + 1.0d-4 * (450.0d0 - density(i)) * exp(0.08d0 * temperature(i))
      conductivity(i) = 2.2d0 * (density(i) / 917.0d0)**1.88d0
    end do
  end subroutine settle

  subroutine conduct(surface, substeps)
    real(dp), intent(in) :: surface
    integer, intent(in) :: substeps
    real(dp) :: next(layers), up, down
    integer :: i, k
    do k = 1, substeps
      temperature(1) = surface
      next = temperature
      do i = 2, layers - 1
        up = 0.5d0 * (conductivity(i - 1) + conductivity(i))
        down = 0.5d0 * (conductivity(i) + conductivity(i + 1))
        next(i) = temperature(i) + 90.0d0 / (density(i) * 2.1d0) * 0.5d0 &
                  * (up * (temperature(i - 1) - temperature(i)) + down * (temperature(i + 1) - temperature(i)))
      end do
      temperature = next
    end do
  end subroutine conduct
end module snowpack

program snow_layers
  use snowpack
  implicit none
  integer :: hours, hour, weather, profile, station, stat
  real(dp) :: air, wind, surface
  character(len=32) :: word

  hours = 1500
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) hours
  end if
  call make_weather()
  call start()
  open (newunit=weather, file='weather.txt', status='old', action='read')
  open (newunit=profile, file='profile.txt', status='replace', action='write')
  open (newunit=station, file='station.txt', status='replace', action='write')
  do hour = 1, hours
    read (weather, *, iostat=stat) air, wind
    if (stat /= 0) exit
    surface = min(0.0d0, air - 0.3d0 * wind)
    call settle()
    call conduct(surface, 2700)
    write (station, '(i8,3f10.4)') hour, air, surface, temperature(layers / 2)
    flush (station)
    if (mod(hour, 100) == 0) write (profile, '(20f9.4)') temperature(::20)
  end do
  close (weather)
  close (profile)
  close (station)
  print '(a,i0,a,f9.4)', 'hours ', hours, ', middle of the pack ', temperature(layers / 2)

contains

  subroutine make_weather()
    integer :: table, h
    open (newunit=table, file='weather.txt', status='replace', action='write')
    do h = 1, hours
      write (table, '(2f10.4)') -5.0d0 + 4.0d0 * sin(0.2618d0 * h), 3.0d0 + 2.0d0 * cos(0.11d0 * h)
    end do
    close (table)
  end subroutine make_weather
end program snow_layers
