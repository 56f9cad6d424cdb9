! Vertical electron content above the receivers of a geodetic network, taken from maps of
! the ionosphere, with the rate of change and its index (ROTI) for each receiver.
!
! The maps hold 4-byte reals, longitude running fastest, one map an epoch of five minutes.
!
! usage: tecseries receivers.txt tec.maps
module ionosphere
  use, intrinsic :: iso_fortran_env, only: real32, real64, int64
  implicit none
  integer :: nlon, nlat, epochs, receivers

  type :: receiver
    character(len=8) :: name
    real(real64) :: x, y          ! position in units of the grid
    real(real64) :: bias          ! of the hardware, in TEC units
  end type receiver

contains

  subroutine read_network(name, net)
    character(len=*), intent(in) :: name
    type(receiver), allocatable, intent(out) :: net(:)
    integer :: unit, r
    open(newunit=unit, file=name, status='old', action='read')
    read(unit, *) nlon, nlat, epochs, receivers
    allocate(net(receivers))
    do r = 1, receivers
      read(unit, *) net(r)%name, net(r)%x, net(r)%y, net(r)%bias
    end do
    close(unit)
  end subroutine read_network

  ! Where a node of the grid stands in the file of the maps.
  pure function place(epoch, i, j) result(at)
    integer, intent(in) :: epoch, i, j
    integer(int64) :: at
    at = 1 + 4_int64 * (int(epoch - 1, int64) * nlon * nlat + int(j - 1, int64) * nlon + (i - 1))
  end function place

  ! Bilinear between the four nodes about the receiver.
  pure function between(below, above, fx, fy) result(tec)
    real(real32), intent(in) :: below(2), above(2)
    real(real64), intent(in) :: fx, fy
    real(real64) :: tec
    tec = (1 - fy) * ((1 - fx) * below(1) + fx * below(2)) + &
          fy * ((1 - fx) * above(1) + fx * above(2))
  end function between

  ! Series of all epochs for all receivers.
  subroutine extract(unit, net, tec)
    integer, intent(in) :: unit
    type(receiver), intent(in) :: net(:)
    real(real64), intent(out) :: tec(:, :)
    real(real32) :: below(2), above(2)
    integer :: r, e, i, j
    do r = 1, receivers
      i = int(net(r)%x) + 1
      j = int(net(r)%y) + 1
      do e = 1, epochs
        read(unit, pos=place(e, i, j)) below
        read(unit, pos=place(e, i, j + 1)) above
        tec(e, r) = between(below, above, net(r)%x - (i - 1), net(r)%y - (j - 1)) - net(r)%bias
      end do
    end do
  end subroutine extract

  ! Standard deviation of the rate over half an hour, the largest of the series.
  pure function roti(series) result(largest)
    real(real64), intent(in) :: series(:)
    real(real64) :: largest, rate(6), mean
    integer :: e, k
    largest = 0
    do e = 1, size(series) - 6
      do k = 1, 6
        rate(k) = (series(e + k) - series(e + k - 1)) / 5
      end do
      mean = sum(rate) / 6
      largest = max(largest, sqrt(sum((rate - mean)**2) / 6))
    end do
  end function roti

end module ionosphere

program tecseries
  use ionosphere
  implicit none
  type(receiver), allocatable :: net(:)
  real(real64), allocatable :: tec(:, :)
  character(len=256) :: network, maps
  integer :: unit, out, r

  network = 'receivers.txt'
  maps = 'tec.maps'
  if (command_argument_count() > 0) call get_command_argument(1, network)
  if (command_argument_count() > 1) call get_command_argument(2, maps)

  call read_network(trim(network), net)
  allocate(tec(epochs, receivers))
  open(newunit=unit, file=trim(maps), access='stream', form='unformatted', &
       status='old', action='read')
  call extract(unit, net, tec)
  close(unit)

  open(newunit=out, file='series.txt', action='write')
  do r = 1, receivers
    write(out, '(a8,4f10.4)') net(r)%name, sum(tec(:, r)) / epochs, minval(tec(:, r)), &
      maxval(tec(:, r)), roti(tec(:, r))
  end do
  close(out)
  print '(a,f10.5)', 'mean content of the network ', sum(tec) / size(tec)
end program tecseries
