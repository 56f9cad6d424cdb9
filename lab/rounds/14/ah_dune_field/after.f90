! Barchan dunes: slab model of wind-blown sand (after Werner).  Each rank holds a
! band of the desert along the wind; sand columns at the seams are passed on.
program dune_field
  use mpi
  use iso_fortran_env, only: int32, real32, real64
  implicit none
  integer, parameter :: nx = 1024              ! along the wind
  integer, parameter :: hop = 5                ! saltation length, cells
  real(real64), parameter :: p_sand = 0.6_real64, p_bare = 0.4_real64
  integer :: ny, nseasons, sweeps
  integer :: rank, ranks, ierr, season
  real(real64), allocatable :: h(:,:), slope(:,:)
  integer(int32) :: seed
  real(real64) :: volume, everywhere
  character(len=32) :: arg, name

  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  ny = 512; nseasons = 16
  if (command_argument_count() >= 2) then
     call get_command_argument(1, arg); read (arg, *) ny
     call get_command_argument(2, arg); read (arg, *) nseasons
  end if
  sweeps = 1
  allocate (h(nx, 0:ny+1), slope(nx, ny))
  seed = 7919*(rank + 1)

  call spread_sand()
  write (name, '(a,i2.2,a)') 'dunes', rank, '.dat'
  do season = 1, nseasons
     call blow(sweeps)
     call avalanche()
     call archive(season)
  end do

  volume = sum(h(:, 1:ny))
  call mpi_reduce(volume, everywhere, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
  if (rank == 0) print '(a,f14.3)', 'sand in the desert: ', everywhere
  call mpi_finalize(ierr)

contains

  function dice() result(u)
    real(real64) :: u
    seed = ieor(seed, ishft(seed, 13))
    seed = ieor(seed, ishft(seed, -17))
    seed = ieor(seed, ishft(seed, 5))
    u = 0.5_real64 + seed/4294967296.0_real64
  end function dice

  subroutine spread_sand()
    integer :: i, j
    do j = 1, ny
       do i = 1, nx
          h(i, j) = 3.0_real64 + 2.0_real64*dice()
       end do
    end do
    h(:, 0) = h(:, 1)
    h(:, ny+1) = h(:, ny)
  end subroutine spread_sand

  ! one slab of sand leaves a cell and lands hop cells downwind
  subroutine blow(n)
    integer, intent(in) :: n
    integer :: k, i, j, to
    do k = 1, n*nx*ny/32
       i = 1 + int(dice()*nx)
       j = 1 + int(dice()*ny)
       if (h(i, j) < 0.1_real64) cycle
       h(i, j) = h(i, j) - 0.1_real64
       to = i
       do
          to = modulo(to + hop - 1, nx) + 1
          if (dice() < merge(p_sand, p_bare, h(to, j) > 0.1_real64)) exit
       end do
       h(to, j) = h(to, j) + 0.1_real64
    end do
  end subroutine blow

  subroutine avalanche()
    integer :: i, j, up, down
    up = modulo(rank + 1, ranks)
    down = modulo(rank - 1, ranks)
    call mpi_sendrecv(h(:, ny), nx, mpi_double_precision, up, 1, h(:, 0), nx, &
         mpi_double_precision, down, 1, mpi_comm_world, mpi_status_ignore, ierr)
    call mpi_sendrecv(h(:, 1), nx, mpi_double_precision, down, 2, h(:, ny+1), nx, &
         mpi_double_precision, up, 2, mpi_comm_world, mpi_status_ignore, ierr)
    do j = 1, ny
       do i = 1, nx
          slope(i, j) = 0.5_real64*(h(modulo(i, nx) + 1, j) - h(i, j))
       end do
    end do
    where (abs(slope) < 0.3_real64) slope = 0.0_real64
    do j = 1, ny
       do i = 1, nx
          h(i, j) = h(i, j) + 0.2_real64*slope(i, j) &
               - 0.2_real64*slope(modulo(i - 2, nx) + 1, j)
       end do
    end do
  end subroutine avalanche

  ! heights and slopes of this season
  subroutine archive(season)
    integer, intent(in) :: season
    call write_band(season)
  end subroutine archive

  subroutine write_band(season)
    integer, intent(in) :: season
    integer :: u
    open (newunit=u, file=name, access='stream', form='unformatted', position='append')
    write (u) season, real(h(:, 1:ny), real32)
    write (u) real(slope, real32)
    close (u)
  end subroutine write_band
end program dune_field
