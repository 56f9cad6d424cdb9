! PnetCDF from Fortran 90, which goes through its C functions.
program steps
  use mpi
  use pnetcdf
  implicit none
  integer :: ierr, rank, ranks, ncid, dimension, grid
  integer(kind=MPI_OFFSET_KIND) :: start(1), count(1), length
  double precision :: values(32)
  character(len=512) :: path

  call get_command_argument(1, path)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  values = rank
  length = 32*ranks
  ierr = nf90mpi_create(MPI_COMM_WORLD, trim(path), NF90_CLOBBER, MPI_INFO_NULL, ncid)
  ierr = nf90mpi_def_dim(ncid, 'x', length, dimension)
  ierr = nf90mpi_def_var(ncid, 'grid', NF90_DOUBLE, (/dimension/), grid)
  ierr = nf90mpi_enddef(ncid)
  start(1) = 32*rank + 1
  count(1) = 32
  ierr = nf90mpi_put_var_all(ncid, grid, values, start, count)
  ierr = nf90mpi_close(ncid)
  call MPI_Finalize(ierr)
end program
