! Books tracer deposits of atmospheric parcels on the cells of a soil grid that
! lives in a direct access file.
module soil_store
  use iso_fortran_env, only: real64, int64
  implicit none
  integer, parameter :: nspec = 6
  type cell_state
     real(real64) :: mass(nspec)
     real(real64) :: age
     integer(int64) :: visits
  end type cell_state
contains

  subroutine create_store(path, ncell)
    character(*), intent(in) :: path
    integer, intent(in) :: ncell
    type(cell_state) :: cell
    integer :: u, i, length
    cell%mass = 0.0_real64
    cell%age = 0.0_real64
    cell%visits = 0
    inquire(iolength=length) cell%mass, cell%age, cell%visits
    open(newunit=u, file=path, access='direct', form='unformatted', &
         recl=length, status='replace')
    do i = 1, ncell
       write(u, rec=i) cell%mass, cell%age, cell%visits
    end do
    close(u)
  end subroutine create_store

  subroutine book(cell, species, amount, time)
    type(cell_state), intent(inout) :: cell
    integer, intent(in) :: species
    real(real64), intent(in) :: amount, time
    cell%mass = cell%mass * 0.9995_real64
    cell%mass(species) = cell%mass(species) + amount
    cell%age = 0.5_real64 * (cell%age + time)
    cell%visits = cell%visits + 1
  end subroutine book

end module soil_store

program deposit_ledger
  use soil_store
  implicit none
  integer, parameter :: ncell = 40000
  integer :: nparcel, i, where, species, u, length
  integer(int64) :: seed
  type(cell_state) :: cell
  type(cell_state), allocatable :: grid(:)
  real(real64) :: amount, total
  integer(int64) :: most
  character(32) :: arg

  nparcel = 40000
  if (command_argument_count() >= 1) then
     call get_command_argument(1, arg)
     read(arg, *) nparcel
  end if

  call create_store('soil.dat', ncell)
  inquire(iolength=length) cell%mass, cell%age, cell%visits
  open(newunit=u, file='soil.dat', access='direct', form='unformatted', &
       recl=length, status='old', action='readwrite')
  allocate(grid(ncell))
  do i = 1, ncell
     read(u, rec=i) grid(i)%mass, grid(i)%age, grid(i)%visits
  end do
  seed = 12345
  do i = 1, nparcel
     seed = mod(seed * 1103515245_int64 + 12345_int64, 2147483648_int64)
     where = 1 + int(mod(seed / 64, int(ncell, int64)))
     species = 1 + int(mod(seed / 1024, int(nspec, int64)))
     amount = 1.0e-3_real64 * real(mod(seed, 1000_int64), real64)
     call book(grid(where), species, amount, real(i, real64))
  end do
  do i = 1, ncell
     write(u, rec=i) grid(i)%mass, grid(i)%age, grid(i)%visits
  end do
  close(u)

  open(newunit=u, file='soil.dat', access='direct', form='unformatted', &
       recl=length, status='old', action='read')
  total = 0.0_real64
  most = 0
  do i = 1, ncell
     read(u, rec=i) cell%mass, cell%age, cell%visits
     total = total + sum(cell%mass)
     most = max(most, cell%visits)
  end do
  close(u)
  print '(a,i0,a,f16.8,a,i0)', 'parcels ', nparcel, '  mass ', total, &
       '  most visits ', most
end program deposit_ledger
