/* The same blocks by ADIOS2 (BP5). The builds that are easy to get (PyPI) have no MPI: each rank
 * has a file of its own, which ADIOS2 with MPI also writes for each aggregator. A round is a step:
 * the writer appends it, the reader gets the newest one. */
#include "bench.h"

#include <adios2_c.h>

struct opened {
    adios2_adios *adios;
    adios2_io *writing, *reading;
    adios2_engine *writer, *reader;
    adios2_variable *variable;
    char path[700];
    long written, read;
};

static size_t *sizes(size_t to[DIMS], const int64_t from[DIMS])
{
    for (int d = 0; d < DIMS; d++)
        to[d] = (size_t)from[d];
    return to;
}

static void *adios2_begin(const char *path, const struct blocks *blocks)
{
    struct opened *it = calloc(1, sizeof *it);
    size_t shape[DIMS], start[DIMS], count[DIMS];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(it->path, sizeof it->path, "%s.%d.bp", path, rank);
    it->adios = adios2_init_serial();
    need(it->adios != NULL, "adios2_init");
    it->writing = adios2_declare_io(it->adios, "writing");
    it->reading = adios2_declare_io(it->adios, "reading");
    adios2_set_engine(it->writing, "BP5");
    adios2_set_engine(it->reading, "BP5");
    it->variable = adios2_define_variable(it->writing, "field", adios2_type_double, (size_t)blocks->dims,
                                          sizes(shape, blocks->shape), sizes(start, blocks->start),
                                          sizes(count, blocks->count), adios2_constant_dims_true);
    it->writer = adios2_open(it->writing, it->path, adios2_mode_write);
    need(it->variable != NULL && it->writer != NULL, "adios2_open");
    return it;
}

static void write_step(struct opened *it, const double *values)
{
    adios2_step_status status;
    need(!adios2_begin_step(it->writer, adios2_step_mode_append, -1, &status) &&
             !adios2_put(it->writer, it->variable, values, adios2_mode_deferred) && !adios2_end_step(it->writer),
         "a step of ADIOS2");
    it->written++;
}

static void read_step(struct opened *it, const struct blocks *blocks, double *values)
{
    adios2_step_status status;
    size_t start[DIMS], count[DIMS];
    if (it->reader == NULL)
        it->reader = adios2_open(it->reading, it->path, adios2_mode_read);
    for (; it->read < it->written; it->read++) {
        need(!adios2_begin_step(it->reader, adios2_step_mode_read, 10, &status) && status == adios2_step_status_ok,
             "the next step of ADIOS2");
        if (it->read + 1 == it->written) {
            adios2_variable *variable = adios2_inquire_variable(it->reading, "field");
            need(variable != NULL && !adios2_set_selection(variable, (size_t)blocks->dims, sizes(start, blocks->start),
                                                           sizes(count, blocks->count)) &&
                     !adios2_get(it->reader, variable, values, adios2_mode_sync),
                 "reading with ADIOS2");
        }
        adios2_end_step(it->reader);
    }
}

static void adios2_move(void *opened, const struct blocks *blocks, double *values, int is_write)
{
    if (is_write)
        write_step(opened, values);
    else
        read_step(opened, blocks, values);
}

/* Its files are folders. */
static void adios2_end(void *opened)
{
    struct opened *it = opened;
    char command[800];
    if (it->reader != NULL)
        adios2_close(it->reader);
    adios2_close(it->writer);
    adios2_finalize(it->adios);
    snprintf(command, sizeof command, "rm -rf '%s'", it->path);
    need(system(command) == 0, "removing files of ADIOS2");
    free(it);
}

const struct peer adios2_peer = {"ADIOS2 (a file per rank)", adios2_begin, adios2_move, adios2_end};
