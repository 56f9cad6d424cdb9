! Depletion of a small core.  The one-group library lives on a scratch unit as
! sequential unformatted records; materials look their nuclides up by ZAID.
      program burnup
      implicit none
      integer, parameter :: dp = kind(1.0d0)
      integer, parameter :: lulib = 21, lures = 22
      integer, parameter :: nnuc = 600, ngrp = 172
      integer :: nmat, nstep, im, is, narg
      character(len=16) :: arg
      real(dp) :: power, ktot, chk
      integer, allocatable :: tabz(:)
      real(dp), allocatable :: tabsig(:,:), tabfis(:,:)

      narg = command_argument_count()
      nmat = 12
      nstep = 4
      if (narg >= 1) then
         call get_command_argument(1, arg)
         read(arg, *) nmat
      end if
      if (narg >= 2) then
         call get_command_argument(2, arg)
         read(arg, *) nstep
      end if

      call mklib
      open(lures, file='burnup.rst', form='unformatted', status='replace')
      chk = 0.0_dp
      do is = 1, nstep
         power = 17.5_dp + 0.25_dp*is
         ktot = 0.0_dp
         do im = 1, nmat
            call deplet(im, is, power, ktot)
         end do
         write(lures) is, nmat, power, ktot
         chk = chk + ktot/nmat
         write(*, '(a,i3,a,f12.8)') ' step', is, '  mean reactivity index ', ktot/nmat
      end do
      close(lures)
      close(lulib)
      write(*, '(a,f16.10)') ' check sum ', chk

      contains

!     ------------------------------------------------------------------
      integer function zaid(i)
      integer, intent(in) :: i
      zaid = 1001 + mod(i*7919, 104729)
      end function zaid

!     ------------------------------------------------------------------
      subroutine mklib
!     writes the working library: one header and one data record a nuclide
      integer :: i, g
      real(dp) :: sig(ngrp), fis(ngrp)
      open(lulib, status='scratch', form='unformatted', access='sequential')
      do i = 1, nnuc
         do g = 1, ngrp
            sig(g) = 1.0_dp + mod(i*g, 97)/97.0_dp + 10.0_dp/real(g, dp)
            fis(g) = merge(0.6_dp*sig(g), 0.0_dp, mod(i, 9) == 0)
         end do
         write(lulib) zaid(i), ngrp
         write(lulib) sig, fis
      end do
      endfile(lulib)
      rewind(lulib)
      end subroutine mklib

!     ------------------------------------------------------------------
      subroutine fetch(iz, sig, fis)
!     find nuclide iz on the library
      integer, intent(in) :: iz
      real(dp), intent(out) :: sig(ngrp), fis(ngrp)
      integer :: jz, ng, i
      if (.not. allocated(tabz)) then
         allocate(tabz(nnuc), tabsig(ngrp,nnuc), tabfis(ngrp,nnuc))
         rewind(lulib)
         do i = 1, nnuc
            read(lulib) tabz(i), ng
            read(lulib) tabsig(:,i), tabfis(:,i)
         end do
      end if
      do jz = 1, nnuc
         if (tabz(jz) == iz) then
            sig = tabsig(:,jz)
            fis = tabfis(:,jz)
            return
         end if
      end do
      write(*, *) 'nuclide not on library ', iz
      stop 1
      end subroutine fetch

!     ------------------------------------------------------------------
      subroutine deplet(im, is, power, ktot)
      integer, intent(in) :: im, is
      real(dp), intent(in) :: power
      real(dp), intent(inout) :: ktot
      integer, parameter :: nper = 40
      real(dp) :: sig(ngrp), fis(ngrp), flux(ngrp), den, abso, prod
      integer :: j, g, i
      do g = 1, ngrp
         flux(g) = power*exp(-0.01_dp*g)/(1.0_dp + 0.1_dp*im)
      end do
      abso = 0.0_dp
      prod = 0.0_dp
      do j = 1, nper
         i = 1 + mod(j*53 + im*17, nnuc)
         call fetch(zaid(i), sig, fis)
         den = exp(-1.0e-3_dp*is*j)
         do g = 1, ngrp
            abso = abso + den*sig(g)*flux(g)
            prod = prod + den*2.43_dp*fis(g)*flux(g)
         end do
      end do
      ktot = ktot + prod/abso
      end subroutine deplet

      end program burnup
