! Power edit of a core model.  Each rank holds a part of the assemblies; the
! edit file lists plane after plane, so for each plane the ranks append their
! part when it is their turn.
program assembly_edit
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: luedit = 41
  character(len=*), parameter :: fname = 'power.edt'
  integer :: rank, nrank, ierr, nplane, nasm, iz
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
  call start_edit
  do iz = 1, nplane
    call edit_plane(iz)
  end do
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

  subroutine start_edit
    if (rank == 0) then
      open (luedit, file=fname, form='formatted', status='replace')
      close (luedit)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine start_edit

  subroutine edit_plane(iz)
    integer, intent(in) :: iz
    integer :: turn, ia
    do turn = 0, nrank - 1
      if (turn == rank) then
        open (luedit, file=fname, form='formatted', status='old', position='append')
        do ia = 1, nasm
          write (luedit, '(i6,i6,f14.8)') iz, rank*nasm + ia, pow(ia, iz)
        end do
        close (luedit)
      end if
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end do
  end subroutine edit_plane

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
