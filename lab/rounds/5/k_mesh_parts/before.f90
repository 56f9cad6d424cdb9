! Structural model: every rank loads its part of the partitioned mesh,
! computes lumped nodal masses and the centre of gravity of the model.
program gravity_centre
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  type :: part_t
    integer :: nnode = 0
    integer, allocatable :: gid(:)
    real(dp), allocatable :: xyz(:,:)
    real(dp), allocatable :: mass(:)
  end type part_t
  type(part_t) :: mesh
  integer :: ierr, rank, nproc, r, total_nodes
  real(dp) :: local(4), total(4)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)

  do r = 0, nproc - 1
    if (r == rank) call load_part(mesh, rank)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end do

  call lump_masses(mesh, 7850.0_dp)
  local = moment(mesh)
  call MPI_Reduce(local, total, 4, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call MPI_Reduce(mesh%nnode, total_nodes, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)

  if (rank == 0) then
    write(*, '(a,i0)') 'nodes   ', total_nodes
    write(*, '(a,es14.6)') 'mass    ', total(4)
    write(*, '(a,3es14.6)') 'centre  ', total(1:3) / total(4)
  end if
  call MPI_Finalize(ierr)

contains

  subroutine load_part(part, idx)
    type(part_t), intent(inout) :: part
    integer, intent(in) :: idx
    character(len=32) :: fname
    integer :: unit, i
    write(fname, '(a,i4.4)') 'mesh.', idx
    open(newunit=unit, file=trim(fname), access='stream', form='unformatted', &
         status='old', action='read')
    read(unit) part%nnode
    allocate(part%gid(part%nnode), part%xyz(3, part%nnode), part%mass(part%nnode))
    do i = 1, part%nnode
      read(unit) part%gid(i), part%xyz(:, i)
    end do
    close(unit)
  end subroutine load_part

  subroutine lump_masses(part, density)
    type(part_t), intent(inout) :: part
    real(dp), intent(in) :: density
    integer :: i
    do i = 1, part%nnode
      part%mass(i) = density * (1.0_dp + 0.1_dp * sin(part%xyz(1, i)) &
                     * cos(part%xyz(2, i)))
    end do
  end subroutine lump_masses

  function moment(part) result(m)
    type(part_t), intent(in) :: part
    real(dp) :: m(4)
    integer :: i
    m = 0.0_dp
    do i = 1, part%nnode
      m(1:3) = m(1:3) + part%mass(i) * part%xyz(:, i)
      m(4) = m(4) + part%mass(i)
    end do
  end function moment
end program gravity_centre
