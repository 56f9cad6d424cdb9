! Burial of organic carbon in a varved lake sediment column.
! Advection by sedimentation, bioturbation in the upper layers, first-order
! decay (fast and slow pool) and compaction of the porosity profile.
module column_mod
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nlay = 60
  type column
     real(dp) :: age = 0.0_dp
     real(dp) :: fast(nlay) = 0.0_dp, slow(nlay) = 0.0_dp, por(nlay) = 0.0_dp
  end type column
  abstract interface
     subroutine after_step(c, istep)
       import :: column
       type(column), intent(in) :: c
       integer, intent(in) :: istep
     end subroutine after_step
  end interface
contains
  subroutine init_column(c)
    type(column), intent(out) :: c
    integer :: k
    do k = 1, nlay
       c%por(k) = 0.72_dp + 0.23_dp * exp(-real(k, dp) / 18.0_dp)
    end do
  end subroutine init_column

  subroutine advance(c, dt, dz)
    type(column), intent(inout) :: c
    real(dp), intent(in) :: dt, dz
    real(dp), parameter :: wsed = 0.12_dp, kf = 0.35_dp, ks = 0.004_dp
    real(dp) :: db, season, nf(nlay), ns(nlay), upf, ups
    integer :: k
    season = 1.0_dp + 0.8_dp * sin(6.283185307_dp * c%age)
    do k = 1, nlay
       db = 0.5_dp * exp(-(k * dz / 4.0_dp)**2)
       if (k == 1) then
          upf = 3.0_dp * season
          ups = 1.0_dp * season
       else
          upf = c%fast(k-1)
          ups = c%slow(k-1)
       end if
       nf(k) = c%fast(k) + dt * (wsed * (upf - c%fast(k)) / dz - kf * c%fast(k))
       ns(k) = c%slow(k) + dt * (wsed * (ups - c%slow(k)) / dz - ks * c%slow(k))
       if (k > 1 .and. k < nlay) then
          nf(k) = nf(k) + dt * db * (c%fast(k+1) - 2*c%fast(k) + c%fast(k-1)) / dz**2
          ns(k) = ns(k) + dt * db * (c%slow(k+1) - 2*c%slow(k) + c%slow(k-1)) / dz**2
       end if
       c%por(k) = c%por(k) - dt * 1.0e-4_dp * (c%por(k) - 0.70_dp) * k * dz
    end do
    c%fast = nf
    c%slow = ns
    c%age = c%age + dt
  end subroutine advance

  subroutine integrate(c, nsteps, dt, dz, hook)
    type(column), intent(inout) :: c
    integer, intent(in) :: nsteps
    real(dp), intent(in) :: dt, dz
    procedure(after_step) :: hook
    integer, parameter :: nsub = 4
    integer :: i, k
    do i = 1, nsteps
       do k = 1, nsub
          call advance(c, dt / nsub, dz)
       end do
       call hook(c, i)
    end do
  end subroutine integrate
end module column_mod

! Keeps the resumable state of the column on disk.
module resume_mod
  use column_mod
  implicit none
  integer :: u_resume = -1
contains
  subroutine resume_open(path)
    character(*), intent(in) :: path
    open(newunit=u_resume, file=path, form='unformatted', status='replace', action='readwrite')
  end subroutine resume_open

  subroutine resume_save(c, istep)
    type(column), intent(in) :: c
    integer, intent(in) :: istep
    rewind(u_resume)
    write(u_resume) istep, c%age, c%fast, c%slow, c%por
  end subroutine resume_save

  subroutine resume_close()
    close(u_resume)
  end subroutine resume_close
end module resume_mod

program varve_column
  use column_mod
  use resume_mod
  implicit none
  type(column) :: c
  integer :: nsteps
  character(32) :: arg
  nsteps = 180000
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read(arg, *) nsteps
  end if
  call init_column(c)
  call resume_open('column.rst')
  call integrate(c, nsteps, 0.005_dp, 0.5_dp, each_step)
  call resume_close()
  print '(a,f10.3,a,f10.5,a,f10.5)', 'age ', c%age, '  fast ', sum(c%fast), '  slow ', sum(c%slow)
contains
  subroutine each_step(col, istep)
    type(column), intent(in) :: col
    integer, intent(in) :: istep
    if (mod(istep, 5000) == 0 .or. istep == nsteps) call resume_save(col, istep)
  end subroutine each_step
end program varve_column
