! Two-stream instability on a 1-d grid (electrostatic, cold fluid closure);
! E and n go to one HDF5 file, one row per output.
program picfields
  use mpi
  use hdf5
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: ng = 16384, nout = 90, nsub = 2
  integer :: ierr, me, np, nl, io, is, left, right
  integer :: status(MPI_STATUS_SIZE)
  integer(hid_t) :: fapl, fid, xfer, fsp, msp, de, dn
  integer(hsize_t) :: dims(2), cnt(2)
  integer(hsize_t) :: off(2)
  real(dp), allocatable :: e(:), n(:), u(:), w(:)
  real(dp) :: en, gen

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  nl = ng/np
  left = modulo(me - 1, np)
  right = modulo(me + 1, np)
  allocate(e(0:nl+1), n(0:nl+1), u(0:nl+1), w(nl))
  do is = 1, nl
    n(is) = 1 + 1.0e-3_dp*cos(6.283185307179586_dp*4*(is + me*nl)/ng)
  end do
  e = 0
  u = 0.2_dp

  call h5open_f(ierr)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, ierr)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, ierr)
  call h5fcreate_f('fields.h5', H5F_ACC_TRUNC_F, fid, ierr, access_prp=fapl)
  call h5pclose_f(fapl, ierr)
  dims = [int(ng, hsize_t), int(nout, hsize_t)]
  call h5screate_simple_f(2, dims, fsp, ierr)
  call h5dcreate_f(fid, 'E', H5T_NATIVE_DOUBLE, fsp, de, ierr)
  call h5dcreate_f(fid, 'n', H5T_NATIVE_DOUBLE, fsp, dn, ierr)
  cnt = [int(nl, hsize_t), 1_hsize_t]
  call h5screate_simple_f(2, cnt, msp, ierr)
  call h5pcreate_f(H5P_DATASET_XFER_F, xfer, ierr)
  call h5pset_dxpl_mpio_f(xfer, H5FD_MPIO_COLLECTIVE_F, ierr)

  do io = 1, nout
    do is = 1, nsub
      call halo(n)
      call halo(u)
      call halo(e)
      call advance(0.004_dp)
    end do
    off = [int(me*nl, hsize_t), int(io - 1, hsize_t)]
    call h5sselect_hyperslab_f(fsp, H5S_SELECT_SET_F, off, cnt, ierr)
    w = e(1:nl)
    call h5dwrite_f(de, H5T_NATIVE_DOUBLE, w, cnt, ierr, msp, fsp, xfer)
    w = n(1:nl)
    call h5dwrite_f(dn, H5T_NATIVE_DOUBLE, w, cnt, ierr, msp, fsp, xfer)
  end do
  call h5fflush_f(fid, H5F_SCOPE_GLOBAL_F, ierr)

  en = sum(n(1:nl)**2)
  call MPI_Reduce(en, gen, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) write(*,'(a,i5,es20.10)') ' outputs, <n2> ', nout, gen/ng

  call h5pclose_f(xfer, ierr)
  call h5sclose_f(msp, ierr)
  call h5sclose_f(fsp, ierr)
  call h5dclose_f(de, ierr)
  call h5dclose_f(dn, ierr)
  call h5fclose_f(fid, ierr)
  call h5close_f(ierr)
  call MPI_Finalize(ierr)

contains

  subroutine halo(a)
    real(dp), intent(inout) :: a(0:)
    call MPI_Sendrecv(a(nl), 1, MPI_DOUBLE_PRECISION, right, 1, a(0), 1, MPI_DOUBLE_PRECISION, &
                      left, 1, MPI_COMM_WORLD, status, ierr)
    call MPI_Sendrecv(a(1), 1, MPI_DOUBLE_PRECISION, left, 2, a(nl+1), 1, MPI_DOUBLE_PRECISION, &
                      right, 2, MPI_COMM_WORLD, status, ierr)
  end subroutine halo

  subroutine advance(dt)
    real(dp), intent(in) :: dt
    real(dp) :: fn(nl), fu(nl)
    integer :: i
    do i = 1, nl
      fn(i) = n(i) - 0.5_dp*dt*(n(i+1)*u(i+1) - n(i-1)*u(i-1)) + 0.01_dp*(n(i+1) - 2*n(i) + n(i-1))
      fu(i) = u(i) - dt*(0.5_dp*u(i)*(u(i+1) - u(i-1)) + e(i)) + 0.01_dp*(u(i+1) - 2*u(i) + u(i-1))
      e(i)  = e(i) + dt*(n(i)*u(i) - 0.2_dp)
    end do
    n(1:nl) = fn
    u(1:nl) = fu
  end subroutine advance
end program picfields
