/* Rows cost more the larger their number, and all ranks meet after each step.
 *
 *   before  each rank has a block of rows: the last one works several times as long
 *   after   the rows are dealt out in turn
 *
 * The result is written once: I/O is not what takes the time.
 */
#include "answer.h"

#include <time.h>

enum { STEPS = 5, ROWS = 16 };

static double processor_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Row n takes n times as long as row 1. */
static void compute(int row)
{
    double until_s = processor_s() + row * 0.5e-3;
    while (processor_s() < until_s)
        ;
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    int is_in_turn = is_variant("after"), rows = ROWS * run.nprocs;
    uint64_t *piece = new_words(1024);
    counts_all_of(POSIX);
    begin_io();
    for (int step = 0; step < (int)scaled(STEPS); step++) {
        for (int row = 0; row < rows; row++)
            if (run.rank == (is_in_turn ? row % run.nprocs : row / ROWS))
                compute(row);
        wait_for_all();
    }
    int fd = count_open(POSIX, open(in_dir("result.dat").text, O_CREAT | O_WRONLY, 0644));
    fill_words(piece, (uint64_t)run.rank * 1024, 1024);
    add_result(piece, (uint64_t)run.rank * 1024, 1024);
    count_write(POSIX, pwrite(fd, piece, 8192, (off_t)run.rank * 8192));
    count_done(POSIX, closes, close(fd));
    wait_for_all();
    end_io();
    free(piece);
    add_result_file("result.dat", 0, (uint64_t)run.nprocs * 8192);
    if (is_in_turn)
        expect("none", "equal work on every rank");
    else
        expect("uneven-work", "the last rank computes longer; deal the rows out in turn");
    finish("uneven_work");
}
