! Takes vertical profiles at mooring positions out of a gridded ocean field.
program profile
  implicit none
  integer, parameter :: sp = kind(1.0), dp = kind(1.0d0)
  integer, parameter :: nx = 320, ny = 256, nz = 60
  integer :: nmoor, lun, m, k
  integer, allocatable :: im(:), jm(:)
  real(sp), allocatable :: temp(:, :)
  real(dp) :: heat, depth_mean
  character(len=32) :: arg

  nmoor = 900
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nmoor
  end if
  call make_field('ocean_temp.bin')

  allocate (im(nmoor), jm(nmoor), temp(nz, nmoor))
  do m = 1, nmoor
    im(m) = 1 + int(nx * mod(m * 0.618033988749895_dp, 1.0_dp))
    jm(m) = 1 + int(ny * mod(m * 0.754877666246693_dp, 1.0_dp))
  end do

  open (newunit=lun, file='ocean_temp.bin', access='stream', form='unformatted', &
        status='old', action='read')
  do m = 1, nmoor
    call read_column(lun, im(m), jm(m), temp(:, m))
  end do
  close (lun)

  heat = 0.0_dp
  do m = 1, nmoor
    depth_mean = 0.0_dp
    do k = 1, nz
      depth_mean = depth_mean + temp(k, m) / nz
    end do
    heat = heat + depth_mean
  end do
  print '(a,f14.6)', 'mean heat content ', heat / nmoor

contains

  subroutine make_field(name)
    character(len=*), intent(in) :: name
    real(sp), allocatable :: slab(:, :)
    integer :: u, i, j, kk
    allocate (slab(nx, ny))
    open (newunit=u, file=name, access='stream', form='unformatted', &
          status='replace', action='write')
    do kk = 1, nz
      do j = 1, ny
        do i = 1, nx
          slab(i, j) = 28.0 - 0.4 * kk - 0.03 * abs(j - ny / 2) + 0.001 * mod(i * 7 + j, 50)
        end do
      end do
      write (u) slab
    end do
    close (u)
  end subroutine make_field

  subroutine read_column(unit, i, j, column)
    integer, intent(in) :: unit, i, j
    real(sp), intent(out) :: column(nz)
    integer :: kk
    integer(8) :: where
    do kk = 1, nz
      where = 1_8 + 4_8 * ((i - 1) + nx * ((j - 1) + int(ny, 8) * (kk - 1)))
      read (unit, pos=where) column(kk)
    end do
  end subroutine read_column

end program profile
