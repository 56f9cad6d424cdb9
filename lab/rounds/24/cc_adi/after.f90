! Implicit heat conduction in a composite plate, conductivity depends on temperature.
! Rows (y) are split over the ranks; the implicit y sweep solves one tridiagonal
! system per column across all ranks (compare NAS BT/LU line sweeps).
! usage: adi NX NY STEPS out.dat
program adi
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nproc, nx, ny, nsteps, nyl, y0, step, up, down
  character(len=256) :: arg, fout
  real(dp), allocatable :: t(:,:), cp(:,:), dpv(:,:)
  real(dp), parameter :: dt = 0.15_dp

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  if (command_argument_count() < 4) then
    if (rank == 0) write(0,*) 'usage: adi nx ny steps out'
    call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  end if
  call get_command_argument(1, arg); read(arg,*) nx
  call get_command_argument(2, arg); read(arg,*) ny
  call get_command_argument(3, arg); read(arg,*) nsteps
  call get_command_argument(4, fout)
  y0 = ny*rank/nproc
  nyl = ny*(rank+1)/nproc - y0
  up = rank + 1; if (up == nproc) up = MPI_PROC_NULL
  down = rank - 1; if (down < 0) down = MPI_PROC_NULL
  allocate(t(nx,nyl), cp(nx,0:nyl), dpv(nx,0:nyl))
  call initial()
  do step = 1, nsteps
    call explicit_x()
    call implicit_y()
  end do
  call output()
  call MPI_Finalize(ierr)
contains
  subroutine initial()
    integer :: i, j
    do j = 1, nyl
      do i = 1, nx
        t(i,j) = 300 + 400*exp(-((i-0.4_dp*nx)**2 + (y0+j-0.6_dp*ny)**2)/(0.02_dp*nx*ny))
      end do
    end do
  end subroutine

  elemental function conductivity(temp) result(k)
    real(dp), intent(in) :: temp
    real(dp) :: k
    k = dt*(1.2_dp*exp(-temp/900) + 0.3_dp*exp(-(temp-450)**2/9000) + 0.02_dp*log(temp))
  end function

  subroutine explicit_x()
    integer :: j
    real(dp) :: row(nx)
    do j = 1, nyl
      row = t(:,j)
      t(2:nx-1,j) = row(2:nx-1) + 0.1_dp*(row(1:nx-2) - 2*row(2:nx-1) + row(3:nx))
    end do
  end subroutine

  subroutine implicit_y()
    integer, parameter :: nchunk = 16
    integer :: c, c0, c1, w, i, j
    real(dp) :: k, m, edge(nx)
    ! forward elimination in chunks of columns: the next rank starts after the first chunk
    do c = 1, nchunk
      c0 = 1 + nx*(c-1)/nchunk; c1 = nx*c/nchunk; w = c1 - c0 + 1
      cp(c0:c1,0) = 0; dpv(c0:c1,0) = 0
      if (down /= MPI_PROC_NULL) then
        call MPI_Recv(cp(c0,0), w, MPI_DOUBLE_PRECISION, down, c, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Recv(dpv(c0,0), w, MPI_DOUBLE_PRECISION, down, c, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      end if
      do j = 1, nyl
        do i = c0, c1
          k = conductivity(t(i,j))
          m = 1 + 2*k + k*cp(i,j-1)
          cp(i,j) = -k/m
          dpv(i,j) = (t(i,j) + k*dpv(i,j-1))/m
        end do
      end do
      if (up /= MPI_PROC_NULL) then
        call MPI_Send(cp(c0,nyl), w, MPI_DOUBLE_PRECISION, up, c, MPI_COMM_WORLD, ierr)
        call MPI_Send(dpv(c0,nyl), w, MPI_DOUBLE_PRECISION, up, c, MPI_COMM_WORLD, ierr)
      end if
    end do
    ! back substitution, same chunks
    do c = 1, nchunk
      c0 = 1 + nx*(c-1)/nchunk; c1 = nx*c/nchunk; w = c1 - c0 + 1
      edge(c0:c1) = 300
      if (up /= MPI_PROC_NULL) call MPI_Recv(edge(c0), w, MPI_DOUBLE_PRECISION, up, c, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      t(c0:c1,nyl) = dpv(c0:c1,nyl) - cp(c0:c1,nyl)*edge(c0:c1)
      do j = nyl-1, 1, -1
        t(c0:c1,j) = dpv(c0:c1,j) - cp(c0:c1,j)*t(c0:c1,j+1)
      end do
      if (down /= MPI_PROC_NULL) call MPI_Send(t(c0,1), w, MPI_DOUBLE_PRECISION, down, c, MPI_COMM_WORLD, ierr)
    end do
  end subroutine

  subroutine output()
    real(dp) :: tot, hot
    integer :: fh
    integer(MPI_OFFSET_KIND) :: off
    tot = sum(t)/real(nx*ny,dp); hot = maxval(t)
    call MPI_Allreduce(MPI_IN_PLACE, tot, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(MPI_IN_PLACE, hot, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    call MPI_File_open(MPI_COMM_WORLD, fout, MPI_MODE_CREATE+MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ierr)
    off = int(y0,8)*nx*8
    call MPI_File_write_at_all(fh, off, t, nx*nyl, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
    call MPI_File_close(fh, ierr)
    if (rank == 0) print '(a,f12.6,a,f12.6)', 'mean T ', tot, '  max T ', hot
  end subroutine
end program
