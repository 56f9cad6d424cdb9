! One dimensional discrete ordinates with an old style scratch unit: angular
! fluxes of each group are kept on a scratch unit, written once per outer
! iteration and read back when the next source is built.
program slab
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: lusc = 31
  integer, parameter :: nx = 600, ng = 8, na = 16
  real(dp) :: mu(na), wt(na)
  real(dp) :: sigt(ng), sigs(ng, ng), phi(nx, ng), psi(nx, na)
  real(dp) :: q(nx), old, err, total, dx
  integer :: outer, nouter, g, gp, a, it
  character(len=12) :: arg

  nouter = 20
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read (arg, *) nouter
  end if
  dx = 0.05_dp
  call angles
  call xsec
  open (lusc, status='scratch', form='unformatted')
  phi = 1.0_dp
  psi = 0.0_dp
  do g = 1, ng
    write (lusc) g, psi
  end do

  do outer = 1, nouter
    old = sum(phi)
    rewind (lusc)
    do g = 1, ng
      read (lusc) gp, psi
      if (gp /= g) stop 'scratch unit out of step'
      phi(:, g) = 0.5_dp*phi(:, g) + 0.5_dp*max(matmul(psi, wt), 0.01_dp)
    end do
    rewind (lusc)
    do g = 1, ng
      do it = 1, 24
        q = 0.0_dp
        do gp = 1, ng
          q = q + sigs(gp, g)*phi(:, gp)
        end do
        q = 0.5_dp*(q + merge(1.0_dp, 0.0_dp, g == 1))
        call sweep(g)
      end do
      write (lusc) g, psi
    end do
    err = abs(sum(phi) - old)/old
    if (mod(outer, 10) == 0) write (*, '(a,i4,a,es12.4)') ' outer', outer, '  change', err
  end do

  total = 0.0_dp
  do g = 1, ng
    total = total + sum(phi(:, g))*dx
    write (*, '(a,i3,f16.8)') ' group', g, sum(phi(:, g))*dx
  end do
  write (*, '(a,f16.8)') ' total flux', total
  close (lusc)

contains

  subroutine angles
    integer :: i
    do i = 1, na
      mu(i) = -1.0_dp + (2.0_dp*i - 1.0_dp)/na
      wt(i) = 2.0_dp/na
    end do
  end subroutine angles

  subroutine xsec
    integer :: i, j
    do i = 1, ng
      sigt(i) = 1.0_dp + 0.1_dp*i
      do j = 1, ng
        sigs(i, j) = 0.0_dp
        if (j >= i .and. j <= i + 2) sigs(i, j) = 0.25_dp*sigt(i)
      end do
    end do
  end subroutine xsec

  subroutine sweep(g)
    integer, intent(in) :: g
    integer :: i
    real(dp) :: in, out, c
    do a = 1, na
      in = 0.0_dp
      c = 2.0_dp*abs(mu(a))/dx
      if (mu(a) > 0.0_dp) then
        do i = 1, nx
          psi(i, a) = (q(i) + c*in)/(sigt(g) + c)
          out = 2.0_dp*psi(i, a) - in
          in = max(out, 0.0_dp)
        end do
      else
        do i = nx, 1, -1
          psi(i, a) = (q(i) + c*in)/(sigt(g) + c)
          out = 2.0_dp*psi(i, a) - in
          in = max(out, 0.0_dp)
        end do
      end if
    end do
    phi(:, g) = matmul(psi, wt)
  end subroutine sweep

end program slab
