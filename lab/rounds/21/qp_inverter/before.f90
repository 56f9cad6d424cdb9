! Quark propagators for a set of masses: conjugate gradient for (-D^2 + m^2)
! on a small periodic lattice, one source file per mass; solutions go to one
! file, mass after mass.
program inverter
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: l = 24, vol = l**3, nmass = 16, nsrc = 24
  integer :: ierr, me, np, im, is, it, fh, lun, first, last, per
  integer :: status(MPI_STATUS_SIZE)
  integer(kind=MPI_OFFSET_KIND) :: off
  real(dp) :: mass(nmass), b(l,l,l,nsrc), x(l,l,l,nsrc), s(2), g(2)
  character(len=32) :: fname

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)

  ! chiral to heavy
  do im = 1, nmass
    mass(im) = 0.02_dp*1.75_dp**(im - 1)
  end do

  call MPI_File_open(MPI_COMM_WORLD, 'prop.bin', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                     MPI_INFO_NULL, fh, ierr)
  per = nmass/np
  first = me*per + 1
  last = first + per - 1

  s = 0
  do im = first, last
    write(fname,'(a,i2.2)') 'source.', im
    open(newunit=lun, file=fname, form='unformatted', access='stream', status='old', action='read')
    read(lun) b
    close(lun)
    do is = 1, nsrc
      call cg(mass(im), b(:,:,:,is), x(:,:,:,is), it)
      s(1) = s(1) + it
    end do
    off = int(im - 1, MPI_OFFSET_KIND)*vol*nsrc*8
    call MPI_File_write_at(fh, off, x, vol*nsrc, MPI_DOUBLE_PRECISION, status, ierr)
    s(2) = s(2) + sum(x*b)*mass(im)
  end do

  call MPI_Reduce(s, g, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) write(*,'(a,i7,a,es14.6)') ' iterations ', nint(g(1)), '  trace ', g(2)
  call MPI_File_close(fh, ierr)
  call MPI_Finalize(ierr)

contains

  subroutine apply(m, p, q)
    real(dp), intent(in) :: m, p(l,l,l)
    real(dp), intent(out) :: q(l,l,l)
    integer :: i, j, k, jm, jp, km, kp
    do k = 1, l
      km = modulo(k-2, l) + 1
      kp = modulo(k, l) + 1
      do j = 1, l
        jm = modulo(j-2, l) + 1
        jp = modulo(j, l) + 1
        do i = 2, l - 1
          q(i,j,k) = (6 + m*m)*p(i,j,k) - p(i-1,j,k) - p(i+1,j,k) - p(i,jm,k) - p(i,jp,k) &
                   - p(i,j,km) - p(i,j,kp)
        end do
        q(1,j,k) = (6 + m*m)*p(1,j,k) - p(l,j,k) - p(2,j,k) - p(1,jm,k) - p(1,jp,k) &
                 - p(1,j,km) - p(1,j,kp)
        q(l,j,k) = (6 + m*m)*p(l,j,k) - p(l-1,j,k) - p(1,j,k) - p(l,jm,k) - p(l,jp,k) &
                 - p(l,j,km) - p(l,j,kp)
      end do
    end do
  end subroutine apply

  subroutine cg(m, rhs, sol, niter)
    real(dp), intent(in) :: m, rhs(l,l,l)
    real(dp), intent(out) :: sol(l,l,l)
    integer, intent(out) :: niter
    real(dp) :: r(l,l,l), p(l,l,l), q(l,l,l), rr, rn, a, bb
    sol = 0
    r = rhs
    p = r
    rr = sum(r*r)
    bb = rr
    do niter = 1, 4000
      call apply(m, p, q)
      a = rr/sum(p*q)
      sol = sol + a*p
      r = r - a*q
      rn = sum(r*r)
      if (rn < 1.0e-28_dp*bb) exit
      p = r + (rn/rr)*p
      rr = rn
    end do
  end subroutine cg
end program inverter
