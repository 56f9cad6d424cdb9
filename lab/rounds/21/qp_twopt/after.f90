! Two-point functions of pseudoscalar and vector mesons. Sources are shared
! out among the ranks; the correlators of a configuration go to one table.
program twopt
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: lt = 96, nsrc = 64, ncfg = 100
  integer :: ierr, me, np, icfg, is, t, lun
  real(dp), allocatable :: cpi(:,:), crho(:,:)
  real(dp) :: s(2), g(2)
  character(len=32) :: fname

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  allocate(cpi(lt, nsrc), crho(lt, nsrc))

  write(fname,'(a,i0,a)') 'corr.', me, '.dat'
  open(newunit=lun, file=fname, status='replace', action='write')
  write(lun,'(a6,a6,a6,2a26)') '#  cfg', 'src', 't', 'pion', 'rho'

  s = 0
  do icfg = 1, ncfg
    call correlators(icfg)
    s(1) = s(1) + sum(cpi)
    s(2) = s(2) + sum(crho)
    do is = 1, nsrc
      do t = 1, lt
        write(lun,'(3i6,2es26.16)') icfg, is + me*nsrc, t - 1, cpi(t,is), crho(t,is)
      end do
    end do
  end do
  close(lun)

  call MPI_Reduce(s, g, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) write(*,'(a,2es22.12)') ' sums ', g
  call MPI_Finalize(ierr)

contains

  subroutine correlators(ic)
    integer, intent(in) :: ic
    integer :: k, it
    real(dp) :: m, mv, a
    do k = 1, nsrc
      m = 0.15_dp + 0.001_dp*sin(1.7_dp*k + ic + 3*me)
      mv = 0.38_dp + 0.004_dp*cos(0.9_dp*k - ic + 2*me)
      a = 1 + 0.1_dp*sin(real(k*ic, dp))
      do it = 1, lt
        cpi(it,k)  = a*cosh(m*(it - 1 - lt/2))*exp(-m*lt/2)
        crho(it,k) = a*cosh(mv*(it - 1 - lt/2))*exp(-mv*lt/2)
      end do
    end do
  end subroutine correlators
end program twopt
