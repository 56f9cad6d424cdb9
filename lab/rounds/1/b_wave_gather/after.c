/* Two-dimensional wave equation on a row-decomposed grid; the field is stored every step. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 128

typedef struct {
    int rank, size, rows, total;
    double *now, *old, *next;
} wave_t;

static double *field(int rows) { return calloc((size_t)(rows + 2) * NX, sizeof(double)); }

static void wave_init(wave_t *w, int total)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->size);
    w->total = total;
    w->rows = total / w->size;
    w->now = field(w->rows);
    w->old = field(w->rows);
    w->next = field(w->rows);
    for (int j = 1; j <= w->rows; j++)
        for (int i = 0; i < NX; i++) {
            double y = (double)(w->rank * w->rows + j - 1) / total - 0.5, x = (double)i / NX - 0.5;
            w->now[j * NX + i] = w->old[j * NX + i] = exp(-80.0 * (x * x + y * y));
        }
}

static void exchange(wave_t *w)
{
    int up = w->rank + 1 < w->size ? w->rank + 1 : MPI_PROC_NULL;
    int down = w->rank > 0 ? w->rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(w->now + w->rows * NX, NX, MPI_DOUBLE, up, 1, w->now, NX, MPI_DOUBLE, down, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(w->now + NX, NX, MPI_DOUBLE, down, 2, w->now + (w->rows + 1) * NX, NX, MPI_DOUBLE,
                 up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void advance(wave_t *w)
{
    exchange(w);
    for (int j = 1; j <= w->rows; j++)
        for (int i = 1; i < NX - 1; i++) {
            int k = j * NX + i;
            double lap = w->now[k - 1] + w->now[k + 1] + w->now[k - NX] + w->now[k + NX] - 4 * w->now[k];
            w->next[k] = 2 * w->now[k] - w->old[k] + 0.2 * lap;
        }
    double *t = w->old;
    w->old = w->now;
    w->now = w->next;
    w->next = t;
}

static void store(wave_t *w, MPI_File out, int frame)
{
    MPI_Offset at = ((MPI_Offset)frame * w->total + (MPI_Offset)w->rank * w->rows) * NX * sizeof(double);
    MPI_File_write_at_all(out, at, w->now + NX, w->rows * NX, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    wave_t w;
    int frames = argc > 1 ? atoi(argv[1]) : 40;
    MPI_File out;
    MPI_Init(&argc, &argv);
    wave_init(&w, 4096);
    MPI_File_open(MPI_COMM_WORLD, "wave.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &out);
    for (int f = 0; f < frames; f++) {
        advance(&w);
        store(&w, out, f);
    }
    double mine = 0, sum;
    for (int k = NX; k < (w.rows + 1) * NX; k++)
        mine += w.now[k] * w.now[k];
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_File_close(&out);
    if (w.rank == 0) {
        printf("frames %d  energy %.8f\n", frames, sum);
    }
    MPI_Finalize();
    return 0;
}
