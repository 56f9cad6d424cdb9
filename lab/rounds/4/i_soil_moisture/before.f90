! Soil moisture bucket model on a regular grid with rain events;
! the state of every day is kept in an HDF5 file.
program soil_moisture
  use hdf5
  implicit none
  integer, parameter :: nx = 360, ny = 360
  real(4) :: theta(nx, ny), porosity(nx, ny)
  integer :: ndays, day, i, j, err
  integer(hid_t) :: file, dset
  character(len=32) :: arg

  ndays = 60
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read (arg, *) ndays
  end if
  do j = 1, ny
     do i = 1, nx
        porosity(i, j) = 0.40 + 0.05*sin(0.03*i)*cos(0.02*j)
        theta(i, j) = 0.5*porosity(i, j)
     end do
  end do

  call h5open_f(err)
  call h5fcreate_f('soil.h5', H5F_ACC_TRUNC_F, file, err)
  call create_history(file, dset)
  do day = 1, ndays
     call rain_and_drain(day)
     call store_day(dset, day)
  end do
  call h5dclose_f(dset, err)
  call h5fclose_f(file, err)
  call h5close_f(err)
  print '(a,f12.8)', 'mean soil moisture ', sum(real(theta, 8))/(nx*ny)

contains

  subroutine create_history(file, dset)
    integer(hid_t), intent(in) :: file
    integer(hid_t), intent(out) :: dset
    integer(hid_t) :: space, plist
    integer(hsize_t) :: dims(3), tile(3)
    dims = [nx, ny, ndays]
    tile = [8, 8, 1]
    call h5screate_simple_f(3, dims, space, err)
    call h5pcreate_f(H5P_DATASET_CREATE_F, plist, err)
    call h5pset_chunk_f(plist, 3, tile, err)
    call h5dcreate_f(file, 'theta', H5T_NATIVE_REAL, space, dset, err, plist)
    call h5pclose_f(plist, err)
    call h5sclose_f(space, err)
  end subroutine create_history

  subroutine rain_and_drain(day)
    integer, intent(in) :: day
    real(4) :: rain
    integer :: i, j
    do j = 1, ny
       do i = 1, nx
          rain = max(0.0, 0.02*sin(0.05*i + 0.4*day)*cos(0.04*j - 0.3*day))
          theta(i, j) = min(porosity(i, j), theta(i, j) + rain)
          theta(i, j) = theta(i, j) - 0.03*(theta(i, j)/porosity(i, j))**3
       end do
    end do
  end subroutine rain_and_drain

  subroutine store_day(dset, day)
    integer(hid_t), intent(in) :: dset
    integer, intent(in) :: day
    integer(hid_t) :: fspace, mspace
    integer(hsize_t) :: start(3), extent(3)
    start = [0, 0, day - 1]
    extent = [nx, ny, 1]
    call h5dget_space_f(dset, fspace, err)
    call h5sselect_hyperslab_f(fspace, H5S_SELECT_SET_F, start, extent, err)
    call h5screate_simple_f(3, extent, mspace, err)
    call h5dwrite_f(dset, H5T_NATIVE_REAL, theta, extent, err, mspace, fspace)
    call h5sclose_f(mspace, err)
    call h5sclose_f(fspace, err)
  end subroutine store_day
end program soil_moisture
