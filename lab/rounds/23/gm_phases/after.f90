! Markers of a subduction model take density from a phase diagram table (Perple_X style, as in I2VIS-like codes).
program phases
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: ierr, rank, nproc, nm, nstep, step, i, first, last, np, nt
  real(dp) :: t0, p0, dtt, dpp, s, stot
  real(dp), allocatable :: tm(:), pm(:), rho(:), tab(:,:)
  character(len=80) :: table
  namelist /model/ nm, nstep, table
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  open (10, file='init.nml', status='old')
  read (10, nml=model)
  close (10)
  first = nm/nproc*rank + 1
  last = merge(nm, nm/nproc*(rank+1), rank == nproc-1)
  allocate (tm(first:last), pm(first:last), rho(first:last))
  do i = first, last
     tm(i) = 300 + modulo(i*7.31_dp, 1500d0)
     pm(i) = modulo(i*0.0173_dp, 24d0)
  end do
  if (rank == 0) then
     open (20, file='density.log', status='replace')
     write (20, '(a)') '# step   mean density'
  end if
  call load_table(trim(table))
  do step = 1, nstep
     call move_markers(step)
     call densities()
     s = sum(rho)
     call MPI_Reduce(s, stot, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
     if (rank == 0) write (20, '(i6,f14.5)') step, stot/nm
  end do
  if (rank == 0) then
     close (20)
     print '(a,f12.4)', 'final mean density ', stot/nm
  end if
  call MPI_Finalize(ierr)

contains

  subroutine load_table(name)
    character(len=*), intent(in) :: name
    integer :: ios, j
    character(len=120) :: line
    open (30, file=name, status='old', action='read', iostat=ios)
    if (ios /= 0) then
       write (0, *) 'no table ', name
       call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    end if
    read (30, '(a)') line
    if (line(1:3) /= '|6.') call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
    read (30, *) nt, np, t0, p0, dtt, dpp
    if (.not. allocated(tab)) allocate (tab(nt,np))
    do j = 1, np
       read (30, *) tab(:,j)
    end do
    close (30)
  end subroutine load_table

  subroutine move_markers(k)
    integer, intent(in) :: k
    integer :: m
    do m = first, last
       tm(m) = tm(m) + 2d0*sin(0.1d0*k + m)
       pm(m) = max(0d0, min(24d0, pm(m) + 0.02d0*cos(0.1d0*k + m)))
    end do
  end subroutine move_markers

  subroutine densities()
    integer :: m, a, b
    real(dp) :: fx, fy
    do m = first, last
       fx = (tm(m)-t0)/dtt; fy = (pm(m)-p0)/dpp
       a = max(1, min(nt-1, 1+int(fx))); b = max(1, min(np-1, 1+int(fy)))
       fx = fx - (a-1); fy = fy - (b-1)
       rho(m) = (1-fx)*(1-fy)*tab(a,b) + fx*(1-fy)*tab(a+1,b) + (1-fx)*fy*tab(a,b+1) + fx*fy*tab(a+1,b+1)
    end do
  end subroutine densities
end program phases
