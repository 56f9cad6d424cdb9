/* Spectral wave model of a bay: action density for all directions.
 *
 * The directions are dealt out to the ranks like cards (direction d belongs to
 * rank d mod n), all ranks hold the whole grid.  Propagation is upwind per direction, wind input and breaking act
 * locally.  Output is the field [y][x][direction] in one file per run, as the
 * plotting programs need it.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NDIR 24
#define NX 160
#define NY 120
#define DX 500.0
#define CG 6.0          /* group velocity, m/s */
#define DT 40.0

static int rank, nranks, nloc;

static void wind_input(float *a, double t)
{
    float g[NDIR];
    for (int d = 0; d < nloc; d++) {
        double th = 2 * M_PI * (d * nranks + rank) / NDIR;
        double s = cos(th - 0.6 - 0.2 * sin(t / 3600.0));
        g[d] = s > 0 ? (float)(2.0e-4 * s * s) : 0.0f;
    }
    for (int p = 0; p < NX * NY; p++)
        for (int d = 0; d < nloc; d++) {
            float *v = &a[p * nloc + d];
            *v += (float)DT * (g[d] * (*v + 0.01f) - 4.0e-4f * *v * *v);
        }
}

static void propagate(const float *a, float *b)
{
    for (int d = 0; d < nloc; d++) {
        double th = 2 * M_PI * (d * nranks + rank) / NDIR;
        double cx = CG * cos(th) * DT / DX, cy = CG * sin(th) * DT / DX;
        int sx = cx > 0 ? -1 : 1, sy = cy > 0 ? -1 : 1;
        float fx = (float)fabs(cx), fy = (float)fabs(cy);
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                int ux = x + sx, uy = y + sy;
                float c = a[(y * NX + x) * nloc + d];
                float w = ux < 0 || ux >= NX ? 0.0f : a[(y * NX + ux) * nloc + d];
                float s = uy < 0 || uy >= NY ? 0.0f : a[(uy * NX + x) * nloc + d];
                b[(y * NX + x) * nloc + d] = c + fx * (w - c) + fy * (s - c);
            }
    }
}

static void write_field(MPI_File f, int snap, const float *a)
{
    MPI_Offset base = (MPI_Offset)snap * NX * NY * NDIR * sizeof(float);
    MPI_Datatype group;
    MPI_Type_vector(NX * NY * nloc, 1, nranks, MPI_FLOAT, &group);
    MPI_Type_commit(&group);
    MPI_File_set_view(f, base + rank * (MPI_Offset)sizeof(float), MPI_FLOAT, group, "native",
                      MPI_INFO_NULL);
    MPI_File_write_all(f, a, NX * NY * nloc, MPI_FLOAT, MPI_STATUS_IGNORE);
    MPI_Type_free(&group);
}

static double energy(const float *a)
{
    double e = 0, total;
    for (int i = 0; i < NX * NY * nloc; i++)
        e += a[i];
    MPI_Allreduce(&e, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return total * 2 * M_PI / NDIR / (NX * NY);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    int nsteps = argc > 1 ? atoi(argv[1]) : 90;
    int every = argc > 2 ? atoi(argv[2]) : 30;
    nloc = NDIR / nranks;

    size_t n = (size_t)NX * NY * nloc;
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (size_t i = 0; i < n; i++)
        a[i] = 0.02f;
    MPI_File f;
    MPI_File_open(MPI_COMM_WORLD, "action.f32", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &f);
    int snaps = 0;
    for (int k = 1; k <= nsteps; k++) {
        wind_input(a, k * DT);
        propagate(a, b);
        float *t = a;
        a = b;
        b = t;
        if (k % every == 0)
            write_field(f, snaps++, a);
    }
    MPI_File_close(&f);
    double e = energy(a);
    if (rank == 0)
        printf("steps %d  snapshots %d  mean energy %.6f\n", nsteps, snaps, e);
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}
