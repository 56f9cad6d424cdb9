! Jacobi smearing along z of a staggered quark source; the smeared field is kept on
! disk after every sweep block so that a measurement job can pick it up.
program propwrite
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: nc = 3, lx = 16, ly = 16, lz = 16, lt = 32
  integer, parameter :: nblock = 10
  integer :: ierr, me, np, fh, ftype, ib, t, z, y, x, c, y0, nyl
  integer :: gs(5), ls(5), st(5)
  integer :: status(MPI_STATUS_SIZE)
  integer(kind=MPI_OFFSET_KIND) :: disp
  complex(dp), allocatable :: psi(:,:,:,:,:), tmp(:,:,:,:,:)
  real(dp) :: norm, gnorm, kappa

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  nyl = ly / np
  y0 = me * nyl
  kappa = 0.12_dp
  allocate(psi(nc, lx, nyl, lz, lt), tmp(nc, lx, nyl, lz, lt))

  ! point-like noise source
  do t = 1, lt
    do z = 1, lz
      do y = 1, nyl
        do x = 1, lx
          do c = 1, nc
            psi(c,x,y,z,t) = cmplx(cos(0.3_dp*x + c), sin(0.2_dp*(y0+y) + 0.1_dp*z - 0.05_dp*t), dp)
          end do
        end do
      end do
    end do
  end do

  ! global field: colour fastest, then x, y, z, t
  gs = [nc, lx, ly, lz, lt]
  ls = [nc, lx, nyl, lz, lt]
  st = [0, 0, y0, 0, 0]
  call MPI_Type_create_subarray(5, gs, ls, st, MPI_ORDER_FORTRAN, MPI_DOUBLE_COMPLEX, ftype, ierr)
  call MPI_Type_commit(ftype, ierr)

  call MPI_File_open(MPI_COMM_WORLD, 'smeared.prop', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                     MPI_INFO_NULL, fh, ierr)

  disp = 0
  call MPI_File_set_view(fh, disp, MPI_DOUBLE_COMPLEX, ftype, 'native', MPI_INFO_NULL, ierr)

  do ib = 1, nblock
    call smear(psi, tmp)
    call MPI_File_write_at_all(fh, disp, psi, size(psi), MPI_DOUBLE_COMPLEX, status, ierr)
    norm = sum(real(psi*conjg(psi), dp))
    call MPI_Allreduce(norm, gnorm, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (me == 0 .and. mod(ib, 2) == 0) write(*,'(a,i4,es20.10)') ' block', ib, gnorm
  end do

  call MPI_File_close(fh, ierr)
  call MPI_Type_free(ftype, ierr)
  call MPI_Finalize(ierr)

contains

  subroutine smear(a, b)
    complex(dp), intent(inout) :: a(:,:,:,:,:), b(:,:,:,:,:)
    integer :: it, iz, zm, zp
    do it = 1, lt
      do iz = 1, lz
        zm = modulo(iz-2, lz) + 1
        zp = modulo(iz, lz) + 1
        b(:,:,:,iz,it) = (a(:,:,:,iz,it) + kappa*(a(:,:,:,zm,it) + a(:,:,:,zp,it))) / (1 + 2*kappa)
      end do
    end do
    a = b
  end subroutine smear
end program propwrite
