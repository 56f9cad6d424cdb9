/* Heat conduction in a plate, slab decomposition along y. The temperature field is
 * written in the big-endian layout of the post-processor. */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NX 1024

typedef struct {
    int rank, size, rows;
    double *t, *tnew; /* rows + 2 halo rows of NX points */
} Slab;

static void exchange_halo(Slab *s)
{
    int up = s->rank > 0 ? s->rank - 1 : MPI_PROC_NULL;
    int down = s->rank < s->size - 1 ? s->rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(s->t + NX, NX, MPI_DOUBLE, up, 1, s->t + (size_t)(s->rows + 1) * NX, NX,
                 MPI_DOUBLE, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(s->t + (size_t)s->rows * NX, NX, MPI_DOUBLE, down, 2, s->t, NX, MPI_DOUBLE, up,
                 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void diffuse(Slab *s)
{
    exchange_halo(s);
    for (int j = 1; j <= s->rows; j++)
        for (int i = 1; i < NX - 1; i++) {
            size_t k = (size_t)j * NX + i;
            s->tnew[k] = s->t[k] + 0.2 * (s->t[k - 1] + s->t[k + 1] + s->t[k - NX] +
                                          s->t[k + NX] - 4.0 * s->t[k]);
        }
    double *swap = s->t;
    s->t = s->tnew;
    s->tnew = swap;
}

static void to_big_endian(double *field, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t v;
        memcpy(&v, &field[k], sizeof v);
        v = __builtin_bswap64(v);
        memcpy(&field[k], &v, sizeof v);
    }
}

static void write_all(int fd, const void *data, size_t bytes, off_t where)
{
    const char *p = data;
    while (bytes > 0) {
        ssize_t k = pwrite(fd, p, bytes, where);
        if (k <= 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        p += k;
        where += k;
        bytes -= k;
    }
}

static void write_frame(Slab *s, int fd, int frame, double *whole)
{
    size_t mine = (size_t)s->rows * NX, all = mine * s->size;
    MPI_Gather(s->t + NX, (int)mine, MPI_DOUBLE, whole, (int)mine, MPI_DOUBLE, 0,
               MPI_COMM_WORLD);
    if (s->rank == 0) {
        to_big_endian(whole, all);
        write_all(fd, whole, all * sizeof(double), (off_t)frame * all * sizeof(double));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int frames = argc > 1 ? atoi(argv[1]) : 12, fd = -1;
    Slab s;
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.size);
    s.rows = 1024 / s.size;
    s.t = calloc((size_t)(s.rows + 2) * NX, sizeof(double));
    s.tnew = calloc((size_t)(s.rows + 2) * NX, sizeof(double));
    for (int j = 1; j <= s.rows; j++)
        for (int i = 0; i < NX; i++)
            s.t[(size_t)j * NX + i] = sin(0.02 * i) * cos(0.01 * (s.rank * s.rows + j));

    double *whole = NULL;
    if (s.rank == 0) {
        whole = malloc((size_t)s.rows * s.size * NX * sizeof(double));
        fd = open("temperature.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    }
    for (int f = 0; f < frames; f++) {
        for (int n = 0; n < 2; n++)
            diffuse(&s);
        write_frame(&s, fd, f, whole);
    }
    double heat = 0.0, total = 0.0;
    for (size_t k = NX; k < (size_t)(s.rows + 1) * NX; k++)
        heat += s.t[k];
    MPI_Reduce(&heat, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (s.rank == 0)
        printf("frames %d total heat %.6f\n", frames, total);
    if (fd >= 0)
        close(fd);
    free(whole);
    free(s.t);
    free(s.tnew);
    MPI_Finalize();
    return 0;
}
