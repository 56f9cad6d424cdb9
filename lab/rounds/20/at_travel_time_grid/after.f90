! Travel times through a layered earth model. The model file holds three columns
! one after the other: depth, velocity, gradient of the velocity.
module model_file
  use iso_fortran_env, only: int32, real32, real64
  implicit none
  type :: model
    integer :: unit = -1
    integer(int32) :: layers = 0
    integer(int32) :: columns = 0
    real(real32), allocatable :: table(:,:)
  end type
  type :: layer
    real(real32) :: depth = 0, velocity = 0, gradient = 0
  end type
contains
  subroutine model_open(m, path)
    type(model), intent(inout) :: m
    character(*), intent(in) :: path
    integer :: ios
    open(newunit=m%unit, file=path, access='stream', form='unformatted', &
         status='old', action='read', iostat=ios)
    if (ios /= 0) then
      print *, 'cannot open ', path
      stop 1
    end if
    read(m%unit) m%layers, m%columns
    if (m%columns < 3) then
      print *, 'too few columns'
      stop 1
    end if
    allocate(m%table(m%layers, 3))
    read(m%unit) m%table
  end subroutine

  subroutine model_layer(m, i, l)
    type(model), intent(in) :: m
    integer, intent(in) :: i
    type(layer), intent(out) :: l
    l%depth = m%table(i, 1)
    l%velocity = m%table(i, 2)
    l%gradient = m%table(i, 3)
  end subroutine

  subroutine model_close(m)
    type(model), intent(inout) :: m
    close(m%unit)
    m%unit = -1
  end subroutine
end module

program travel_time_grid
  use model_file
  implicit none
  type(model) :: m
  type(layer) :: l
  integer :: i, k, u, out, ios
  integer, parameter :: rays = 8
  real(real64) :: depth, step, p, s, t(rays), x(rays), v, deepest
  character(256) :: path
  namelist /source/ depth, step

  depth = 10
  step = 1
  path = 'model.bin'
  if (command_argument_count() >= 1) call get_command_argument(1, path)
  open(newunit=u, file='source.nml', status='old', action='read', iostat=ios)
  if (ios == 0) then
    read(u, nml=source)
    close(u)
  end if

  call model_open(m, trim(path))
  t = 0
  x = 0
  deepest = 0
  do i = 1, m%layers
    call model_layer(m, i, l)
    if (l%depth < depth) cycle
    deepest = max(deepest, real(l%depth, real64))
    v = l%velocity + 0.01d0 * l%gradient
    do k = 1, rays
      p = 0.012d0 * k
      s = p * v
      if (s >= 1) cycle
      t(k) = t(k) + step / (v * sqrt(1 - s * s))
      x(k) = x(k) + step * s / sqrt(1 - s * s)
    end do
  end do

  open(newunit=out, file='times.txt', status='replace', action='write')
  do k = 1, rays
    write(out, '(i3,2f16.4)') k, t(k), x(k)
  end do
  close(out)
  print '(a,i8,a,f10.3)', 'layers', m%layers, ' deepest', deepest
  do k = 1, rays
    print '(a,i2,2f18.5)', 'ray', k, t(k), x(k)
  end do
  call model_close(m)
end program
