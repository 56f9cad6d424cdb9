module column_model
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: nz = 400
  real(dp), parameter :: dz = 2.5_dp, dt = 60.0_dp
contains

  subroutine initialise(temp, salt)
    real(dp), intent(out) :: temp(:, :), salt(:, :)
    integer :: k, c
    do c = 1, size(temp, 2)
      do k = 1, nz
        temp(k, c) = 4.0_dp + 18.0_dp * exp(-real(k, dp) * dz / 150.0_dp) + 0.01_dp * c
        salt(k, c) = 35.0_dp - 0.8_dp * exp(-real(k, dp) * dz / 60.0_dp)
      end do
    end do
  end subroutine initialise

  subroutine mix_column(t, kappa, surface_flux)
    real(dp), intent(inout) :: t(:)
    real(dp), intent(in) :: kappa, surface_flux
    real(dp) :: flux(0:nz)
    integer :: k
    flux(0) = surface_flux
    do k = 1, nz - 1
      flux(k) = -kappa * (t(k + 1) - t(k)) / dz
    end do
    flux(nz) = 0.0_dp
    do k = 1, nz
      t(k) = t(k) - dt * (flux(k) - flux(k - 1)) / dz
    end do
  end subroutine mix_column

  subroutine write_snapshot(lun, day, temp, salt)
    integer, intent(in) :: lun, day
    real(dp), intent(in) :: temp(:, :), salt(:, :)
    integer :: c, k
    write (lun, '(a,i6,2i8)') 'snapshot', day, nz, size(temp, 2)
    do c = 1, size(temp, 2)
      do k = 1, nz
        write (lun, '(2es25.16)') temp(k, c), salt(k, c)
      end do
    end do
  end subroutine write_snapshot

end module column_model

program ocean_column
  use column_model
  implicit none
  integer, parameter :: ncol = 60
  real(dp) :: temp(nz, ncol), salt(nz, ncol), heat
  integer :: nsnap, day, c, step, lun
  character(len=32) :: arg

  nsnap = 20
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg)
    read (arg, *) nsnap
  end if

  call initialise(temp, salt)
  open (newunit=lun, file='columns.dat', status='replace', action='write')
  do day = 1, nsnap
    do step = 1, 24
      heat = 2.0e-5_dp * sin(6.2831853_dp * step / 24.0_dp)
      do c = 1, ncol
        call mix_column(temp(:, c), 1.0e-3_dp, heat)
        call mix_column(salt(:, c), 8.0e-4_dp, 0.0_dp)
      end do
    end do
    call write_snapshot(lun, day, temp, salt)
  end do
  close (lun)
  print '(a,2es20.12)', 'mean T, S: ', sum(temp) / size(temp), sum(salt) / size(salt)
end program ocean_column
