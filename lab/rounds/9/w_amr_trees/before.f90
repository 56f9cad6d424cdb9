! Blast wave toy on a forest of block-refined trees. Each tree is advanced by
! its owner, which also appends the blocks of the tree to the tree's plot file.
program amr_trees
  use mpi
  implicit none
  integer, parameter :: nb = 8, ntree = 24, nvar = 4
  integer, parameter :: offkind = MPI_OFFSET_KIND
  type tree_t
     integer :: id, nblock
     real(8), allocatable :: q(:,:,:,:,:)     ! cell, cell, cell, variable, block
     integer :: fh
  end type tree_t
  type(tree_t), allocatable :: mine(:)
  integer :: ierr, rank, nproc, ndump, nstep, i, t, s, n, k
  integer :: nblock(ntree), owner(ntree)
  real(8) :: local(2), total(2), shock
  character(len=32) :: arg

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  ndump = 8
  if (command_argument_count() > 0) then
     call get_command_argument(1, arg)
     read (arg, *) ndump
  end if

  do t = 1, ntree
     nblock(t) = blocks_in_tree(t)
  end do
  call assign_owners(owner)

  n = count(owner == rank)
  allocate (mine(n))
  k = 0
  do t = 1, ntree
     if (owner(t) /= rank) cycle
     k = k + 1
     mine(k)%id = t
     mine(k)%nblock = nblock(t)
     allocate (mine(k)%q(nb, nb, nb, nvar, nblock(t)))
     call init_tree(mine(k))
     call open_plot(mine(k))
  end do

  shock = 0.05d0
  do s = 1, ndump
     do nstep = 1, 2
        shock = shock + 0.01d0
        do i = 1, n
           call advance(mine(i), shock)
        end do
     end do
     do i = 1, n
        call write_plot(mine(i))
     end do
     local = 0d0
     do i = 1, n
        local(1) = local(1) + sum(mine(i)%q(:,:,:,1,:))
        local(2) = local(2) + sum(mine(i)%q(:,:,:,4,:))
     end do
     call MPI_Allreduce(local, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
     if (rank == 0) print '(a,i3,2f18.6)', 'dump', s, total
  end do
  do i = 1, n
     call MPI_File_close(mine(i)%fh, ierr)
  end do
  call MPI_Finalize(ierr)

contains

  integer function blocks_in_tree(t) result(m)
    integer, intent(in) :: t
    m = 32                                 ! quiet gas
    if (t <= 6) m = 500                    ! trees cut by the blast
  end function blocks_in_tree

  subroutine assign_owners(own)
    integer, intent(out) :: own(ntree)
    integer :: j
    do j = 1, ntree
       own(j) = (j - 1) * nproc / ntree
    end do
  end subroutine assign_owners

  subroutine init_tree(tr)
    type(tree_t), intent(inout) :: tr
    integer :: b, v
    do b = 1, tr%nblock
       do v = 1, nvar
          tr%q(:,:,:,v,b) = 1d0 + 0.01d0 * v + 1d-4 * mod(b * 7 + tr%id * 3, 13)
       end do
       tr%q(3:6,3:6,3:6,4,b) = 2d0
    end do
  end subroutine init_tree

  subroutine advance(tr, shock)
    type(tree_t), intent(inout) :: tr
    real(8), intent(in) :: shock
    integer :: b
    real(8) :: f
    do b = 1, tr%nblock
       f = shock * dble(b) / tr%nblock
       tr%q(:,:,:,1,b) = tr%q(:,:,:,1,b) + 0.05d0 * f * (tr%q(:,:,:,4,b) - tr%q(:,:,:,1,b))
       tr%q(:,:,:,4,b) = tr%q(:,:,:,4,b) - 0.02d0 * f * tr%q(:,:,:,1,b)
       tr%q(2:nb,:,:,2,b) = 0.5d0 * (tr%q(2:nb,:,:,2,b) + tr%q(1:nb-1,:,:,4,b))
    end do
  end subroutine advance

  subroutine open_plot(tr)
    type(tree_t), intent(inout) :: tr
    character(len=20) :: name
    write (name, '(a,i2.2,a)') 'tree_', tr%id, '.plt'
    call MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, tr%fh, ierr)
  end subroutine open_plot

  subroutine write_plot(tr)
    type(tree_t), intent(in) :: tr
    integer :: b, v
    do b = 1, tr%nblock
       do v = 1, nvar
          call MPI_File_write(tr%fh, tr%q(1,1,1,v,b), nb**3, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
       end do
    end do
  end subroutine write_plot
end program amr_trees
