/* A simulation alternates between computing and saving its state.
 *
 *   before  computes, then waits for the checkpoint to be written
 *   after   the checkpoint is written by a non-blocking request while the next
 *           step is computed
 * Both write a file per checkpoint, all ranks to equal parts of it.
 */
#include "mpiio.h"

enum { COMPUTE_MS = 40 };

/* Use the processor for a while, as a simulation would. */
static void compute(void)
{
    volatile double state = 1;
    for (double until = now_s() + COMPUTE_MS / 1e3; now_s() < until;)
        state = state * 1.0000001;
}

static MPI_File open_checkpoint(uint64_t step)
{
    MPI_File file;
    count_mpi_open(MPI_File_open(MPI_COMM_WORLD, in_dir("checkpoint.%llu", (unsigned long long)step).text,
                                 MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
    return file;
}

static void write_and_wait(MPI_File file, const uint64_t *words, int bytes)
{
    MPI_Status status;
    count_mpi_write(
        MPI_File_write_at_all(file, (MPI_Offset)run.rank * bytes, words, bytes, MPI_BYTE, &status), &status,
        COLLECTIVE);
    compute();
}

static void write_while_computing(MPI_File file, const uint64_t *words, int bytes)
{
    MPI_Request request;
    MPI_Status status;
    require_mpi(MPI_File_iwrite_at(file, (MPI_Offset)run.rank * bytes, words, bytes, MPI_BYTE, &request),
                "iwrite");
    compute();
    count_mpi_waited_write(MPI_Wait(&request, &status), &status);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t steps = 5, words = scaled(1 << 17);
    uint64_t *state = new_words(words);
    double started_s = now_s();
    begin_io();
    for (uint64_t step = 0; step < steps; step++) {
        uint64_t first = (step * (uint64_t)run.nprocs + (uint64_t)run.rank) * words;
        fill_words(state, first, words);
        add_result(state, first, words);
        MPI_File file = open_checkpoint(step);
        if (is_variant("before"))
            write_and_wait(file, state, (int)(words * 8));
        else
            write_while_computing(file, state, (int)(words * 8));
        count_mpi_close(MPI_File_close(&file));
    }
    end_io();
    add_fact("period_s", (now_s() - started_s) / (double)steps);
    add_fact("phases", (double)steps);
    add_fact("compute_s", steps * COMPUTE_MS / 1e3);
    free(state);
    for (uint64_t step = 0; step < steps; step++) {
        char name[32];
        snprintf(name, sizeof name, "checkpoint.%llu", (unsigned long long)step);
        add_result_file(name, 0, words * 8 * (uint64_t)run.nprocs);
    }
    /* io_s includes the computing here: overlap is what the variants differ in. */
    if (is_variant("before"))
        expect("compute-waits-for-output",
               "periodic checkpoints, computing stands still meanwhile; write in the background");
    else
        expect("none", "checkpoints are written while the next step is computed");
    finish("checkpoint");
}
