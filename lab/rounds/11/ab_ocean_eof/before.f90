! Leading empirical orthogonal function of weekly sea-surface temperature.
! The fields stand as direct-access records in sst.dat, one week each, with
! land at -999. The temporal covariance matrix is built from a running set of
! anomalies, its leading vector is found by power iteration.
program ocean_eof
  implicit none
  integer, parameter :: npts = 360 * 180, nchunk = 5
  real(8), parameter :: land = -900.0d0
  integer :: nweek, u, w, i, j, reclen, iter
  real(4), allocatable :: rec(:), anom(:,:)
  real(8), allocatable :: cov(:,:), pc(:), tmp(:), eof(:)
  real(8) :: lambda, trace
  character(len=32) :: arg

  call get_command_argument(1, arg); read(arg, *) nweek
  allocate(rec(npts * nchunk), anom(npts, nweek), cov(nweek, nweek), pc(nweek), tmp(nweek), eof(npts))

  inquire(iolength=reclen) rec
  open(newunit=u, file='sst.dat', access='direct', form='unformatted', recl=reclen, status='old', action='read')
  do w = 1, nweek / nchunk
     read(u, rec=w) rec
     do j = 1, nchunk
        anom(:, (w-1)*nchunk + j) = rec((j-1)*npts+1 : j*npts)
     end do
  end do
  close(u)

  call remove_mean()
  call covariance()

  trace = 0.0d0
  do i = 1, nweek
     trace = trace + cov(i, i)
     pc(i) = 1.0d0 + 0.01d0 * i
  end do
  do iter = 1, 300
     tmp = matmul(cov, pc)
     lambda = sqrt(sum(tmp**2))
     pc = tmp / lambda
  end do

  call project()
  open(newunit=u, file='eof1.dat', access='stream', form='unformatted', status='replace')
  write(u) eof
  close(u)
  open(newunit=u, file='pc1.txt', status='replace')
  do i = 1, nweek
     write(u, '(i5,f12.6)') i, pc(i)
  end do
  close(u)
  print '(a,f7.3,a)', 'EOF 1 explains', 100.0d0 * lambda / trace, ' % of the variance'

contains

  ! subtract the time mean of every sea point, blank the land
  subroutine remove_mean()
    real(8), allocatable :: mean(:)
    integer :: k, t
    allocate(mean(npts))
    mean = 0.0d0
    do t = 1, nweek
       mean = mean + anom(:, t)
    end do
    mean = mean / nweek
    do t = 1, nweek
       do k = 1, npts
          if (mean(k) < land) then
             anom(k, t) = 0.0
          else
             anom(k, t) = anom(k, t) - real(mean(k), 4)
          end if
       end do
    end do
  end subroutine remove_mean

  ! area-weighted covariance between the weeks
  subroutine covariance()
    real(8) :: s, weight(npts)
    integer :: a, b, k
    do k = 1, npts
       weight(k) = cos((real((k-1) / 360, 8) - 89.5d0) * 3.14159265358979d0 / 180.0d0)
    end do
    do a = 1, nweek
       do b = 1, a
          s = 0.0d0
          do k = 1, npts
             s = s + weight(k) * anom(k, a) * anom(k, b)
          end do
          cov(a, b) = s / npts
          cov(b, a) = cov(a, b)
       end do
    end do
  end subroutine covariance

  subroutine project()
    integer :: t
    eof = 0.0d0
    do t = 1, nweek
       eof = eof + pc(t) * anom(:, t)
    end do
    eof = eof / sqrt(sum(eof**2))
  end subroutine project
end program ocean_eof
