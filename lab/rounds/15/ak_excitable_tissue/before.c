/*
 * Spiral waves in heart muscle (Barkley model): an ensemble of tissue sheets
 * of different excitability, one sheet per rank.  The membrane histories are
 * kept gzipped, one file per sheet, for the phase-singularity analysis.
 *
 * usage: mpirun -n 2 tissue <steps> <edge>
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#define KEEP 1                  /* steps between recorded sheets */
#define SAVE 100                /* steps between saved histories */

static const double DT = 0.01, DX = 0.5, A = 0.75, EPS = 0.02;

typedef struct {
    int edge;
    double b;
    double *u, *v, *next;
} sheet_t;

typedef struct {
    gzFile file;
    size_t sheet_bytes;
    int count;
    float *sheets;
} history_t;

static void create_sheet(sheet_t *s, int edge, double b)
{
    size_t n = (size_t)edge * edge;
    s->edge = edge;
    s->b = b;
    s->u = calloc(n, sizeof(double));
    s->v = calloc(n, sizeof(double));
    s->next = calloc(n, sizeof(double));
    for (int y = 0; y < edge; y++)
        for (int x = 0; x < edge; x++) {
            s->u[(size_t)y * edge + x] = y < edge / 2 ? 1.0 : 0.0;
            s->v[(size_t)y * edge + x] = x < edge / 2 ? A / 2 : 0.0;
        }
}

static void step(sheet_t *s)
{
    int n = s->edge;
    for (int y = 0; y < n; y++) {
        int up = y ? y - 1 : 0, down = y < n - 1 ? y + 1 : y;
        for (int x = 0; x < n; x++) {
            int left = x ? x - 1 : 0, right = x < n - 1 ? x + 1 : x;
            size_t i = (size_t)y * n + x;
            double u = s->u[i], v = s->v[i];
            double lap = s->u[(size_t)up * n + x] + s->u[(size_t)down * n + x]
                       + s->u[(size_t)y * n + left] + s->u[(size_t)y * n + right] - 4 * u;
            s->next[i] = u + DT * (u * (1 - u) * (u - (v + s->b) / A) / EPS + lap / (DX * DX));
            s->v[i] = v + DT * (u - v);
        }
    }
    double *t = s->u;
    s->u = s->next;
    s->next = t;
}

static double record(history_t *h, const sheet_t *s)
{
    size_t n = (size_t)s->edge * s->edge, excited = 0;
    float *out = h->sheets + h->count++ * n;
    for (size_t i = 0; i < n; i++) {
        out[i] = (float)s->u[i];
        excited += s->u[i] > 0.5;
    }
    return (double)excited / n;
}

static void save(history_t *h)
{
    for (int k = 0; k < h->count; k++)
        gzwrite(h->file, (char *)h->sheets + k * h->sheet_bytes, h->sheet_bytes);
    h->count = 0;
}

static void save_histories(history_t *h, int rank, int size)
{
    for (int turn = 0; turn < size; turn++) {
        if (turn == rank)
            save(h);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size, records = 0;
    double active = 0, all[64];
    char name[64];
    sheet_t sheet;
    history_t history;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int steps = argc > 1 ? atoi(argv[1]) : 1000;
    int edge  = argc > 2 ? atoi(argv[2]) : 200;

    create_sheet(&sheet, edge, 0.02 + 0.004 * rank);
    snprintf(name, sizeof name, "sheet%02d.gz", rank);
    history.file = gzopen(name, "wb6");
    history.sheet_bytes = (size_t)edge * edge * sizeof(float);
    history.sheets = malloc(SAVE / KEEP * history.sheet_bytes);
    history.count = 0;

    for (int n = 1; n <= steps; n++) {
        step(&sheet);
        if (n % KEEP == 0) {
            active += record(&history, &sheet);
            records++;
        }
        if (n % SAVE == 0)
            save_histories(&history, rank, size);
    }
    gzclose(history.file);

    active /= records;
    MPI_Gather(&active, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < size; r++)
        printf("sheet %d: excited fraction %.4f\n", r, all[r]);
    MPI_Finalize();
    return 0;
}
