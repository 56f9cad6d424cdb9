/* Every step, the state of all ranks is saved.
 *
 *   before  a file per process and step
 *   after   one shared file for all, written collectively
 */
#include "mpiio.h"

enum { STEPS = 8 };

static void write_own_file(uint64_t step, const uint64_t *words, uint64_t bytes)
{
    int fd = count_open(POSIX, open(in_dir("state.%llu.%d", (unsigned long long)step, run.rank).text,
                                    O_CREAT | O_WRONLY, 0644));
    count_write(POSIX, write(fd, words, bytes));
    count_done(POSIX, closes, close(fd));
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t words = scaled(1 << 15), bytes = words * 8;
    uint64_t *state = new_words(words);
    MPI_File file = MPI_FILE_NULL;
    begin_io();
    if (is_variant("before"))
        counts_all_of(POSIX);
    else
        count_mpi_open(MPI_File_open(MPI_COMM_WORLD, in_dir("state.dat").text,
                                     MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
    for (uint64_t step = 0; step < STEPS; step++) {
        uint64_t part = step * (uint64_t)run.nprocs + (uint64_t)run.rank;
        fill_words(state, part * words, words);
        add_result(state, part * words, words);
        if (is_variant("before")) {
            write_own_file(step, state, bytes);
        } else {
            MPI_Status status;
            count_mpi_write(
                MPI_File_write_at_all(file, (MPI_Offset)(part * bytes), state, (int)bytes, MPI_BYTE, &status),
                &status, COLLECTIVE);
        }
    }
    if (is_variant("after"))
        count_mpi_close(MPI_File_close(&file));
    wait_for_all();
    end_io();
    free(state);
    for (int part = 0; part < STEPS * run.nprocs && is_variant("before"); part++) {
        char name[32];
        snprintf(name, sizeof name, "state.%d.%d", part / run.nprocs, part % run.nprocs);
        add_result_file(name, 0, bytes);
    }
    if (is_variant("before")) {
        expect("file-per-process", "files grow with ranks times steps; write one shared file collectively");
    } else {
        add_result_file("state.dat", 0, bytes * STEPS * (uint64_t)run.nprocs);
        expect("none", "one shared file, collective writes");
    }
    add_fact("files", is_variant("before") ? STEPS * run.nprocs : 1);
    finish("file_per_process");
}
