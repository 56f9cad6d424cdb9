/* Passive tracers in a channel ocean; 2-D tiles over the horizontal plane.
 * Restart and history share one layout: tracer, level, row, column. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NTRACER = 3 };
static const char *tracer_name[NTRACER] = {"dye", "cfc", "age"};

typedef struct {
    int nx, ny, nz;            /* global */
    int lx, ly, x0, y0;        /* tile */
    int px, py, cx, cy;
    MPI_Comm comm;
    double *c[NTRACER];
} Ocean;

static void tile(Ocean *o)
{
    int np, me, dims[2] = {0, 0}, per[2] = {0, 0}, co[2];
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, per, 0, &o->comm);
    MPI_Comm_rank(o->comm, &me);
    MPI_Cart_coords(o->comm, me, 2, co);
    o->px = dims[0]; o->py = dims[1]; o->cx = co[0]; o->cy = co[1];
    o->lx = o->nx / o->px; o->ly = o->ny / o->py;
    o->x0 = o->cx * o->lx; o->y0 = o->cy * o->ly;
}

static double *cell(Ocean *o, int t, int k, int j) { return o->c[t] + ((long)k * o->ly + j) * o->lx; }

static void initial(Ocean *o)
{
    for (int t = 0; t < NTRACER; t++) {
        o->c[t] = malloc(sizeof(double) * o->lx * o->ly * o->nz);
        for (int k = 0; k < o->nz; k++)
            for (int j = 0; j < o->ly; j++) {
                double *r = cell(o, t, k, j);
                for (int i = 0; i < o->lx; i++)
                    r[i] = exp(-0.1 * k) * sin(0.05 * (o->x0 + i) * (t + 1)) * cos(0.03 * (o->y0 + j));
            }
    }
}

static void column_mixing(Ocean *o, double kappa)
{
    for (int t = 0; t < NTRACER; t++)
        for (int j = 0; j < o->ly; j++)
            for (int k = 1; k < o->nz - 1; k++) {
                double *up = cell(o, t, k - 1, j), *me = cell(o, t, k, j), *dn = cell(o, t, k + 1, j);
                for (int i = 0; i < o->lx; i++) me[i] += kappa * (up[i] - 2 * me[i] + dn[i]);
            }
}

static void reactions(Ocean *o, double dt)
{
    long n = (long)o->lx * o->ly * o->nz;
    for (long i = 0; i < n; i++) {
        o->c[1][i] *= 1 - 0.01 * dt;
        o->c[2][i] += dt * (1 - fabs(o->c[0][i]));
    }
}

static void write_tracer(Ocean *o, MPI_File fh, int t)
{
    int g[3] = {o->nz, o->ny, o->nx}, l[3] = {o->nz, o->ly, o->lx}, st[3] = {0, o->y0, o->x0};
    MPI_Datatype sub;
    MPI_Type_create_subarray(3, g, l, st, MPI_ORDER_C, MPI_DOUBLE, &sub);
    MPI_Type_commit(&sub);
    MPI_File_set_view(fh, (MPI_Offset)t * o->nz * o->ny * o->nx * sizeof(double), MPI_DOUBLE, sub, "native",
                      MPI_INFO_NULL);
    MPI_File_write_all(fh, o->c[t], o->lx * o->ly * o->nz, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_Type_free(&sub);
}

static void history(Ocean *o, int rec)
{
    char name[64];
    MPI_File fh;
    snprintf(name, sizeof name, "tracer.%04d.bin", rec);
    MPI_File_open(o->comm, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
    for (int t = 0; t < NTRACER; t++) write_tracer(o, fh, t);
    MPI_File_close(&fh);
}

static double file_sum(const char *name, long n)
{
    double *b = malloc(n * sizeof *b), s = 0;
    FILE *fp = fopen(name, "rb");
    if (!fp || fread(b, sizeof *b, n, fp) != (size_t)n) MPI_Abort(MPI_COMM_WORLD, 2);
    fclose(fp);
    for (long i = 0; i < n; i++) s += b[i] * (1 + i % 7);
    free(b);
    return s;
}

int main(int argc, char **argv)
{
    Ocean o;
    int me;
    MPI_Init(&argc, &argv);
    o.nx = atoi(argv[1]); o.ny = atoi(argv[2]); o.nz = atoi(argv[3]);
    int steps = atoi(argv[4]), every = atoi(argv[5]), rec = 0;
    tile(&o);
    initial(&o);
    MPI_Comm_rank(o.comm, &me);
    for (int s = 1; s <= steps; s++) {
        column_mixing(&o, 0.05);
        reactions(&o, 0.1);
        if (s % every == 0) history(&o, rec++);
    }
    MPI_Barrier(o.comm);
    if (me == 0) {
        double s = file_sum("tracer.0000.bin", (long)NTRACER * o.nx * o.ny * o.nz);
        printf("records %d first %s sum %.10g\n", rec, tracer_name[0], s);
    }
    for (int t = 0; t < NTRACER; t++) free(o.c[t]);
    MPI_Finalize();
    return 0;
}
