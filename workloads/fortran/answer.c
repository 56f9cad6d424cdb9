/* c/answer.h as functions that Fortran can bind to (fortran/answer.f90).
 *
 * The Fortran programs call MPI_Init and MPI_Finalize themselves, so that their
 * MPI is Fortran from beginning to end.
 */
#include "answer.h"

void workload_start(int argc, char **argv, const char *variants)
{
    start(argc, argv, strdup(variants));
}

int workload_rank(void)
{
    return run.rank;
}

int workload_nprocs(void)
{
    return run.nprocs;
}

int64_t workload_scaled(int64_t base)
{
    return (int64_t)scaled((uint64_t)base);
}

bool workload_is_variant(const char *name)
{
    return is_variant(name);
}

/* Fortran asks for the directory and puts the name behind it. */
void workload_dir(char *dir, int room)
{
    snprintf(dir, (size_t)room, "%s", run.dir);
}

void workload_counts_all_of(enum layer layer)
{
    counts_all_of(layer);
}

void workload_count(enum layer layer, enum counter counter, int64_t amount)
{
    count(layer, counter, (uint64_t)amount);
}

void workload_fill(uint64_t *words, int64_t first_index, int64_t word_count)
{
    fill_words(words, (uint64_t)first_index, (uint64_t)word_count);
}

void workload_add_result(const uint64_t *words, int64_t first_index, int64_t word_count)
{
    add_result(words, (uint64_t)first_index, (uint64_t)word_count);
}

void workload_begin_io(void)
{
    begin_io();
}

void workload_end_io(void)
{
    wait_for_all();
    end_io();
}

int64_t workload_size(const char *name)
{
    return raw_size(in_dir("%s", name).text);
}

void workload_add_file(const char *name)
{
    add_file(name);
}

void workload_add_result_file(const char *name, int64_t offset, int64_t bytes)
{
    add_result_file(name, (uint64_t)offset, (uint64_t)bytes);
}

void workload_expect(const char *root_cause, const char *text)
{
    expect(strdup(root_cause), strdup(text)); /* Fortran's strings end with the call */
}

void workload_write_answer(const char *workload)
{
    write_answer(workload);
}
