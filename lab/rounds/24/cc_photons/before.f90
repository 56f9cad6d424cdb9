! Monte Carlo photon transport in a tissue slab (after the classic MCML scheme).
! Rank 0 reads the namelist and the lamp spectrum and prepares the phase function table,
! then all ranks follow the same number of photons.
! usage: photons tissue.nml spectrum.txt depth.dat
program photons
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0), ntab = 20000, nbin = 200
  integer :: ierr, rank, nproc, nphoton, nlayer, i, nloc
  integer(8) :: seed
  real(dp) :: mua, mus, g, table(0:ntab), wmean, depth(nbin), refl, par(4)
  character(len=256) :: fnml, fspec, fout
  namelist /optics/ nphoton, mua, mus, g, nlayer

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  call get_command_argument(1, fnml)
  call get_command_argument(2, fspec)
  call get_command_argument(3, fout)
  if (rank == 0) then
    call read_input()
    call phase_table()
  end if
  par = [mua, mus, g, wmean]
  call MPI_Bcast(nphoton, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(par, 4, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(table, ntab+1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  mua = par(1); mus = par(2); g = par(3); wmean = par(4)
  nloc = nphoton/nproc
  depth = 0; refl = 0
  seed = 88172645463325252_8 + 7919_8*rank
  do i = 1, nloc
    call trace()
  end do
  call collect()
  call MPI_Finalize(ierr)
contains
  subroutine read_input()
    integer :: u, ios, m
    real(dp) :: l, w
    character(len=80) :: head
    open(newunit=u, file=fnml, status='old', iostat=ios)
    if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
    read(u, nml=optics); close(u)
    open(newunit=u, file=fspec, status='old', iostat=ios)
    if (ios /= 0) call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
    read(u,'(a)') head
    wmean = 0; m = 0
    do
      read(u,*,iostat=ios) l, w
      if (ios /= 0) exit
      wmean = wmean + w; m = m + 1
    end do
    wmean = wmean/m
    close(u)
  end subroutine

  subroutine phase_table()      ! inverse cumulative Henyey-Greenstein
    integer :: k
    real(dp) :: s
    do k = 0, ntab
      s = (1 - g*g)/(1 - g + 2*g*k/real(ntab,dp))
      table(k) = min(1d0, max(-1d0, (1 + g*g - s*s)/(2*g)))
    end do
  end subroutine

  function uni() result(u)
    real(dp) :: u
    seed = ieor(seed, ishft(seed, 13)); seed = ieor(seed, ishft(seed, -7)); seed = ieor(seed, ishft(seed, 17))
    u = (iand(seed, 4503599627370495_8) + 1)/4503599627370498d0
  end function

  subroutine trace()
    real(dp) :: z, uz, w, s, ct, st
    integer :: b
    z = 0; uz = 1; w = 1
    do while (w > 1e-3_dp)
      s = -log(uni())/(mua+mus)
      z = z + uz*s
      if (z < 0) then
        refl = refl + w; return
      end if
      if (z > 4) return
      b = min(nbin, 1 + int(z*nbin/4))
      depth(b) = depth(b) + w*mua/(mua+mus)
      w = w*mus/(mua+mus)
      ct = table(int(uni()*ntab)); st = sqrt(max(0d0, 1-ct*ct))
      uz = uz*ct + sqrt(max(0d0, 1-uz*uz))*st*cos(6.283185307179586_dp*uni())
      uz = min(1d0, max(-1d0, uz))
    end do
  end subroutine

  subroutine collect()
    integer :: u, k
    call MPI_Allreduce(MPI_IN_PLACE, depth, nbin, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(MPI_IN_PLACE, refl, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (rank /= 0) return
    open(newunit=u, file=fout, status='replace')
    do k = 1, nbin
      write(u,'(f8.3,es14.6)') (k-0.5_dp)*4/nbin, depth(k)*wmean/(nloc*nproc)
    end do
    close(u)
    print '(a,f10.6)', 'diffuse reflectance ', refl/(nloc*nproc)
  end subroutine
end program
