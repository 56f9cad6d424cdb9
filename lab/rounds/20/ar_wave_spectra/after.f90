! Third-generation wave model in little: spectra on a lat/lon grid, the frequencies are
! shared among the ranks; the spectra go to one HDF5 file (freq, point, time).
module spectra
  implicit none
  integer :: nf = 24, npt = 12000, nt = 12
  real, parameter :: grav = 9.81, fp0 = 0.09
contains
  subroutine options()
    character(len=16) :: a
    if (command_argument_count() > 0) then
      call get_command_argument(1, a); read(a, *) nt
    end if
    if (command_argument_count() > 1) then
      call get_command_argument(2, a); read(a, *) npt
    end if
  end subroutine options

  subroutine jonswap(e, f, hs, fp)
    real, intent(out) :: e
    real, intent(in) :: f, hs, fp
    real :: r
    r = fp / f
    e = 0.3125 * hs**2 * r**4 / f * exp(-1.25 * r**4)
  end subroutine jonswap

  subroutine fill(e, f0, nl, it)
    real, intent(out) :: e(:,:)
    integer, intent(in) :: f0, nl, it
    integer :: i, p
    real :: f(nl), base(nl)
    do i = 1, nl
      f(i) = 0.04 * 1.1**(f0 + i - 1)
      call jonswap(base(i), f(i), 2.0 + 0.1 * it, fp0 + 0.002 * it)
    end do
    do p = 1, size(e, 2)
      e(:, p) = base * (1.0 + 0.01 * mod(p, 37))
    end do
  end subroutine fill
end module spectra

program wave_spectra
  use mpi
  use hdf5
  use spectra
  implicit none
  integer :: ierr, rank, nproc, nl, it, u
  integer(hid_t) :: fapl, dxpl, fid, dset, fspace, mspace
  integer(hsize_t) :: dims(3), off(3), cnt(3)
  real, allocatable :: e(:,:)
  real(8) :: m0, all
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  call options()
  nl = nf / nproc
  allocate(e(nl, npt))
  call h5open_f(ierr)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, ierr)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, ierr)
  call h5fcreate_f('spectra.h5', H5F_ACC_TRUNC_F, fid, ierr, access_prp=fapl)
  dims = [int(nf, hsize_t), int(npt, hsize_t), int(nt, hsize_t)]
  call h5screate_simple_f(3, dims, fspace, ierr)
  call h5dcreate_f(fid, 'efth', H5T_NATIVE_REAL, fspace, dset, ierr)
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, ierr)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, ierr)
  if (rank == 0) open(newunit=u, file='waves.log', status='replace')
  cnt = [int(nl, hsize_t), int(npt, hsize_t), 1_hsize_t]
  call h5screate_simple_f(3, cnt, mspace, ierr)
  all = 0d0
  do it = 1, nt
    call fill(e, rank * nl, nl, it)
    m0 = sum(dble(e))
    call MPI_Allreduce(MPI_IN_PLACE, m0, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    all = all + m0
    if (rank == 0) write(u, '(i5,es15.7)') it, m0
    off = [int(rank * nl, hsize_t), 0_hsize_t, int(it - 1, hsize_t)]
    call h5sselect_hyperslab_f(fspace, H5S_SELECT_SET_F, off, cnt, ierr)
    call h5dwrite_f(dset, H5T_NATIVE_REAL, e, cnt, ierr, mspace, fspace, xfer_prp=dxpl)
  end do
  call h5sclose_f(mspace, ierr)
  call h5sclose_f(fspace, ierr)
  call h5dclose_f(dset, ierr)
  call h5pclose_f(dxpl, ierr)
  call h5pclose_f(fapl, ierr)
  call h5fclose_f(fid, ierr)
  if (rank == 0) then
    close(u)
    print '(a,i0,a,es15.7,a,es15.7)', 'times ', nt, ' energy ', all, ' last spectrum ', last_spectrum()
  end if
  call h5close_f(ierr)
  call MPI_Finalize(ierr)
contains
  real(8) function last_spectrum()
    real :: s(nf, 1, 1)
    call h5fopen_f('spectra.h5', H5F_ACC_RDONLY_F, fid, ierr)
    call h5dopen_f(fid, 'efth', dset, ierr)
    call h5dget_space_f(dset, fspace, ierr)
    off = [0_hsize_t, int(npt - 1, hsize_t), int(nt - 1, hsize_t)]
    cnt = [int(nf, hsize_t), 1_hsize_t, 1_hsize_t]
    call h5sselect_hyperslab_f(fspace, H5S_SELECT_SET_F, off, cnt, ierr)
    call h5screate_simple_f(3, cnt, mspace, ierr)
    call h5dread_f(dset, H5T_NATIVE_REAL, s, cnt, ierr, mspace, fspace)
    call h5dclose_f(dset, ierr)
    call h5fclose_f(fid, ierr)
    last_spectrum = sum(dble(s))
  end function last_spectrum
end program wave_spectra
