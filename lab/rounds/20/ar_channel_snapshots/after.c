/* Direct simulation of a channel: the grid is cut in slabs along y, all ranks put their
 * slab of the streamwise velocity in one snapshot file (x fastest, then y, then z). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct {
    int nx, ny, nz;         /* global */
    int ly, y0;             /* my slab */
    int rank, nproc;
    double *u;
} slab_t;

static int arg(int argc, char **argv, int n, int dflt)
{
    return argc > n ? atoi(argv[n]) : dflt;
}

static void setup(slab_t *s, int nx, int ny, int nz)
{
    s->nx = nx; s->ny = ny; s->nz = nz;
    s->ly = ny / s->nproc;
    s->y0 = s->rank * s->ly;
    s->u = malloc(sizeof(double) * nx * s->ly * nz);
    if (!s->u) MPI_Abort(MPI_COMM_WORLD, 3);
}

static void evolve(slab_t *s, double t)
{
    size_t c = 0;
    for (int k = 0; k < s->nz; k++)
        for (int j = 0; j < s->ly; j++) {
            double y = 2.0 * (s->y0 + j + 0.5) / s->ny - 1.0;
            double base = 1.0 - y * y, pert = 0.02 * sin(0.3 * k + t) * base;
            for (int i = 0; i < s->nx; i++)
                s->u[c++] = base + pert * (i % 5 - 2);
        }
}

static double bulk(const slab_t *s)
{
    double sum = 0, all;
    size_t n = (size_t)s->nx * s->ly * s->nz;
    for (size_t c = 0; c < n; c++) sum += s->u[c];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all / ((double)s->nx * s->ny * s->nz);
}

static void write_snapshot(const slab_t *s, MPI_File fh, int snap)
{
    MPI_Offset base = (MPI_Offset)snap * s->nx * s->ny * s->nz;
    int g[3] = { s->nz, s->ny, s->nx }, l[3] = { s->nz, s->ly, s->nx }, o[3] = { 0, s->y0, 0 };
    MPI_Datatype sub;
    MPI_Type_create_subarray(3, g, l, o, MPI_ORDER_C, MPI_DOUBLE, &sub);
    MPI_Type_commit(&sub);
    MPI_File_set_view(fh, base * (MPI_Offset)sizeof(double), MPI_DOUBLE, sub, "native", MPI_INFO_NULL);
    MPI_File_write_all(fh, s->u, s->nx * s->ly * s->nz, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_Type_free(&sub);
}

static double reread_checksum(const char *name)
{
    FILE *f = fopen(name, "rb");
    double buf[8192], sum = 0;
    size_t n, i = 0;
    if (!f) return -1;
    while ((n = fread(buf, sizeof(double), 8192, f)) > 0)
        for (size_t k = 0; k < n; k++, i++) sum += buf[k] * (1 + i % 3);
    fclose(f);
    return sum;
}

int main(int argc, char **argv)
{
    slab_t s;
    MPI_File fh;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.nproc);
    int nsnap = arg(argc, argv, 1, 6);
    setup(&s, arg(argc, argv, 2, 16), arg(argc, argv, 3, 400), arg(argc, argv, 4, 300));
    FILE *log = s.rank ? NULL : fopen("channel.log", "w");
    MPI_File_open(MPI_COMM_WORLD, "u_snap.raw", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
    for (int n = 0; n < nsnap; n++) {
        evolve(&s, 0.25 * n);
        double ub = bulk(&s);
        if (log) fprintf(log, "snapshot %3d bulk velocity %.10f\n", n, ub);
        write_snapshot(&s, fh, n);
    }
    MPI_File_close(&fh);
    if (log) {
        fclose(log);
        printf("snapshots %d checksum %.9e\n", nsnap, reread_checksum("u_snap.raw"));
    }
    free(s.u);
    MPI_Finalize();
    return 0;
}
