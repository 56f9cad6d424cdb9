/* The same blocks by ADIOS2 (BP5). The builds that are easy to get (PyPI) have no MPI: each rank has
 * an ADIOS2 of its own. Like is compared with like, the same bytes in the same order on disk:
 *
 *   slabs: each rank has a file of its own, in which its block lies in one piece, as it does in the
 *          shared file of the others. A round is a step: the writer appends it, the reader gets
 *          the newest one.
 *   else:  one process has written the whole array in one piece, which is in C order, and every
 *          rank reads its block of it. Writes are left out: ADIOS2 puts each rank's block in one
 *          piece, whatever it is, so that its writes are those of slabs.
 */
#include "bench.h"

#include <adios2_c.h>

struct opened {
    adios2_adios *adios;
    adios2_io *writing, *reading;
    adios2_engine *writer, *reader;
    adios2_variable *variable;
    char path[700];
    int is_whole, rank;
    long written, read;
};

static int is_in_one_piece(const struct blocks *blocks)
{
    return blocks->divided == 0;
}

static size_t *sizes(size_t to[DIMS], const int64_t from[DIMS])
{
    for (int d = 0; d < DIMS; d++)
        to[d] = (size_t)from[d];
    return to;
}

/* Ready to write `count` elements from `start` on. */
static void begin_writing(struct opened *it, const struct blocks *blocks, const int64_t from[DIMS],
                          const int64_t elements[DIMS])
{
    size_t shape[DIMS], start[DIMS], count[DIMS];
    it->writing = adios2_declare_io(it->adios, "writing");
    adios2_set_engine(it->writing, "BP5");
    it->variable = adios2_define_variable(it->writing, "field", adios2_type_double, (size_t)blocks->dims,
                                          sizes(shape, blocks->shape), sizes(start, from), sizes(count, elements),
                                          adios2_constant_dims_true);
    it->writer = adios2_open(it->writing, it->path, adios2_mode_write);
    need(it->variable != NULL && it->writer != NULL, "adios2_open");
}

static void write_step(struct opened *it, const double *values)
{
    adios2_step_status status;
    need(!adios2_begin_step(it->writer, adios2_step_mode_append, -1, &status) &&
             !adios2_put(it->writer, it->variable, values, adios2_mode_deferred) && !adios2_end_step(it->writer),
         "a step of ADIOS2");
    it->written++;
}

static void write_whole(struct opened *it, const struct blocks *blocks)
{
    static const int64_t start[DIMS] = {0};
    size_t elements = 1;
    for (int d = 0; d < DIMS; d++)
        elements *= (size_t)blocks->shape[d];
    double *values = malloc(elements * sizeof *values);
    fill(blocks, start, blocks->shape, values);
    begin_writing(it, blocks, start, blocks->shape);
    write_step(it, values);
    adios2_close(it->writer);
    free(values);
}

static void *adios2_begin(const char *path, const struct blocks *blocks)
{
    struct opened *it = calloc(1, sizeof *it);
    MPI_Comm_rank(MPI_COMM_WORLD, &it->rank);
    it->is_whole = !is_in_one_piece(blocks);
    snprintf(it->path, sizeof it->path, "%s.%d.bp", path, it->is_whole ? 0 : it->rank);
    it->adios = adios2_init_serial();
    need(it->adios != NULL, "adios2_init");
    it->reading = adios2_declare_io(it->adios, "reading");
    adios2_set_engine(it->reading, "BP5");
    if (!it->is_whole) {
        begin_writing(it, blocks, blocks->start, blocks->count);
        return it;
    }
    if (it->rank == 0)
        write_whole(it, blocks);
    MPI_Barrier(MPI_COMM_WORLD);
    it->reader = adios2_open(it->reading, it->path, adios2_mode_readRandomAccess);
    need(it->reader != NULL, "adios2_open");
    return it;
}

static void get(struct opened *it, const struct blocks *blocks, double *values)
{
    size_t start[DIMS], count[DIMS];
    adios2_variable *variable = adios2_inquire_variable(it->reading, "field");
    need(variable != NULL &&
             !adios2_set_selection(variable, (size_t)blocks->dims, sizes(start, blocks->start),
                                   sizes(count, blocks->count)) &&
             !adios2_get(it->reader, variable, values, adios2_mode_sync),
         "reading with ADIOS2");
}

static void read_step(struct opened *it, const struct blocks *blocks, double *values)
{
    adios2_step_status status;
    if (it->reader == NULL)
        it->reader = adios2_open(it->reading, it->path, adios2_mode_read);
    for (; it->read < it->written; it->read++) {
        need(!adios2_begin_step(it->reader, adios2_step_mode_read, 10, &status) && status == adios2_step_status_ok,
             "the next step of ADIOS2");
        if (it->read + 1 == it->written)
            get(it, blocks, values);
        adios2_end_step(it->reader);
    }
}

static void adios2_move(void *opened, const struct blocks *blocks, double *values, int is_write)
{
    struct opened *it = opened;
    if (is_write)
        write_step(it, values);
    else if (it->is_whole)
        get(it, blocks, values);
    else
        read_step(it, blocks, values);
}

/* Its files are folders. */
static void adios2_end(void *opened)
{
    struct opened *it = opened;
    char command[800];
    if (it->reader != NULL)
        adios2_close(it->reader);
    if (!it->is_whole)
        adios2_close(it->writer);
    adios2_finalize(it->adios);
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(command, sizeof command, "rm -rf '%s'", it->path);
    need((it->is_whole && it->rank != 0) || system(command) == 0, "removing files of ADIOS2");
    free(it);
}

const struct peer adios2_peer = {"ADIOS2", adios2_begin, adios2_move, adios2_end, is_in_one_piece};
