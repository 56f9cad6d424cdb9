/* Turbulent channel flow output: the velocity components live on an x-split
 * decomposition; each output step appends the three components to one field
 * file in natural (z, y, x) order. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct {
    int gz, gy, gx;
    int ly, lx, y0, x0;
} Pencil;

static void setup_pencil(Pencil *p, int rank, int size, int n)
{
    p->gz = n / 2;
    p->gy = n;
    p->gx = 32;
    p->ly = n;
    p->lx = p->gx / size;
    p->y0 = 0;
    p->x0 = rank * p->lx;
}

static void fill_component(const Pencil *p, double *u, int comp, double t)
{
    double *wx = malloc(p->lx * sizeof(double));
    for (int i = 0; i < p->lx; i++)
        wx[i] = sin(0.05 * (p->x0 + i) + t + comp);
    for (int k = 0; k < p->gz; k++)
        for (int j = 0; j < p->ly; j++) {
            double wall = 1.0 - pow(2.0 * (p->y0 + j) / p->gy - 1.0, 2);
            double *row = u + ((size_t)k * p->ly + j) * p->lx;
            for (int i = 0; i < p->lx; i++)
                row[i] = wall * (1.0 + 0.1 * wx[i]) + 1e-3 * k;
        }
    free(wx);
}

static double bulk_velocity(const Pencil *p, const double *u)
{
    double s = 0, all = 0;
    size_t total = (size_t)p->gz * p->ly * p->lx;
    for (size_t i = 0; i < total; i++)
        s += u[i];
    MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all / ((double)p->gz * p->gy * p->gx);
}

static void append_component(MPI_File fh, const Pencil *p, const double *u, int index)
{
    MPI_Offset base = (MPI_Offset)index * p->gz * p->gy * p->gx;
    for (int k = 0; k < p->gz; k++)
        for (int j = 0; j < p->ly; j++) {
            MPI_Offset cell = base + ((MPI_Offset)k * p->gy + p->y0 + j) * p->gx + p->x0;
            MPI_File_write_at(fh, cell * (MPI_Offset)sizeof(double),
                              u + ((size_t)k * p->ly + j) * p->lx, p->lx, MPI_DOUBLE,
                              MPI_STATUS_IGNORE);
        }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = argc > 1 ? atoi(argv[1]) : 400;
    int steps = argc > 2 ? atoi(argv[2]) : 2;

    Pencil pen;
    setup_pencil(&pen, rank, size, n);
    double *u = malloc((size_t)pen.gz * pen.ly * pen.lx * sizeof(double));
    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "channel.fld", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &fh);
    for (int s = 0; s < steps; s++) {
        double ub = 0;
        for (int c = 0; c < 3; c++) {
            fill_component(&pen, u, c, 0.01 * s);
            if (c == 0)
                ub = bulk_velocity(&pen, u);
            append_component(fh, &pen, u, 3 * s + c);
        }
        if (rank == 0)
            printf("step %d bulk velocity %.6f\n", s, ub);
    }
    MPI_File_close(&fh);
    free(u);
    MPI_Finalize();
    return 0;
}
