/* Gray-Scott reaction and diffusion on a periodic grid, rows shared among the ranks.
 * Both species are written from time to time for a film.
 *
 * usage: grayscott n steps every
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <mpi.h>

#define DU 0.16f
#define DV 0.08f
#define FEED 0.037f
#define KILL 0.060f

typedef struct {
    int n, rows, rank, up, down;
    float *u, *v, *u2, *v2;          /* rows + 2 halo rows */
} Patch;

static void init(Patch *p)
{
    size_t cells = (size_t)(p->rows + 2) * p->n;
    p->u = malloc(cells * sizeof(float)); p->u2 = malloc(cells * sizeof(float));
    p->v = malloc(cells * sizeof(float)); p->v2 = malloc(cells * sizeof(float));
    for (int r = 0; r < p->rows + 2; r++)
        for (int i = 0; i < p->n; i++) {
            int j = p->rank * p->rows + r - 1;
            size_t k = (size_t)r * p->n + i;
            int spot = (i / 24 + j / 24) % 5 == 0;
            p->u[k] = spot ? 0.5f : 1.0f;
            p->v[k] = spot ? 0.25f + 0.05f * sinf(0.3f * i) * cosf(0.2f * j) : 0.0f;
        }
}

static void halo(const Patch *p, float *f)
{
    int n = p->n;
    MPI_Sendrecv(f + n, n, MPI_FLOAT, p->up, 1, f + (size_t)(p->rows + 1) * n, n, MPI_FLOAT,
                 p->down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(f + (size_t)p->rows * n, n, MPI_FLOAT, p->down, 2, f, n, MPI_FLOAT,
                 p->up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void advance(Patch *p)
{
    int n = p->n;
    for (int r = 1; r <= p->rows; r++) {
        const float *u = p->u + (size_t)r * n, *v = p->v + (size_t)r * n;
        float *u2 = p->u2 + (size_t)r * n, *v2 = p->v2 + (size_t)r * n;
        for (int i = 0; i < n; i++) {
            int w = i ? i - 1 : n - 1, e = i < n - 1 ? i + 1 : 0;
            float lu = u[w] + u[e] + u[i - n] + u[i + n] - 4 * u[i];
            float lv = v[w] + v[e] + v[i - n] + v[i + n] - 4 * v[i];
            float uvv = u[i] * v[i] * v[i];
            u2[i] = u[i] + DU * lu - uvv + FEED * (1 - u[i]);
            v2[i] = v[i] + DV * lv + uvv - (FEED + KILL) * v[i];
        }
    }
    float *t = p->u; p->u = p->u2; p->u2 = t;
    t = p->v; p->v = p->v2; p->v2 = t;
}

static void film_frame(MPI_File fh, const Patch *p, int frame)
{
    MPI_Offset plane = (MPI_Offset)p->n * p->n * sizeof(float);
    MPI_Offset mine = (MPI_Offset)p->rank * p->rows * p->n * sizeof(float);
    int count = p->rows * p->n;
    MPI_File_write_at_all(fh, 2 * frame * plane + mine, p->u + p->n, count, MPI_FLOAT,
                          MPI_STATUS_IGNORE);
    MPI_File_write_at_all(fh, (2 * frame + 1) * plane + mine, p->v + p->n, count, MPI_FLOAT,
                          MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int size;
    Patch p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    p.n = argc > 1 ? atoi(argv[1]) : 768;
    int steps = argc > 2 ? atoi(argv[2]) : 600;
    int every = argc > 3 ? atoi(argv[3]) : 60;
    p.n -= p.n % size;
    p.rows = p.n / size;
    p.up = (p.rank + size - 1) % size;
    p.down = (p.rank + 1) % size;
    init(&p);

    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "film.raw", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &fh);
    int frame = 0;
    for (int step = 1; step <= steps; step++) {
        halo(&p, p.u);
        halo(&p, p.v);
        advance(&p);
        if (step % every == 0) film_frame(fh, &p, frame++);
    }
    MPI_File_close(&fh);

    double mine = 0, sum;
    for (int k = p.n; k < (p.rows + 1) * p.n; k++) mine += p.v[k];
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (p.rank == 0) printf("%d frames, mean v %.6f\n", frame, sum / ((double)p.n * p.n));
    free(p.u); free(p.v); free(p.u2); free(p.v2);
    MPI_Finalize();
    return 0;
}
