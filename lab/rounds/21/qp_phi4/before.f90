! Metropolis for phi^4 in four dimensions, one independent stream per rank.
! Each stream keeps its own restart file, replaced at every second round.
program phi4
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.d0), i8 = selected_int_kind(18)
  integer, parameter :: l = 16, nround = 12, nsweep = 3
  integer :: ierr, me, np, ir, is, lun
  integer(i8) :: seed
  real(dp), allocatable :: phi(:,:,:,:)
  real(dp) :: kappa, lambda, acc, obs(2), g(2)
  character(len=32) :: fname

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  allocate(phi(l,l,l,l))
  phi = 0.1_dp
  kappa = 0.18_dp
  lambda = 0.5_dp
  seed = 4711 + 1009*me
  write(fname,'(a,i2.2)') 'phi4.stream', me

  do ir = 1, nround
    do is = 1, nsweep
      call sweep(acc)
    end do
    if (mod(ir, 2) == 0) then
      open(newunit=lun, file=fname, form='unformatted', status='replace', action='write')
      write(lun) l, ir, seed, kappa, lambda
      write(lun) phi
      close(lun)
    end if
    obs(1) = sum(phi**2)/size(phi)
    obs(2) = acc
    call MPI_Reduce(obs, g, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
    if (me == 0) write(*,'(a,i3,2f14.8)') ' round', ir, g/np
  end do
  call MPI_Finalize(ierr)

contains

  function rnd() result(x)
    real(dp) :: x
    seed = iand(seed*1103515245_i8 + 12345_i8, 2147483647_i8)
    x = real(seed, dp)/2147483648.0_dp
  end function rnd

  subroutine sweep(a)
    real(dp), intent(out) :: a
    integer :: x, y, z, t, n, h
    real(dp) :: nb, old, new, ds
    n = 0
    do t = 1, l
      do z = 1, l
        do y = 1, l
          do x = 1, l
            nb = phi(up(x),y,z,t) + phi(dn(x),y,z,t) + phi(x,up(y),z,t) + phi(x,dn(y),z,t) &
               + phi(x,y,up(z),t) + phi(x,y,dn(z),t) + phi(x,y,z,up(t)) + phi(x,y,z,dn(t))
            do h = 1, 14
              old = phi(x,y,z,t)
              new = old + 1.4_dp*(rnd() - 0.5_dp)
              ds = -2*kappa*nb*(new - old) + new**2 - old**2 &
                 + lambda*((new**2 - 1)**2 - (old**2 - 1)**2)
              if (rnd() < exp(-ds)) then
                phi(x,y,z,t) = new
                n = n + 1
              end if
            end do
          end do
        end do
      end do
    end do
    a = real(n, dp)/(14*size(phi))
  end subroutine sweep

  pure integer function up(i)
    integer, intent(in) :: i
    up = modulo(i, l) + 1
  end function up

  pure integer function dn(i)
    integer, intent(in) :: i
    dn = modulo(i - 2, l) + 1
  end function dn
end program phi4
