! Gap model of a mixed forest: the trees of a stand grow, compete for light
! and die.  The stand lives in a direct access file, one record per tree.
module trees
  implicit none
  type tree
    integer :: species, age, alive, plot
    double precision :: dbh, height, vigour
  end type tree
  integer, parameter :: nspec = 4
  double precision, parameter :: dmax(nspec) = [ 90d0, 60d0, 120d0, 45d0 ]   ! cm
  double precision, parameter :: hmax(nspec) = [ 3500d0, 2600d0, 4200d0, 1900d0 ]
  double precision, parameter :: gro(nspec)  = [ 130d0, 160d0, 95d0, 210d0 ]
  double precision, parameter :: tol(nspec)  = [ 0.8d0, 0.4d0, 0.9d0, 0.2d0 ]
contains
  subroutine sprout(t, i)
    type(tree), intent(out) :: t
    integer, intent(in) :: i
    t%species = 1 + mod(i*7, nspec)
    t%age = mod(i*13, 60)
    t%alive = 1
    t%plot = 1 + (i-1)/50
    t%dbh = 1d0 + 0.4d0*t%age
    t%height = 137d0
    t%vigour = 1d0
  end subroutine sprout

  ! JABOWA growth equation with light response
  subroutine grow(t, shade)
    type(tree), intent(inout) :: t
    double precision, intent(in) :: shade
    double precision :: b2, b3, light, dd
    integer :: s
    s = t%species
    b2 = 2d0*(hmax(s) - 137d0)/dmax(s)
    b3 = (hmax(s) - 137d0)/dmax(s)**2
    t%height = 137d0 + b2*t%dbh - b3*t%dbh**2
    light = exp(-shade*(1.2d0 - tol(s)))
    dd = gro(s)*t%dbh*(1d0 - t%dbh*t%height/(dmax(s)*hmax(s)))/ &
         (274d0 + 3d0*b2*t%dbh - 4d0*b3*t%dbh**2)*light
    t%vigour = 0.8d0*t%vigour + 0.2d0*dd
    t%dbh = t%dbh + max(dd, 0d0)
    t%age = t%age + 1
  end subroutine grow

  subroutine maybe_die(t, i, year)
    type(tree), intent(inout) :: t
    integer, intent(in) :: i, year
    double precision :: r
    r = mod(dble(i)*0.6180339887d0 + dble(year)*0.7548776662d0, 1d0)
    if (r < 0.011d0 .or. (t%vigour < 0.05d0 .and. r < 0.3d0)) then
      call sprout(t, i + year)
      t%plot = 1 + (i-1)/50
      t%age = 0
      t%dbh = 1.0d0
    end if
  end subroutine maybe_die
end module trees

program gap
  use trees
  implicit none
  integer :: n, years, i, y, reclen, nplot
  character(len=16) :: arg
  type(tree) :: t
  double precision, allocatable :: leaf(:), leafnew(:)
  double precision :: basal, tall
  call get_command_argument(1, arg); read(arg, *) n
  call get_command_argument(2, arg); read(arg, *) years
  nplot = 1 + (n-1)/50
  allocate(leaf(nplot), leafnew(nplot))
  inquire(iolength=reclen) t

  open(21, file='stand.dat', access='direct', form='unformatted', recl=reclen, status='replace')
  do i = 1, n
    call sprout(t, i)
    write(21, rec=i) t
  end do

  leaf = 2d0
  do y = 1, years
    leafnew = 0d0
    basal = 0d0
    tall = 0d0
    do i = 1, n
      read(21, rec=i) t
      call grow(t, leaf(t%plot))
      call maybe_die(t, i, y)
      write(21, rec=i) t
      leafnew(t%plot) = leafnew(t%plot) + 1.6d-4*t%dbh**2
      basal = basal + 7.854d-5*t%dbh**2
      tall = max(tall, t%height)
    end do
    leaf = leafnew
    print '(a,i4,a,f12.4,a,f9.2,a,f8.4)', 'year', y, '  basal area', basal, '  tallest', tall, &
          '  leaf area', sum(leaf)/nplot
  end do
  close(21)
end program gap
