! Power edit of a core model.  Each rank holds a part of the assemblies; the
! edit file lists plane after plane, so for each plane the ranks append their
! part when it is their turn.
program assembly_edit
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  character(len=*), parameter :: fname = 'power.edt'
  integer :: rank, nrank, ierr, nplane, nasm
  real(dp), allocatable :: pow(:, :)
  character(len=16) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nrank, ierr)
  call get_command_argument(1, arg)
  read (arg, *) nplane
  call get_command_argument(2, arg)
  read (arg, *) nasm

  allocate (pow(nasm, nplane))
  call solve
  call write_edit
  if (rank == 0) call check_edit
  call MPI_Finalize(ierr)

contains

  subroutine solve
    integer :: ia, iz
    real(dp) :: x, z, norm, tot
    do iz = 1, nplane
      z = 3.14159265358979_dp*(iz - 0.5_dp)/nplane
      do ia = 1, nasm
        x = (rank*nasm + ia)/real(nasm*nrank, dp)
        pow(ia, iz) = sin(z)*(1.0_dp + 0.2_dp*cos(9.0_dp*x))*(1.0_dp - 0.3_dp*x*x)
      end do
    end do
    norm = sum(pow)
    call MPI_Allreduce(norm, tot, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    pow = pow*(nasm*nrank*nplane)/tot
  end subroutine solve

  subroutine write_edit
    ! lines have 27 characters; a plane of one rank is one block of the view
    integer, parameter :: ll = 27
    character(len=ll), allocatable :: text(:, :)
    integer :: fh, planes, iz, ia
    integer(MPI_OFFSET_KIND) :: disp
    allocate (text(nasm, nplane))
    do iz = 1, nplane
      do ia = 1, nasm
        write (text(ia, iz), '(i6,i6,f14.8,a1)') iz, rank*nasm + ia, pow(ia, iz), new_line('a')
      end do
    end do
    call MPI_Type_vector(nplane, nasm*ll, nasm*nrank*ll, MPI_CHARACTER, planes, ierr)
    call MPI_Type_commit(planes, ierr)
    call MPI_File_open(MPI_COMM_WORLD, fname, MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                       MPI_INFO_NULL, fh, ierr)
    disp = int(rank, MPI_OFFSET_KIND)*nasm*ll
    call MPI_File_set_view(fh, disp, MPI_CHARACTER, planes, 'native', MPI_INFO_NULL, ierr)
    call MPI_File_write_all(fh, text, nasm*nplane*ll, MPI_CHARACTER, MPI_STATUS_IGNORE, ierr)
    call MPI_File_close(fh, ierr)
    call MPI_Type_free(planes, ierr)
  end subroutine write_edit

  subroutine check_edit
    ! read the file as the plotting code does
    integer :: lu, ios, jz, ja, n, order
    real(dp) :: p, s, peak
    open (newunit=lu, file=fname, form='formatted', status='old', action='read')
    n = 0
    s = 0.0_dp
    peak = 0.0_dp
    order = 0
    do
      read (lu, '(i6,i6,f14.8)', iostat=ios) jz, ja, p
      if (ios /= 0) exit
      if ((jz - 1)*nasm*nrank + ja /= n + 1) order = order + 1
      n = n + 1
      s = s + p*mod(n, 13)
      peak = max(peak, p)
    end do
    close (lu)
    write (*, '(a,i9,a,i4)') ' lines ', n, '  out of order ', order
    write (*, '(a,f12.8,a,f18.6)') ' peak power ', peak, '  check ', s
  end subroutine check_edit

end program assembly_edit
