! One-dimensional shock tube with a tabulated equation of state.
! Every rank owns a set of cells and needs p(rho, e) from the table.
program eostable
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: nrho = 400, ne = 400
  integer, parameter :: ncell = 60, nstep = 200
  integer :: ierr, me, np, i, n, lun, nr, nt
  real(dp), allocatable :: rho(:), e(:), p(:), tab(:,:)
  real(dp) :: r0, dr, e0, de, work, total, dt

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)

  open(newunit=lun, file='eos.tab', form='unformatted', access='sequential', &
       status='old', action='read')
  read(lun) nr, nt, r0, dr, e0, de
  if (nr /= nrho .or. nt /= ne) call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
  allocate(tab(ne, nrho))
  do i = 1, nrho
    read(lun) tab(:, i)
  end do
  close(lun)

  allocate(rho(ncell), e(ncell), p(ncell))
  do i = 1, ncell
    rho(i) = r0 + dr*(20.0_dp + 350.0_dp*real(i + me*ncell, dp)/(ncell*np))
    e(i)   = e0 + de*(30.0_dp + 300.0_dp*real(i, dp)/ncell)
  end do

  dt = 2.0e-3_dp
  work = 0
  do n = 1, nstep
    do i = 1, ncell
      p(i) = pressure(rho(i), e(i))
    end do
    do i = 2, ncell - 1
      e(i) = e(i)*(1 - dt*(p(i+1) - p(i-1))/(p(i+1) + p(i-1)))
    end do
    work = work + sum(p)
  end do

  call MPI_Reduce(work, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) write(*,'(a,es20.10)') ' integrated pressure ', total
  call MPI_Finalize(ierr)

contains

  ! bilinear interpolation; one record of the table per density
  function pressure(r, en) result(pr)
    real(dp), intent(in) :: r, en
    real(dp) :: pr, lo(ne), hi(ne), fr, fe
    integer :: ir, ie
    ir = max(1, min(nrho - 1, int((r - r0)/dr) + 1))
    ie = max(1, min(ne - 1, int((en - e0)/de) + 1))
    lo = tab(:, ir)
    hi = tab(:, ir+1)
    fr = (r - r0)/dr - (ir - 1)
    fe = (en - e0)/de - (ie - 1)
    pr = (1-fr)*((1-fe)*lo(ie) + fe*lo(ie+1)) + fr*((1-fe)*hi(ie) + fe*hi(ie+1))
  end function pressure
end program eostable
