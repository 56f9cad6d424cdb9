! Tecplot ASCII export: one ZONE per rank in a single file, point packing.
program tecplot_out
  use mpi_f08
  implicit none
  integer, parameter :: dp = kind(1.d0), lw = 96
  integer :: ni, nj, nsol, rank, nproc, ierr, ios, is
  real(dp), allocatable :: q(:,:,:)
  character(len=32) :: fn
  namelist /export/ ni, nj, nsol

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)
  open(10, file='export.nml', status='old', iostat=ios)
  if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 1)
  read(10, nml=export)
  close(10)
  allocate(q(6,ni,nj))
  do is = 1, nsol
    call solve(is)
    write(fn, '(a,i4.4,a)') 'combustor_', is, '.plt'
    call write_zones(trim(fn))
  end do
  call summary()
  call MPI_Finalize(ierr)
contains
  ! relax a manufactured potential, then form velocity, pressure, temperature
  subroutine solve(k)
    integer, intent(in) :: k
    integer :: i, j, it
    real(dp) :: x, y
    do j = 1, nj
      do i = 1, ni
        x = rank + real(i-1,dp)/(ni-1); y = real(j-1,dp)/(nj-1)
        q(:,i,j) = [x, y, sin(k + 3*x)*y, cos(2*y)*x, 0.d0, 300.d0 + 1500*x*y]
      end do
    end do
    do it = 1, 4
      do j = 2, nj-1
        do i = 2, ni-1
          q(3,i,j) = 0.25d0*(q(3,i-1,j) + q(3,i+1,j) + q(3,i,j-1) + q(3,i,j+1))
        end do
      end do
    end do
    q(5,:,:) = 101325 - 0.5d0*1.2d0*(q(3,:,:)**2 + q(4,:,:)**2)
  end subroutine
  subroutine zone_header(h)
    character(len=lw), intent(out) :: h(3)
    h = ' '
    h(1) = 'VARIABLES = "X" "Y" "U" "V" "P" "T"'
    write(h(2), '(a,i0,a)') 'ZONE T="rank ', rank, '"'
    write(h(3), '(a,i0,a,i0,a)') 'I=', ni, ', J=', nj, ', F=POINT'
  end subroutine
  ! every line is lw characters and a newline: each rank formats its zone in
  ! memory and all write at their own offsets together
  subroutine write_zones(name)
    character(*), intent(in) :: name
    integer :: j
    character(len=lw) :: h(3), row(ni)
    character(len=lw+1), allocatable :: t(:)
    type(MPI_File) :: fh
    integer(MPI_OFFSET_KIND) :: off
    call zone_header(h)
    allocate(t(3 + ni*nj))
    do j = 1, nj
      write(row, '(6es16.8)') q(:,:,j)
      t(4+(j-1)*ni:3+j*ni)(:lw) = row
    end do
    t(1:3) = h
    t(:)(lw+1:) = new_line('a')
    off = int(rank, MPI_OFFSET_KIND)*size(t)*(lw+1)
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE+MPI_MODE_WRONLY, MPI_INFO_NULL, fh, ios)
    if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 2)
    call MPI_File_write_at_all(fh, off, t, size(t)*(lw+1), MPI_CHARACTER, MPI_STATUS_IGNORE)
    call MPI_File_close(fh)
  end subroutine
  subroutine summary()
    real(dp) :: s(6), g(6)
    s = sum(sum(q, 3), 2)
    call MPI_Reduce(s, g, 6, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
    if (rank == 0) write(*, '(a,6es14.6)') ' sums ', g
  end subroutine
end program
