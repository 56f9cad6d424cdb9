! Return levels of daily rain at each gauge of the network (Gumbel fit by
! moments), with a quality flag check.
module gauge_data
  implicit none
  integer, parameter :: rk = kind(1.0d0)
  type gauge
    character(len=5) :: id
    real(rk) :: lon, lat, alt
  end type
contains
  subroutine read_list(path, g)
    character(len=*), intent(in) :: path
    type(gauge), allocatable, intent(out) :: g(:)
    integer :: lun, n, i
    open(newunit=lun, file=path, status='old', action='read')
    read(lun, *) n
    allocate(g(n))
    do i = 1, n
      read(lun, '(a5,1x,f8.3,1x,f8.3,1x,f6.1)') g(i)%id, g(i)%lon, g(i)%lat, g(i)%alt
    end do
    close(lun)
  end subroutine

  ! daily series of all gauges in one pass through the network file
  subroutine all_series(lun, g, mm, n, bad)
    integer, intent(in) :: lun
    type(gauge), intent(in) :: g(:)
    real(rk), intent(out) :: mm(:,:)
    integer, intent(out) :: n(:), bad(:)
    character(len=5) :: who
    real(rk) :: v
    integer :: day, flag, ios, i
    n = 0
    bad = 0
    mm = 0
    do
      read(lun, '(i5,1x,a5,1x,f7.1,1x,i2)', iostat=ios) day, who, v, flag
      if (ios /= 0) exit
      do i = 1, size(g)
        if (g(i)%id == who) exit
      end do
      if (i > size(g)) cycle
      if (flag == 9) then
        bad(i) = bad(i) + 1
        cycle
      end if
      n(i) = n(i) + 1
      mm(n(i), i) = v
    end do
  end subroutine
end module

module extremes
  use gauge_data, only: rk
  implicit none
contains
  ! maxima of consecutive blocks
  subroutine block_maxima(mm, n, width, mx, m)
    real(rk), intent(in) :: mm(:)
    integer, intent(in) :: n, width
    real(rk), intent(out) :: mx(:)
    integer, intent(out) :: m
    integer :: i
    m = 0
    do i = 1, n - width + 1, width
      m = m + 1
      mx(m) = maxval(mm(i:i+width-1))
    end do
  end subroutine

  subroutine gumbel(mx, m, mu, beta)
    real(rk), intent(in) :: mx(:)
    integer, intent(in) :: m
    real(rk), intent(out) :: mu, beta
    real(rk) :: mean, sd
    mean = sum(mx(1:m)) / m
    sd = sqrt(sum((mx(1:m) - mean) ** 2) / (m - 1))
    beta = sd * sqrt(6.0_rk) / acos(-1.0_rk)
    mu = mean - 0.57721566_rk * beta
  end subroutine

  real(rk) function level(mu, beta, period)
    real(rk), intent(in) :: mu, beta, period
    level = mu - beta * log(-log(1.0_rk - 1.0_rk / period))
  end function
end module

program rain_gauges
  use gauge_data
  use extremes
  implicit none
  type(gauge), allocatable :: g(:)
  real(rk), allocatable :: mm(:,:), mx(:)
  real(rk) :: mu, beta, acc
  integer :: i, m, lun, out, flagged
  integer, allocatable :: n(:), bad(:)
  call read_list('gauges.lst', g)
  allocate(mm(2000, size(g)), mx(200), n(size(g)), bad(size(g)))
  open(newunit=lun, file='rain.txt', status='old', action='read')
  open(newunit=out, file='levels.txt', status='replace', action='write')
  write(out, '(a)') 'gauge    alt   days     mu   beta    r10    r50'
  call all_series(lun, g, mm, n, bad)
  acc = 0
  flagged = 0
  do i = 1, size(g)
    call block_maxima(mm(:, i), n(i), 30, mx, m)
    call gumbel(mx, m, mu, beta)
    write(out, '(a5,f7.1,i7,4f7.2)') g(i)%id, g(i)%alt, n(i), mu, beta, &
         level(mu, beta, 10.0_rk), level(mu, beta, 50.0_rk)
    acc = acc + level(mu, beta, 50.0_rk)
    flagged = flagged + bad(i)
  end do
  close(lun)
  close(out)
  print '(a,i4,a,i6,a,f14.6)', 'gauges', size(g), ' flagged', flagged, ' sum r50', acc
end program
