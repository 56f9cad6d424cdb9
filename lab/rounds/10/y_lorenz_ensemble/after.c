/* Perturbed ensemble of the Lorenz-96 model; the members are shared out over
   the ranks, the archive is ordered [record][grid point][member] because the
   verification works on all members of one point.
   usage: lorenz_ensemble NGRID MEMBERS NRECORDS STEPS_PER_RECORD */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define FORCING 8.0

typedef struct {
    int ngrid, members, local, first;
    double *x; /* [grid point][local member] */
} ensemble_t;

static double gauss(unsigned long long *s)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        *s = *s * 6364136223846793005ULL + 1442695040888963407ULL;
        sum += (*s >> 11) / 9007199254740992.0;
    }
    return sum;
}

static void tendency(const ensemble_t *e, const double *x, double *dx)
{
    int n = e->ngrid, m = e->local;
    for (int i = 0; i < n; i++) {
        const double *p1 = x + (size_t)((i + 1) % n) * m;
        const double *m1 = x + (size_t)((i + n - 1) % n) * m;
        const double *m2 = x + (size_t)((i + n - 2) % n) * m;
        for (int k = 0; k < m; k++)
            dx[(size_t)i * m + k] = (p1[k] - m2[k]) * m1[k] - x[(size_t)i * m + k] + FORCING;
    }
}

static void rk4(ensemble_t *e, double h, double *w)
{
    size_t len = (size_t)e->ngrid * e->local;
    double *k = w, *y = w + len, *sum = w + 2 * len;
    const double in[4] = {0.0, 0.5, 0.5, 1.0}, out[4] = {1.0, 2.0, 2.0, 1.0};
    for (size_t i = 0; i < len; i++)
        k[i] = sum[i] = 0.0;
    for (int s = 0; s < 4; s++) {
        for (size_t i = 0; i < len; i++)
            y[i] = e->x[i] + in[s] * h * k[i];
        tendency(e, y, k);
        for (size_t i = 0; i < len; i++)
            sum[i] += out[s] * k[i];
    }
    for (size_t i = 0; i < len; i++)
        e->x[i] += h / 6.0 * sum[i];
}

static void set_layout(MPI_File fh, const ensemble_t *e)
{
    MPI_Datatype part;
    int whole[2] = {e->ngrid, e->members}, own[2] = {e->ngrid, e->local}, start[2] = {0, e->first};
    MPI_Type_create_subarray(2, whole, own, start, MPI_ORDER_C, MPI_DOUBLE, &part);
    MPI_Type_commit(&part);
    MPI_File_set_view(fh, 0, MPI_DOUBLE, part, "native", MPI_INFO_NULL);
    MPI_Type_free(&part);
}

static void store(MPI_File fh, const ensemble_t *e, int record)
{
    MPI_Offset len = (MPI_Offset)e->ngrid * e->local;
    MPI_File_write_at_all(fh, record * len, e->x, (int)len, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    ensemble_t e;
    e.ngrid = argc > 1 ? atoi(argv[1]) : 960;
    e.members = argc > 2 ? atoi(argv[2]) : 32;
    int records = argc > 3 ? atoi(argv[3]) : 10;
    int steps = argc > 4 ? atoi(argv[4]) : 10;
    e.local = e.members / size;
    e.first = rank * e.local;
    size_t len = (size_t)e.ngrid * e.local;
    e.x = malloc(len * sizeof(double));
    double *work = malloc(3 * len * sizeof(double));
    for (int k = 0; k < e.local; k++) {
        unsigned long long seed = 1000 + e.first + k;
        for (int i = 0; i < e.ngrid; i++)
            e.x[(size_t)i * e.local + k] = 2.0 + 3.0 * sin(0.05 * i) + 0.01 * gauss(&seed);
    }

    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "ensemble.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
    set_layout(fh, &e);
    for (int r = 0; r < records; r++) {
        for (int s = 0; s < steps; s++)
            rk4(&e, 0.01, work);
        store(fh, &e, r);
    }
    MPI_File_close(&fh);

    double mine[2] = {0, 0}, all[2];
    for (size_t i = 0; i < len; i++) {
        mine[0] += e.x[i];
        mine[1] += e.x[i] * e.x[i];
    }
    MPI_Reduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        double n = (double)e.ngrid * e.members, mean = all[0] / n;
        printf("records %d  mean %.10f  variance %.10f\n", records, mean, all[1] / n - mean * mean);
    }
    free(e.x);
    free(work);
    MPI_Finalize();
    return 0;
}
