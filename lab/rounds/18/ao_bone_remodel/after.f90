! Remodelling of trabecular bone: the density of a slice of the femoral head follows the
! strain energy that osteocytes sense about them.
!
! The slice is cut into strips along the medial axis, one a rank. The strain energy comes
! from a relaxed potential under the load of the hip joint, which turns during a gait cycle.
! The table of densities holds a line for each row of each day, rows in order.
!
! usage: remodel nx ny days
program remodel
  use mpi
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: sweeps = 4
  real(real64), parameter :: reference = 0.0025_real64, rate = 0.02_real64, reach = 0.35_real64
  integer :: nx, ny, days, rank, ranks, ierr, rows, first, below, above, day, s, i, j
  real(real64), allocatable :: density(:, :), u(:, :), energy(:, :)
  real(real64) :: ux, uy, mass, total
  character(len=32) :: word
  character(len=:), allocatable :: lines(:)
  integer :: table

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  nx = argument(1, 512)
  ny = argument(2, 256)
  days = argument(3, 80)
  rows = ny / ranks
  first = rank * rows
  below = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  above = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)

  allocate(density(nx, 0:rows + 1), u(nx, 0:rows + 1), energy(nx, 0:rows + 1))
  do j = 0, rows + 1
    do i = 1, nx
      density(i, j) = 0.8_real64 + 0.1_real64 * sin(0.37_real64 * i) * cos(0.23_real64 * (first + j))
      u(i, j) = real(first + j, real64) / ny
    end do
  end do
  energy = 0

  allocate(character(len=11 + 8 * nx + 1) :: lines(rows))
  if (rank == 0) call MPI_File_delete('density.table', MPI_INFO_NULL, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_File_open(MPI_COMM_WORLD, 'density.table', ior(MPI_MODE_CREATE, MPI_MODE_WRONLY), &
                     MPI_INFO_NULL, table, ierr)
  do day = 1, days
    if (above == MPI_PROC_NULL) call load_joint(0.3_real64 * sin(0.4_real64 * day))
    do s = 1, sweeps
      call exchange(u)
      do j = merge(2, 1, rank == 0), merge(rows - 1, rows, rank == ranks - 1)
        do i = 2, nx - 1
          u(i, j) = u(i, j) + 0.9_real64 * ((density(i - 1, j) * u(i - 1, j) + density(i + 1, j) * u(i + 1, j) + &
            density(i, j - 1) * u(i, j - 1) + density(i, j + 1) * u(i, j + 1)) / (density(i - 1, j) + &
            density(i + 1, j) + density(i, j - 1) + density(i, j + 1)) - u(i, j))
        end do
      end do
    end do
    call exchange(u)
    do j = 1, rows
      do i = 2, nx - 1
        ux = 0.5_real64 * (u(i + 1, j) - u(i - 1, j)) * nx
        uy = 0.5_real64 * (u(i, j + 1) - u(i, j - 1)) * ny
        energy(i, j) = density(i, j) * (ux * ux + uy * uy)
      end do
    end do
    call exchange(energy)
    call adapt()
    call exchange(density)
    call report()
  end do

  call MPI_File_close(table, ierr)
  mass = sum(density(:, 1:rows))
  call MPI_Reduce(mass, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,f12.6)', 'mean density ', total / (real(nx, real64) * ny)
  call MPI_Finalize(ierr)

contains

  integer function argument(k, otherwise)
    integer, intent(in) :: k, otherwise
    argument = otherwise
    if (command_argument_count() < k) return
    call get_command_argument(k, word)
    read(word, *) argument
  end function argument

  ! Puts the rows of this rank into the table; the lines are of one length.
  subroutine report()
    integer :: row, length
    length = 11 + 8 * nx + 1
    do row = 1, rows
      write(lines(row)(1:length - 1), '(i5,i6,*(f8.5))') day, first + row, density(:, row)
      lines(row)(length:length) = new_line('a')
    end do
    call MPI_File_write_at(table, int(length, MPI_OFFSET_KIND) * ((day - 1) * ny + first), lines, &
                           rows * length, MPI_CHARACTER, MPI_STATUS_IGNORE, ierr)
  end subroutine report

  ! The displacement under the cartilage, highest where the joint presses.
  subroutine load_joint(turn)
    real(real64), intent(in) :: turn
    real(real64) :: x
    integer :: i
    do i = 1, nx
      x = real(i, real64) / nx - 0.5_real64 - turn
      u(i, rows) = 1 - 0.6_real64 * exp(-20 * x * x)
    end do
  end subroutine load_joint

  ! Bone grows where the sensed energy is above the reference, and is resorbed elsewhere.
  subroutine adapt()
    real(real64) :: sensed
    integer :: i, j
    do j = 1, rows
      do i = 2, nx - 1
        sensed = (1 - reach) * energy(i, j) + 0.25_real64 * reach * &
                 (energy(i - 1, j) + energy(i + 1, j) + energy(i, j - 1) + energy(i, j + 1))
        density(i, j) = density(i, j) + rate * 1e-3_real64 * (sensed / density(i, j) - reference)
        density(i, j) = min(1.74_real64, max(0.05_real64, density(i, j)))
      end do
    end do
  end subroutine adapt

  subroutine exchange(a)
    real(real64), intent(inout) :: a(nx, 0:rows + 1)
    call MPI_Sendrecv(a(1, 1), nx, MPI_DOUBLE_PRECISION, below, 1, a(1, rows + 1), nx, &
                      MPI_DOUBLE_PRECISION, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(a(1, rows), nx, MPI_DOUBLE_PRECISION, above, 2, a(1, 0), nx, &
                      MPI_DOUBLE_PRECISION, below, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine exchange

end program remodel
