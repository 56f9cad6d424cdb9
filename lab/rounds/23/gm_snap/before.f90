! 3-D thermal diffusion of a pluton, snapshots in one HDF5 file, parallel.
! I/O structure after the HDF5 example ph5example / hyperslab_by_chunk (Fortran, parallel).
program snap
  use mpi
  use hdf5
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, herr, rank, nproc, n, nstep, every, nloc, k0, step, left, right, i, j, k
  real(dp) :: q, qt
  real(dp), allocatable :: t(:,:,:), tn(:,:,:)
  integer(hid_t) :: fapl, fid
  namelist /pluton/ n, nstep, every
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  open (10, file='pluton.nml', status='old')
  read (10, nml=pluton)
  close (10)
  nloc = n/nproc; k0 = rank*nloc
  left = merge(rank-1, MPI_PROC_NULL, rank > 0)
  right = merge(rank+1, MPI_PROC_NULL, rank < nproc-1)
  allocate (t(n,n,0:nloc+1), tn(n,n,0:nloc+1))
  do k = 0, nloc+1
     do j = 1, n
        do i = 1, n
           t(i,j,k) = 400 + 800*exp(-((i-n/2)**2+(j-n/2)**2+(k+k0-n/2)**2)/(0.1d0*n*n))
        end do
     end do
  end do
  tn = t
  call h5open_f(herr)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, herr)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, herr)
  call h5fcreate_f('pluton.h5', H5F_ACC_TRUNC_F, fid, herr, access_prp=fapl)
  if (herr /= 0) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  do step = 1, nstep
     call halo()
     do k = max(1, 2-k0), min(nloc, n-1-k0)
        do j = 2, n-1
           do i = 2, n-1
              tn(i,j,k) = t(i,j,k) + 0.15d0*(t(i-1,j,k)+t(i+1,j,k)+t(i,j-1,k)+t(i,j+1,k) &
                   +t(i,j,k-1)+t(i,j,k+1)-6*t(i,j,k))
           end do
        end do
     end do
     t = tn
     if (mod(step, every) == 0) call write_snapshot(step)
  end do
  call h5fclose_f(fid, herr)
  call h5pclose_f(fapl, herr)
  call h5close_f(herr)
  q = sum(t(:,:,1:nloc))
  call MPI_Reduce(q, qt, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,f14.6)', 'mean temperature ', qt/(real(n,dp)**3)
  call MPI_Finalize(ierr)

contains

  subroutine halo()
    call MPI_Sendrecv(t(1,1,nloc), n*n, MPI_DOUBLE_PRECISION, right, 1, t(1,1,0), n*n, MPI_DOUBLE_PRECISION, &
         left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(t(1,1,1), n*n, MPI_DOUBLE_PRECISION, left, 2, t(1,1,nloc+1), n*n, MPI_DOUBLE_PRECISION, &
         right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine halo

  subroutine write_snapshot(it)
    integer, intent(in) :: it
    integer(hid_t) :: fsp, msp, dcpl, dxpl, did
    integer(hsize_t) :: dims(3), cnt(3), off(3), chunk(3)
    character(len=16) :: name
    real(dp), allocatable :: buf(:,:,:)
    allocate (buf(n,n,nloc))
    buf = t(:,:,1:nloc)
    dims = n
    cnt = (/ n, n, nloc /)
    off = (/ 0, 0, k0 /)
    chunk = (/ 8, 4, 4 /)
    write (name, '(a,i5.5)') 'T', it
    call h5screate_simple_f(3, dims, fsp, herr)
    call h5screate_simple_f(3, cnt, msp, herr)
    call h5pcreate_f(H5P_DATASET_CREATE_F, dcpl, herr)
    call h5pset_chunk_f(dcpl, 3, chunk, herr)
    call h5dcreate_f(fid, name, H5T_NATIVE_DOUBLE, fsp, did, herr, dcpl_id=dcpl)
    call h5sselect_hyperslab_f(fsp, H5S_SELECT_SET_F, off, cnt, herr)
    call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, herr)
    call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, herr)
    call h5dwrite_f(did, H5T_NATIVE_DOUBLE, buf, cnt, herr, msp, fsp, xfer_prp=dxpl)
    call h5dclose_f(did, herr)
    call h5pclose_f(dxpl, herr)
    call h5pclose_f(dcpl, herr)
    call h5sclose_f(msp, herr)
    call h5sclose_f(fsp, herr)
  end subroutine write_snapshot
end program snap
