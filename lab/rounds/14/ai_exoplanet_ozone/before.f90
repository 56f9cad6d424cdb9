! Chapman ozone chemistry around a slowly rotating planet.
! Each rank owns a sector of longitudes; on the day side the stiff radical
! chemistry needs many short substeps, at night a few long ones suffice.
program exoplanet_ozone
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.d0)
  integer, parameter :: ncol = 96           ! columns per rank
  integer, parameter :: nlev = 24           ! layers
  real(dp), parameter :: hour = 3600.0_dp, pi = 3.14159265358979_dp
  real(dp), parameter :: scale_h = 7.0e3_dp
  integer :: ierr, rank, nproc, fh, step, nstep, c, l, per_day
  integer(kind=MPI_OFFSET_KIND) :: off
  integer :: st(MPI_STATUS_SIZE)
  real(dp) :: o(nlev, ncol), o3(nlev, ncol), lon, sun, t0, column, total
  real, allocatable :: frame(:,:)
  character(len=16) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  nstep = 1080
  per_day = 60                              ! steps per rotation
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg); read(arg, *) nstep
  end if
  allocate(frame(nlev, ncol))
  o = 1.0e7_dp
  do l = 1, nlev
     o3(l, :) = 4.0e12_dp*exp(-((l - 13.0_dp)/5.0_dp)**2)
  end do
  t0 = MPI_Wtime()
  call MPI_File_open(MPI_COMM_WORLD, 'ozone.dat', ior(MPI_MODE_CREATE, MPI_MODE_WRONLY), &
                     MPI_INFO_NULL, fh, ierr)

  do step = 0, nstep - 1
     do c = 1, ncol
        lon = 2*pi*(real(rank, dp) + 0.25_dp*c/ncol + 0.4_dp)/nproc
        sun = cos(lon - 2*pi*step/per_day)
        do l = 1, nlev
           call chapman(o(l, c), o3(l, c), max(0.0_dp, sun), 20.0_dp + 1.5_dp*l)
        end do
     end do
     frame = real(o3*1.0e-12_dp)
     off = (int(step, MPI_OFFSET_KIND)*nproc + rank)*nlev*ncol*4
     call store(fh, off, frame)
  end do

  call MPI_File_close(fh, ierr)
  column = sum(o3)/ncol
  call MPI_Reduce(column, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,es12.4,a,f7.2,a)', 'mean ozone sum ', total/nproc, '   ', &
       MPI_Wtime() - t0, ' s'
  call MPI_Finalize(ierr)

contains

  subroutine store(fh, off, a)
    integer, intent(in) :: fh
    integer(kind=MPI_OFFSET_KIND), intent(in) :: off
    real, intent(in) :: a(:,:)
    call MPI_File_write_at_all(fh, off, a, size(a), MPI_REAL, st, ierr)
  end subroutine store

  ! O2 + hv -> 2O ; O + O2 + M -> O3 ; O3 + hv -> O ; O + O3 -> 2 O2
  subroutine chapman(o, o3, sun, z)
    real(dp), intent(inout) :: o, o3
    real(dp), intent(in) :: sun, z
    real(dp) :: m, o2, j2, j3, k2, k3, dt, p, loss, tleft
    m  = 2.5e19_dp*exp(-z*1.0e3_dp/scale_h)
    o2 = 0.21_dp*m
    j2 = 3.0e-12_dp*sun*exp((z - 45.0_dp)/9.0_dp)
    j3 = 5.0e-4_dp*sun
    k2 = 6.0e-34_dp
    k3 = 8.0e-12_dp*exp(-2060.0_dp/(230.0_dp + 0.5_dp*z))
    tleft = 0.4_dp*hour
    do while (tleft > 0.0_dp)
       ! step follows the photolysis rate, semi-implicit in each species
       dt   = min(tleft, 0.0125_dp/(j3 + 3.0e-5_dp))
       p    = 2*j2*o2 + j3*o3
       loss = k2*o2*m + k3*o3
       o    = (o + dt*p)/(1.0_dp + dt*loss)
       o3   = (o3 + dt*k2*o*o2*m)/(1.0_dp + dt*(j3 + k3*o))
       tleft = tleft - dt
    end do
  end subroutine chapman
end program exoplanet_ozone
