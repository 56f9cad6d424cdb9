/* Linear shallow-water waves in a closed basin with a sloping shelf.
 * The basin is cut into vertical strips, one per rank; each strip has a
 * row of tide gauges whose records are stored, one series after the other. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 128            /* cells west-east, all ranks together */
#define NY 96             /* cells south-north                   */
#define GAUGES 16         /* tide gauges per rank               */
#define DX 2000.0         /* m */
#define GRAV 9.81

static int rank, nranks, nloc;
static float *eta, *u, *v, *depth;

#define AT(a, j, i) (a)[(size_t)(j) * (nloc + 2) + (i)]

static float *field(void)
{
    return calloc((size_t)(NY + 1) * (nloc + 2), sizeof(float));
}

static void initial_state(void)
{
    for (int j = 0; j <= NY; j++)
        for (int i = 0; i < nloc + 2; i++) {
            int ig = rank * nloc + i - 1;
            double x = ig - 0.3 * NX, y = j - 0.5 * NY;
            AT(depth, j, i) = 200.0 + 3800.0 * (ig < 0 ? 0 : ig) / NX;
            AT(eta, j, i) = 2.0 * exp(-(x * x + y * y) / (2 * 18.0 * 18.0));
        }
}

static void exchange(float *a)
{
    static MPI_Datatype column = MPI_DATATYPE_NULL;
    if (column == MPI_DATATYPE_NULL) {
        MPI_Type_vector(NY + 1, 1, nloc + 2, MPI_FLOAT, &column);
        MPI_Type_commit(&column);
    }
    int west = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int east = rank < nranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&AT(a, 0, nloc), 1, column, east, 1, &AT(a, 0, 0), 1, column, west, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&AT(a, 0, 1), 1, column, west, 2, &AT(a, 0, nloc + 1), 1, column, east, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void step(double dt)
{
    float c = dt * GRAV / DX;
    exchange(eta);
    for (int j = 0; j < NY; j++)
        for (int i = 1; i <= nloc; i++) {
            int wall = rank == nranks - 1 && i == nloc;
            AT(u, j, i) = wall ? 0 : AT(u, j, i) - c * (AT(eta, j, i + 1) - AT(eta, j, i));
            AT(v, j, i) = j == NY - 1 ? 0 : AT(v, j, i) - c * (AT(eta, j + 1, i) - AT(eta, j, i));
        }
    exchange(u);
    for (int j = 0; j < NY; j++)
        for (int i = 1; i <= nloc; i++) {
            float south = j > 0 ? AT(v, j - 1, i) : 0;
            float west = rank == 0 && i == 1 ? 0 : AT(u, j, i - 1);
            AT(eta, j, i) -= dt / DX * AT(depth, j, i) * (AT(u, j, i) - west + AT(v, j, i) - south);
        }
}

/* gauges lie along the middle of the strip */
static double level(int g)
{
    return AT(eta, (2 * g + 1) * NY / (2 * GAUGES), nloc / 2);
}

static double *series;

static void record_gauges(MPI_File tide, int n, int nsteps)
{
    if (n == 0)
        series = malloc((size_t)GAUGES * nsteps * sizeof *series);
    for (int g = 0; g < GAUGES; g++)
        series[(size_t)g * nsteps + n] = level(g);
    if (n == nsteps - 1)
        MPI_File_write_at_all(tide, (MPI_Offset)rank * GAUGES * nsteps * sizeof *series, series,
                              GAUGES * nsteps, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    int nsteps = argc > 1 ? atoi(argv[1]) : 1000;
    nloc = NX / nranks;
    eta = field(); u = field(); v = field(); depth = field();
    initial_state();
    double dt = 0.4 * DX / sqrt(GRAV * 4000.0);

    MPI_File tide;
    MPI_File_open(MPI_COMM_WORLD, "gauges.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &tide);
    for (int n = 0; n < nsteps; n++) {
        step(dt);
        record_gauges(tide, n, nsteps);
    }
    MPI_File_close(&tide);

    double mass = 0, total;
    for (int j = 0; j < NY; j++)
        for (int i = 1; i <= nloc; i++)
            mass += AT(eta, j, i);
    MPI_Reduce(&mass, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d steps, displaced water %.3f m x cells\n", nsteps, total);
    MPI_Finalize();
    return 0;
}
