/* Reacting flow on a multi-block grid: explicit diffusion of temperature and fuel,
 * every rank owns a block and keeps a history file per output time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NVAR 4

struct block {
    int ni, nj, rank, nproc;
    double *q;                      /* NVAR planes of ni*nj */
};

struct options { int steps, every, ni, nj; };

static void die(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void parse(int argc, char **argv, struct options *o)
{
    o->steps = 120; o->every = 2; o->ni = 200; o->nj = 120;
    for (int i = 1; i < argc - 1; i += 2) {
        if (!strcmp(argv[i], "-s")) o->steps = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "-e")) o->every = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "-i")) o->ni = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "-j")) o->nj = atoi(argv[i + 1]);
    }
}

static void init_block(struct block *b)
{
    size_t n = (size_t)b->ni * b->nj;
    b->q = malloc(NVAR * n * sizeof(double));
    for (int v = 0; v < NVAR; v++)
        for (int j = 0; j < b->nj; j++)
            for (int i = 0; i < b->ni; i++)
                b->q[v * n + (size_t)j * b->ni + i] =
                    (v == 0 ? 300.0 : 0.1 * v) + ((i / 40 + j / 50 + b->rank) % 7) * (v == 0 ? 90.0 : 0.01);
}

static void advance(struct block *b)
{
    size_t n = (size_t)b->ni * b->nj;
    for (int v = 0; v < NVAR; v++) {
        double *p = b->q + v * n;
        for (int j = 1; j < b->nj - 1; j++)
            for (int i = 1; i < b->ni - 1; i++) {
                size_t c = (size_t)j * b->ni + i;
                p[c] += 0.1 * (p[c - 1] + p[c + 1] + p[c - b->ni] + p[c + b->ni] - 4.0 * p[c]);
            }
    }
}

static void save_block(const struct block *b, int step)
{
    char name[64];
    snprintf(name, sizeof name, "hist_%04d.blk%02d", step, b->rank);
    FILE *f = fopen(name, "wb");
    if (!f) die(name);
    int head[4] = { b->ni, b->nj, NVAR, step };
    fwrite(head, sizeof head, 1, f);
    if (fwrite(b->q, sizeof(double), (size_t)NVAR * b->ni * b->nj, f) != (size_t)NVAR * b->ni * b->nj)
        die("write");
    if (fflush(f) || fsync(fileno(f))) die("sync");
    fclose(f);
}

static void write_history(const struct block *b, int step)
{
    save_block(b, step);
}

int main(int argc, char **argv)
{
    struct options o;
    struct block b;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b.nproc);
    parse(argc, argv, &o);
    b.ni = o.ni; b.nj = o.nj;
    init_block(&b);
    FILE *log = b.rank == 0 ? fopen("residual.log", "w") : NULL;
    double res = 0, all = 0;
    for (int s = 1; s <= o.steps; s++) {
        advance(&b);
        res = 0;
        for (size_t c = 0; c < (size_t)b.ni * b.nj; c += 17) res += b.q[c];
        MPI_Allreduce(&res, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (log) fprintf(log, "%5d %.8e\n", s, all);
        if (s % o.every == 0) write_history(&b, s);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (log) { fclose(log); printf("steps %d residual %.8e\n", o.steps, all); }
    free(b.q);
    MPI_Finalize();
    return 0;
}
