! Lennard-Jones argon in a periodic box (reduced units): velocity Verlet with a
! cell list; positions and velocities of all atoms are kept for later analysis.
program argon
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: ncell = 14, n = ncell**3
  real(dp), parameter :: density = 0.5_dp, rcut = 2.5_dp, dt = 0.004_dp
  real(dp) :: r(3,n), v(3,n), f(3,n), box, epot, ekin
  integer :: nsteps, every, step, u
  character(len=32) :: arg

  nsteps = 120; every = 1
  if (command_argument_count() >= 1) then
    call get_command_argument(1, arg); read(arg, *) nsteps
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, arg); read(arg, *) every
  end if
  box = (n/density)**(1.0_dp/3)
  call lattice()
  call forces()
  open(newunit=u, file='argon.trj', status='replace')
  do step = 1, nsteps
    v = v + 0.5_dp*dt*f
    r = r + dt*v
    r = r - box*floor(r/box)
    call forces()
    v = v + 0.5_dp*dt*f
    if (mod(step, every) == 0) call save_frame(step)
  end do
  close(u)
  ekin = 0.5_dp*sum(v**2)
  print '(a,f10.5,a,f10.5)', 'potential per atom ', epot/n, '  kinetic per atom ', ekin/n

contains

  subroutine lattice()
    integer :: i, j, k, m, ns
    integer, allocatable :: seed(:)
    call random_seed(size=ns)
    allocate(seed(ns)); seed = 1234
    call random_seed(put=seed)
    m = 0
    do k = 0, ncell-1
      do j = 0, ncell-1
        do i = 0, ncell-1
          m = m + 1
          r(:,m) = ([i, j, k] + 0.5_dp)*box/ncell
        end do
      end do
    end do
    call random_number(v)
    v = 3.0_dp*(v - 0.5_dp)
    do i = 1, 3
      v(i,:) = v(i,:) - sum(v(i,:))/n
    end do
  end subroutine

  subroutine forces()
    integer, parameter :: mx = 8
    integer :: head(0:mx-1,0:mx-1,0:mx-1), next(n), c(3), d(3), i, j, nc, a, b, g
    real(dp) :: dr(3), r2, s6, w
    nc = min(mx, int(box/rcut))
    head = 0
    do i = 1, n
      c = min(nc-1, int(r(:,i)/box*nc))
      next(i) = head(c(1),c(2),c(3)); head(c(1),c(2),c(3)) = i
    end do
    f = 0; epot = 0
    do i = 1, n
      c = min(nc-1, int(r(:,i)/box*nc))
      do g = -1, 1
        do b = -1, 1
          do a = -1, 1
            d = modulo(c + [a, b, g], nc)
            j = head(d(1),d(2),d(3))
            do while (j > 0)
              if (j > i) then
                dr = r(:,i) - r(:,j)
                dr = dr - box*nint(dr/box)
                r2 = dot_product(dr, dr)
                if (r2 < rcut**2) then
                  s6 = 1.0_dp/r2**3
                  epot = epot + 4*s6*(s6 - 1)
                  w = 48*s6*(s6 - 0.5_dp)/r2
                  f(:,i) = f(:,i) + w*dr
                  f(:,j) = f(:,j) - w*dr
                end if
              end if
              j = next(j)
            end do
          end do
        end do
      end do
    end do
  end subroutine

  subroutine save_frame(step)
    integer, intent(in) :: step
    integer :: i
    write(u, '(a,i8,2f14.6)') 'frame', step, step*dt, box
    do i = 1, n
      write(u, '(i6,3f16.9,3es18.9)') i, r(:,i), v(:,i)
    end do
  end subroutine
end program
