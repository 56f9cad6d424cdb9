! basins: unit-hydrograph run-off of every gauge, one folder per basin, one table per gauge
! usage: basins GAUGES OUTDIR
program basins
  implicit none
  integer, parameter :: dp = kind(1.0d0), nsteps = 240, npass = 30
  type :: gauge_t
     integer :: id, basin
     real(dp) :: area
  end type gauge_t
  type(gauge_t), allocatable :: gauges(:)
  real(dp) :: flow(nsteps), peak, total
  character(len=256) :: gaugefile, outdir
  integer :: i, n

  if (command_argument_count() /= 2) then
     write (0, '(a)') 'usage: basins GAUGES OUTDIR'
     stop 1
  end if
  call get_command_argument(1, gaugefile)
  call get_command_argument(2, outdir)
  call read_gauges(trim(gaugefile), gauges, n)
  total = 0.0_dp
  do i = 1, n
     call route(gauges(i), flow, peak)
     call store(trim(outdir), gauges(i), flow)
     total = total + peak
  end do
  write (*, '(a,i6,a,es14.6)') 'gauges', n, '  sum of peaks', total

contains

  subroutine read_gauges(path, list, count)
    character(len=*), intent(in) :: path
    type(gauge_t), allocatable, intent(out) :: list(:)
    integer, intent(out) :: count
    type(gauge_t) :: g
    character(len=120) :: line
    integer :: unit, ios
    open (newunit=unit, file=path, status='old', action='read', iostat=ios)
    if (ios /= 0) then
       write (0, '(2a)') 'basins: cannot read ', path
       stop 2
    end if
    allocate (list(10000))
    count = 0
    do
       read (unit, '(a)', iostat=ios) line
       if (ios /= 0) exit
       if (line(1:1) == '#') cycle
       read (line, *) g%id, g%basin, g%area
       count = count + 1
       list(count) = g
    end do
    close (unit)
  end subroutine read_gauges

  subroutine route(g, q, top)   ! linear reservoirs in series
    type(gauge_t), intent(in) :: g
    real(dp), intent(out) :: q(nsteps), top
    real(dp) :: rain, k, store1, store2
    integer :: t, p
    k = 2.0_dp + sqrt(g%area)/4.0_dp
    do p = 1, npass
       store1 = 0.0_dp
       store2 = 0.0_dp
       do t = 1, nsteps
          rain = max(0.0_dp, sin(0.11_dp*t + g%basin)*exp(-0.01_dp*t*p/npass))
          store1 = store1 + rain - store1/k
          store2 = store2 + store1/k - store2/(k + 1.0_dp)
          q(t) = store2/(k + 1.0_dp)*g%area/3.6_dp
       end do
    end do
    top = maxval(q)
  end subroutine route

  subroutine store(root, g, q)
    character(len=*), intent(in) :: root
    type(gauge_t), intent(in) :: g
    real(dp), intent(in) :: q(nsteps)
    character(len=300) :: folder, path
    integer :: unit, t, stat
    write (folder, '(a,a,i3.3)') root, '/basin', g%basin
    call execute_command_line('mkdir -p '//trim(folder), exitstat=stat)
    if (stat /= 0) stop 3
    write (path, '(a,a,i5.5,a)') trim(folder), '/gauge', g%id, '.txt'
    open (newunit=unit, file=trim(path)//'.part', status='replace', action='write')
    write (unit, '(a,i6,a,f10.2)') '# gauge', g%id, ' area', g%area
    do t = 1, nsteps, 4
       write (unit, '(i5,f12.4)') t, q(t)
    end do
    close (unit)
    call execute_command_line('mv '//trim(path)//'.part '//trim(path), exitstat=stat)
    if (stat /= 0) stop 4
  end subroutine store
end program basins
