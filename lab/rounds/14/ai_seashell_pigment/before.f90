!=====================================================================
! PIGMENT STRIPES ON MOLLUSC SHELLS  (after Meinhardt & Klingler)
!
! activator a, substrate s and enhancer along the growing edge of the
! shell; time runs down the shell, so each saved row is one growth line.
! The edge is shared out to the ranks; neighbours swap NG cells once in
! LAZY growth lines and go on in the shrinking overlap.
! Rows are gathered to the picture in blocks of NBLOCK growth lines.
!=====================================================================
program seashell_pigment
  use mpi
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  integer, parameter :: nblock = 250
  integer, parameter :: nsub = 40            ! steps between two lines
  integer, parameter :: lazy = 4, ng = lazy*nsub
  integer :: ierr, me, np, left, right, fh, n, nline, it, sub, i, k, blk, lo, hi
  integer :: stat(MPI_STATUS_SIZE), rowtype
  integer(kind=MPI_OFFSET_KIND) :: disp
  real(wp), allocatable :: a(:), s(:), b(:), an(:), sn(:), bn(:), src(:)
  real, allocatable :: picture(:,:)
  real(wp), parameter :: da = 0.015_wp, db = 0.18_wp
  real(wp), parameter :: ra = 0.08_wp, rb = 0.06_wp, sat = 0.25_wp, dt = 1.0_wp
  real(wp) :: q, r, amean, atot
  character(len=12) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  n = 6000                      ! cells per rank
  nline = 1000                  ! growth lines
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read(arg, *) nline
  end if
  left  = modulo(me - 1, np)
  right = modulo(me + 1, np)
  allocate(a(1-ng:n+ng), picture(n, nblock))
  allocate(s, b, an, sn, bn, src, mold=a)

  do i = 1 - ng, n + ng
     k = modulo(me*n + i - 1, n*np) + 1
     src(i) = ra*(1.0_wp + 0.04_wp*sin(0.37_wp*k) + 0.03_wp*sin(1.91_wp*k*k))
  end do
  a = 0.1_wp; s = 1.0_wp; b = 0.2_wp
  a(n/2) = 2.0_wp

  call MPI_File_open(MPI_COMM_WORLD, 'shell.img', ior(MPI_MODE_CREATE, MPI_MODE_WRONLY), &
                     MPI_INFO_NULL, fh, ierr)
  call MPI_Type_vector(nblock, n, n*np, MPI_REAL, rowtype, ierr)
  call MPI_Type_commit(rowtype, ierr)
  blk = 0
  do it = 1, nline
     if (modulo(it - 1, lazy) == 0) call swap()
     do sub = 1, nsub
        k = ng - modulo(it - 1, lazy)*nsub - sub
        lo = 1 - k
        hi = n + k
        do i = lo, hi
           q = src(i)*s(i)*(a(i)**2/(1.0_wp + sat*a(i)**2) + 0.01_wp)/(0.3_wp + b(i))
           r = a(i-1) - 2*a(i) + a(i+1)
           an(i) = a(i) + dt*(q - 0.05_wp*a(i) + da*r)
           sn(i) = s(i) + dt*(0.012_wp - 0.3_wp*q - 0.001_wp*s(i))
           bn(i) = b(i) + dt*(rb*(a(i) - b(i))*0.5_wp + db*(b(i-1) - 2*b(i) + b(i+1)))
        end do
        a(lo:hi) = max(an(lo:hi), 0.0_wp)
        s(lo:hi) = max(sn(lo:hi), 0.0_wp)
        b(lo:hi) = bn(lo:hi)
     end do
     k = modulo(it - 1, nblock) + 1
     picture(:, k) = real(a(1:n))
     if (k == nblock) then
        disp = (int(blk, MPI_OFFSET_KIND)*nblock*np + me)*n*4
        call MPI_File_set_view(fh, disp, MPI_REAL, rowtype, 'native', MPI_INFO_NULL, ierr)
        call MPI_File_write_all(fh, picture, n*nblock, MPI_REAL, stat, ierr)
        blk = blk + 1
     end if
  end do
  call MPI_File_close(fh, ierr)
  amean = sum(a(1:n))/n
  call MPI_Reduce(amean, atot, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) print '(a,i0,a,f8.5)', 'growth lines ', blk*nblock, '   mean activator ', atot/np
  call MPI_Finalize(ierr)

contains
  subroutine swap()
    real(wp) :: out(ng, 3), inn(ng, 3)
    out(:,1) = a(n-ng+1:n); out(:,2) = s(n-ng+1:n); out(:,3) = b(n-ng+1:n)
    call MPI_Sendrecv(out, 3*ng, MPI_DOUBLE_PRECISION, right, 1, inn, 3*ng, &
                      MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, stat, ierr)
    a(1-ng:0) = inn(:,1); s(1-ng:0) = inn(:,2); b(1-ng:0) = inn(:,3)
    out(:,1) = a(1:ng); out(:,2) = s(1:ng); out(:,3) = b(1:ng)
    call MPI_Sendrecv(out, 3*ng, MPI_DOUBLE_PRECISION, left, 2, inn, 3*ng, &
                      MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, stat, ierr)
    a(n+1:n+ng) = inn(:,1); s(n+1:n+ng) = inn(:,2); b(n+1:n+ng) = inn(:,3)
  end subroutine swap
end program seashell_pigment
