/* PMPI_ twins of the hooks of MPI.
 *
 * Another tool that is loaded before us (Darshan, mpiP, Score-P) has the MPI_
 * functions, and calls PMPI_ ones: these would pass the recorder by. Behind a hook
 * of ours, be it of MPI_ or of Fortran, they only forward (diya_mpi_inside).
 */
#define DIYA_PMPI
#include "pmpi_names.h"

#include "hook_message_collective.c"
#include "hook_message_communicator.c"
#include "hook_message_point.c"
#include "hook_mpi_data.c"
#include "hook_mpi_file.c"
#include "hook_mpi_process.c"
#include "hook_mpi_wait.c"
