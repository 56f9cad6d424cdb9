program soil_hydraulics
  ! Plant available water on a soil map, van Genuchten/Mualem.
  !
  ! Parameters come from a texture map (pedotransfer function); where a
  ! profile was dug, its measured parameters in profiles/ are used instead.
  implicit none
  integer, parameter :: dp = selected_real_kind(12)
  type soil
     real(dp) :: thr, ths, alpha, n, ks
  end type soil
  integer :: nx, ny, i, j, ndug, u
  real(dp), allocatable :: paw(:,:), drain(:,:)
  type(soil) :: s
  logical :: measured
  character(len=16) :: arg

  nx = 200
  ny = 140
  if (command_argument_count() >= 2) then
     call get_command_argument(1, arg); read(arg,*) nx
     call get_command_argument(2, arg); read(arg,*) ny
  end if
  allocate(paw(nx,ny), drain(nx,ny))
  ndug = 0
  do j = 1, ny
     do i = 1, nx
        s = texture_soil(i, j)
        call dug_profile(i, j, s, measured)
        if (measured) ndug = ndug + 1
        paw(i,j)   = available_water(s)
        drain(i,j) = drainage(s, 240)
     end do
  end do

  open(newunit=u, file='paw.bin', form='unformatted', access='stream', status='replace')
  write(u) nx, ny
  write(u) real(paw)
  write(u) real(drain)
  close(u)
  print '(a,i0,a,f8.3,a,f8.4)', 'dug ', ndug, '  paw mean ', sum(paw)/size(paw), &
        '  drainage ', sum(drain)/size(drain)

contains

  ! smooth synthetic clay/sand fields through a simple pedotransfer function
  function texture_soil(i, j) result(s)
    integer, intent(in) :: i, j
    type(soil) :: s
    real(dp) :: clay, sand
    clay = 0.25_dp + 0.15_dp*sin(0.031_dp*i)*cos(0.017_dp*j)
    sand = 0.40_dp + 0.30_dp*cos(0.011_dp*(i+j))
    s%thr   = 0.02_dp + 0.15_dp*clay
    s%ths   = 0.505_dp - 0.142_dp*sand - 0.037_dp*clay
    s%alpha = exp(-4.0_dp + 2.2_dp*sand - 0.8_dp*clay)
    s%n     = 1.08_dp + 0.9_dp*sand**2
    s%ks    = 10.0_dp**(-0.6_dp + 1.26_dp*sand - 0.64_dp*clay)*24.0_dp
  end function texture_soil

  subroutine dug_profile(i, j, s, found)
    integer, intent(in) :: i, j
    type(soil), intent(inout) :: s
    logical, intent(out) :: found
    character(len=40) :: name
    integer :: up, ios
    write(name, '(a,i4.4,a,i4.4,a)') 'profiles/cell_', i, '_', j, '.par'
    open(newunit=up, file=trim(name), status='old', action='read', iostat=ios)
    found = ios == 0
    if (.not. found) return
    read(up, *) s%thr, s%ths, s%alpha, s%n, s%ks
    close(up)
  end subroutine dug_profile

  pure function theta(s, h) result(th)
    type(soil), intent(in) :: s
    real(dp), intent(in) :: h
    real(dp) :: th
    th = s%thr + (s%ths - s%thr)/(1.0_dp + (s%alpha*h)**s%n)**(1.0_dp - 1.0_dp/s%n)
  end function theta

  ! water between field capacity (pF 2.5) and wilting point (pF 4.2), mm per dm
  pure function available_water(s) result(w)
    type(soil), intent(in) :: s
    real(dp) :: w
    w = 100.0_dp*(theta(s, 316.0_dp) - theta(s, 15849.0_dp))
  end function available_water

  ! free drainage from near saturation during nday days, mm
  pure function drainage(s, nday) result(d)
    type(soil), intent(in) :: s
    integer, intent(in) :: nday
    real(dp) :: d, th, se, k, m
    integer :: it
    m  = 1.0_dp - 1.0_dp/s%n
    th = s%ths - 0.02_dp
    d  = 0.0_dp
    do it = 1, nday
       se = max(1.0e-6_dp, (th - s%thr)/(s%ths - s%thr))
       k  = s%ks*sqrt(se)*(1.0_dp - (1.0_dp - se**(1.0_dp/m))**m)**2
       k  = min(k*0.05_dp, th - s%thr)
       th = th - 0.2_dp*k
       d  = d + 10.0_dp*k
    end do
  end function drainage
end program soil_hydraulics
