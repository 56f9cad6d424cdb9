/* Stream-function relaxation in a driven cavity, strips of rows per rank. Each rank
 * keeps its own restart file, written twice in a run. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 512
#define NY 512

typedef struct {
    int rank, size, rows;
    double *psi, *next;
} Strip;

static void halo(Strip *s)
{
    int up = s->rank > 0 ? s->rank - 1 : MPI_PROC_NULL;
    int down = s->rank + 1 < s->size ? s->rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(s->psi + NX, NX, MPI_DOUBLE, up, 0, s->psi + (size_t)(s->rows + 1) * NX, NX,
                 MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(s->psi + (size_t)s->rows * NX, NX, MPI_DOUBLE, down, 0, s->psi, NX, MPI_DOUBLE,
                 up, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double relax(Strip *s, int sweeps)
{
    double change = 0.0;
    for (int n = 0; n < sweeps; n++) {
        change = 0.0;
        for (int j = 1; j <= s->rows; j++)
            for (int i = 1; i < NX - 1; i++) {
                size_t k = (size_t)j * NX + i;
                double v = 0.25 * (s->psi[k - 1] + s->psi[k + 1] + s->psi[k - NX] +
                                   s->psi[k + NX]) + 1e-4 * tanh(s->psi[k]);
                change += fabs(v - s->psi[k]);
                s->next[k] = v;
            }
        double *swap = s->psi;
        s->psi = s->next;
        s->next = swap;
    }
    return change;
}

static void save_strip(const Strip *s, int cycle)
{
    char name[64];
    snprintf(name, sizeof name, "restart_c%03d_r%02d.bin", cycle, s->rank);
    FILE *f = fopen(name, "wb");
    if (!f)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fwrite(s->psi, sizeof(double), (size_t)(s->rows + 2) * NX, f);
    fclose(f);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int cycles = argc > 1 ? atoi(argv[1]) : 60;
    Strip s;
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.size);
    s.rows = NY / s.size;
    s.psi = calloc((size_t)(s.rows + 2) * NX, sizeof(double));
    s.next = calloc((size_t)(s.rows + 2) * NX, sizeof(double));
    if (s.rank == 0)
        for (int i = 0; i < NX; i++)
            s.psi[i] = s.next[i] = sin(M_PI * i / (NX - 1.0));

    FILE *log = s.rank == 0 ? fopen("convergence.txt", "w") : NULL;
    double total = 0.0;
    for (int c = 1; c <= cycles; c++) {
        halo(&s);
        double mine = relax(&s, 12);
        MPI_Reduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (log) {
            fprintf(log, "%5d %.8e\n", c, total);
            fflush(log);
        }
        if (c % (cycles / 2) == 0)
            save_strip(&s, c);
    }
    if (s.rank == 0) {
        fclose(log);
        printf("cycles %d change %.8e\n", cycles, total);
    }
    free(s.psi);
    free(s.next);
    MPI_Finalize();
    return 0;
}
