! Richards-type soil water column model on a grid of independent columns.
! Writes the moisture field once per day and a line of text per time step.
module soil
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nlev = 40, ncol = 1500
  real(dp), parameter :: dz = 0.05_dp, dt = 3600.0_dp
  real(dp) :: theta(nlev, ncol), rain(ncol)
contains

  subroutine initialise()
    integer :: k, c
    do c = 1, ncol
      do k = 1, nlev
        theta(k, c) = 0.20_dp + 0.1_dp * k / nlev + 0.02_dp * sin(0.01_dp * c)
      end do
    end do
  end subroutine initialise

  subroutine column_step(t, r)
    real(dp), intent(inout) :: t(nlev)
    real(dp), intent(in) :: r
    real(dp) :: a(nlev), b(nlev), c(nlev), d(nlev), cond, diff, w
    integer :: k
    do k = 1, nlev
      w = max(0.05_dp, min(0.45_dp, t(k))) / 0.45_dp
      cond = 1.0e-7_dp * w**7.5_dp
      diff = 2.0e-8_dp * w**4.5_dp
      a(k) = -diff * dt / dz**2
      c(k) = a(k)
      b(k) = 1.0_dp - a(k) - c(k)
      d(k) = t(k) - cond * dt / dz * 0.1_dp
    end do
    d(1) = d(1) + r * dt / dz
    b(1) = b(1) + a(1)
    b(nlev) = b(nlev) + c(nlev)
    do k = 2, nlev
      w = a(k) / b(k - 1)
      b(k) = b(k) - w * c(k - 1)
      d(k) = d(k) - w * d(k - 1)
    end do
    t(nlev) = d(nlev) / b(nlev)
    do k = nlev - 1, 1, -1
      t(k) = (d(k) - c(k) * t(k + 1)) / b(k)
    end do
  end subroutine column_step

  subroutine store_day(day)
    integer, intent(in) :: day
    integer :: lun
    character(len=24) :: name
    write(name, '(a,i3.3,a)') 'moisture_', day, '.bin'
    open(newunit=lun, file=name, status='replace', access='stream', form='unformatted')
    write(lun) nlev, ncol, theta
    close(lun)
  end subroutine store_day

end module soil

program soil_water
  use soil
  implicit none
  integer :: ndays, day, hour, c, log
  character(len=32) :: arg

  ndays = 24
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read(arg, *) ndays
  end if
  call initialise()
  open(newunit=log, file='water_balance.txt', status='replace', action='write')
  do day = 1, ndays
    do hour = 1, 24
      do c = 1, ncol
        rain(c) = max(0.0_dp, 2.0e-8_dp * sin(0.02_dp * c + 0.26_dp * hour + day))
        call column_step(theta(:, c), rain(c))
      end do
      write(log, '(2i5,2es16.8)') day, hour, sum(rain) / ncol * dt, sum(theta) * dz / ncol
      flush(log)
    end do
    call store_day(day)
  end do
  close(log)
  print '(a,i5,a,f12.8)', 'days ', ndays, '  mean storage ', sum(theta) * dz / ncol
end program soil_water
