/* Nothing to improve: one shared file, equal aligned parts, collective writes
 * of 4 MiB per rank, read back the same way; most of the time is computing.
 * A diagnosis that finds a problem here is wrong.
 */
#include "mpiio.h"

enum { REQUEST_BYTES = 1 << 22, REQUEST_WORDS = REQUEST_BYTES / 8 };

/* Use the processor for a while, as a simulation would. */
static void compute(double seconds)
{
    volatile double state = 1;
    for (double until = now_s() + seconds; now_s() < until;)
        state = state * 1.0000001;
}

int main(int argc, char **argv)
{
    start(argc, argv, "before");
    uint64_t requests = scaled(2);
    uint64_t *words = new_words(REQUEST_WORDS);
    MPI_File file;
    MPI_Status status;
    compute(0.3 * run.scale);
    begin_io();
    count_mpi_open(MPI_File_open(MPI_COMM_WORLD, in_dir("field.dat").text, MPI_MODE_CREATE | MPI_MODE_RDWR,
                                 MPI_INFO_NULL, &file));
    for (uint64_t k = 0; k < requests; k++) {
        uint64_t part = k * (uint64_t)run.nprocs + (uint64_t)run.rank;
        fill_words(words, part * REQUEST_WORDS, REQUEST_WORDS);
        count_mpi_write(MPI_File_write_at_all(file, (MPI_Offset)part * REQUEST_BYTES, words, REQUEST_BYTES,
                                              MPI_BYTE, &status),
                        &status, COLLECTIVE);
    }
    for (uint64_t k = 0; k < requests; k++) {
        uint64_t part = k * (uint64_t)run.nprocs + (uint64_t)run.rank;
        memset(words, 0, REQUEST_BYTES);
        count_mpi_read(MPI_File_read_at_all(file, (MPI_Offset)part * REQUEST_BYTES, words, REQUEST_BYTES,
                                            MPI_BYTE, &status),
                       &status, COLLECTIVE);
        add_result(words, part * REQUEST_WORDS, REQUEST_WORDS);
    }
    count_mpi_close(MPI_File_close(&file));
    end_io();
    free(words);
    add_result_file("field.dat", 0, requests * (uint64_t)run.nprocs * REQUEST_BYTES);
    expect("none", "nothing to improve");
    finish("well_behaved");
}
