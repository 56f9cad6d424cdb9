/* One run of a workload: its command line, its ranks, its clock.
 *
 * With ANSWER_SERIAL defined nothing of MPI is used, and there is one rank.
 */
#ifndef WORKLOAD_RUN_H
#define WORKLOAD_RUN_H

#ifndef ANSWER_SERIAL
#include <mpi.h>
#endif

#include "raw_file.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

struct run {
    const char *variant, *dir, *answer_path;
    double scale;
    int rank, nprocs;
};

static struct run run = {"before", ".", NULL, 1.0, 0, 1};

struct path {
    char text[4096];
};

/* Name of a file below --dir. */
static inline struct path in_dir(const char *format, ...)
{
    struct path path;
    int used = snprintf(path.text, sizeof path.text, "%s/", run.dir);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path.text + used, sizeof path.text - (size_t)used, format, arguments);
    va_end(arguments);
    return path;
}

static inline void require(bool holds, const char *what)
{
    if (holds)
        return;
    perror(what);
#ifndef ANSWER_SERIAL
    MPI_Abort(MPI_COMM_WORLD, 1);
#endif
    exit(1);
}

static inline bool is_variant(const char *name)
{
    return strcmp(run.variant, name) == 0;
}

/* `base` multiplied by --scale, at least 1. */
static inline uint64_t scaled(uint64_t base)
{
    double amount = (double)base * run.scale;
    return amount < 1 ? 1 : (uint64_t)amount;
}

static inline void wait_for_all(void)
{
#ifndef ANSWER_SERIAL
    MPI_Barrier(MPI_COMM_WORLD);
#endif
}

static inline double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Above this, bytes of a call no longer fit the int in which MPI counts them. */
#define LARGEST_SCALE 2000

/* Read the command line; `variants` are separated by spaces. */
static inline void start(int argc, char **argv, const char *variants)
{
#ifndef ANSWER_SERIAL
    int is_initialized = 0; /* Fortran programs have done it themselves */
    MPI_Initialized(&is_initialized);
    if (!is_initialized)
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &run.nprocs);
#endif
    bool is_understood = argc % 2 == 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--variant") == 0)
            run.variant = argv[i + 1];
        else if (strcmp(argv[i], "--dir") == 0)
            run.dir = argv[i + 1];
        else if (strcmp(argv[i], "--answer") == 0)
            run.answer_path = argv[i + 1];
        else if (strcmp(argv[i], "--scale") == 0)
            run.scale = atof(argv[i + 1]);
        else
            is_understood = false;
    }
    char listed[256], wanted[256];
    snprintf(listed, sizeof listed, " %s ", variants);
    snprintf(wanted, sizeof wanted, " %s ", run.variant);
    is_understood = is_understood && run.scale > 0 && run.scale <= LARGEST_SCALE;
    if (!is_understood || strstr(listed, wanted) == NULL) {
        if (run.rank == 0)
            fprintf(stderr, "usage: %s [--variant V] [--dir DIR] [--scale S] [--answer FILE]\nvariants: %s\n"
                    "scale: up to %d\n",
                    argv[0], variants, LARGEST_SCALE);
#ifndef ANSWER_SERIAL
        MPI_Finalize();
#endif
        exit(2);
    }
    if (run.rank == 0)
        raw_mkdir(run.dir);
    wait_for_all();
}

#endif
