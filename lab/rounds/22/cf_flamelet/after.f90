! Flamelet table look-up: steady laminar flamelets tabulated over
! (mixture fraction Z, progress variable C, enthalpy defect H).  One
! direct-access record holds the 20 tabulated quantities of one node.
program flamelet
  use mpi_f08
  implicit none
  integer, parameter :: dp = kind(1.d0), nq = 20, lut = 31
  integer :: nz, nc, nh, ncell, nsweep, rank, nproc, ierr, ios
  character(len=64) :: tabfile
  real(dp), allocatable :: z(:), c(:), h(:), temp(:), src(:)
  real(dp) :: loc(3), glob(3), q(nq)
  real(dp), allocatable :: tab(:,:)
  integer :: i, isw, nl
  integer(8) :: seed
  namelist /table/ tabfile, nz, nc, nh
  namelist /solver/ ncell, nsweep

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  open(10, file='flamelet.nml', status='old', action='read', iostat=ios)
  if (ios /= 0) call quit('cannot open flamelet.nml')
  read(10, nml=table)
  read(10, nml=solver)
  close(10)

  nl = ncell / nproc
  allocate(z(nl), c(nl), h(nl), temp(nl), src(nl))
  seed = 7919_8 * (rank + 1)
  do i = 1, nl
    z(i) = rnd(); c(i) = rnd(); h(i) = rnd()
  end do
  temp = 300.d0
  call open_table()

  do isw = 1, nsweep
    do i = 1, nl
      call lookup(z(i), c(i), h(i), q)
      temp(i) = q(1) + newton_cp(q)
      src(i) = q(2) * exp(-1.2d4 / temp(i))
    end do
    call mix(z, c, h, src, nl)
  end do
  close(lut)

  loc = [sum(temp), sum(src), sum(c)]
  call MPI_Reduce(loc, glob, 3, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) then
    open(12, file='flame_summary.txt')
    write(12, '(a,3es18.9)') 'sumT sumS sumC ', glob
    close(12)
    write(*, '(a,3es18.9)') ' flamelet: ', glob
  end if
  call MPI_Finalize(ierr)
contains
  real(dp) function rnd()
    seed = mod(seed * 16807_8, 2147483647_8)
    rnd = real(seed, dp) / 2147483648.d0
  end function
  subroutine quit(msg)
    character(*), intent(in) :: msg
    write(0, *) 'flamelet: ', msg
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
  subroutine open_table()
    open(lut, file=tabfile, access='stream', form='unformatted', &
         status='old', action='read', iostat=ios)
    if (ios /= 0) call quit('cannot open table')
    allocate(tab(nq, nz*nc*nh))
    read(lut, iostat=ios) tab
    if (ios /= 0) call quit('short table')
  end subroutine
  subroutine node(iz, ic, ih, v)
    integer, intent(in) :: iz, ic, ih
    real(dp), intent(out) :: v(nq)
    v = tab(:, iz + nz*(ic - 1 + nc*(ih - 1)))
  end subroutine
  ! trilinear interpolation among the eight surrounding nodes
  subroutine lookup(zz, cc, hh, v)
    real(dp), intent(in) :: zz, cc, hh
    real(dp), intent(out) :: v(nq)
    real(dp) :: w(3), t(nq), wt
    integer :: i0(3), a, b, g
    w(1) = zz*(nz-1); w(2) = cc*(nc-1); w(3) = hh*(nh-1)
    i0 = int(w); w = w - i0; v = 0
    do g = 0, 1
      do b = 0, 1
        do a = 0, 1
          call node(i0(1)+a+1, i0(2)+b+1, i0(3)+g+1, t)
          wt = merge(w(1),1-w(1),a==1)*merge(w(2),1-w(2),b==1)*merge(w(3),1-w(3),g==1)
          v = v + wt*t
        end do
      end do
    end do
  end subroutine
  real(dp) function newton_cp(v) result(dt)
    real(dp), intent(in) :: v(nq)
    integer :: k
    dt = 0
    do k = 1, 12
      dt = dt - (v(3)*dt + v(4)*1.d-4*dt**2 - 50*v(5)) / (v(3) + 2.d-4*v(4)*dt + 1)
    end do
  end function
  subroutine mix(a, b, d, s, n)
    integer, intent(in) :: n
    real(dp), intent(inout) :: a(n), b(n), d(n)
    real(dp), intent(in) :: s(n)
    a = 0.7d0*a + 0.3d0*cshift(a, 1)
    b = min(0.999d0, 0.8d0*b + 0.2d0*cshift(b, 3) + 1.d-3*s/(1+abs(s)))
    d = 0.9d0*d + 0.1d0*cshift(d, -1)
  end subroutine
end program
