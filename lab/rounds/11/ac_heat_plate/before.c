/* Heat conduction in a composite plate, explicit scheme, with a laser spot
 * moving over the surface. Strips of columns, one per rank; a temperature
 * map goes to the common file now and then. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NX 512
#define NY 512
#define H 1e-4             /* m */
#define POWER 4.0e4        /* K/s in the centre of the spot */

static int rank, nranks, nloc;
static double *t_old, *t_new, *kappa;

#define AT(a, j, i) (a)[(size_t)(j) * (nloc + 2) + (i)]

static double *field(void)
{
    return calloc((size_t)NY * (nloc + 2), sizeof(double));
}

/* copper with inclusions of steel */
static void material(void)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < nloc + 2; i++) {
            int ig = rank * nloc + i - 1;
            int steel = (ig / 32 + j / 32) % 5 == 0;
            AT(kappa, j, i) = steel ? 1.2e-5 : 1.1e-4;
            AT(t_old, j, i) = AT(t_new, j, i) = 293.0;
        }
}

static void exchange(double *a)
{
    static MPI_Datatype column = MPI_DATATYPE_NULL;
    if (column == MPI_DATATYPE_NULL) {
        MPI_Type_vector(NY, 1, nloc + 2, MPI_DOUBLE, &column);
        MPI_Type_commit(&column);
    }
    int west = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int east = rank < nranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&AT(a, 0, nloc), 1, column, east, 1, &AT(a, 0, 0), 1, column, west, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&AT(a, 0, 1), 1, column, west, 2, &AT(a, 0, nloc + 1), 1, column, east, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void step(int n, double dt)
{
    double sx = NX * (0.5 + 0.3 * cos(0.002 * n)), sy = NY * (0.5 + 0.3 * sin(0.002 * n));
    exchange(t_old);
    for (int j = 1; j < NY - 1; j++)
        for (int i = 1; i <= nloc; i++) {
            int ig = rank * nloc + i - 1;
            if (ig == 0 || ig == NX - 1)
                continue;
            double k = AT(kappa, j, i), c = AT(t_old, j, i);
            double ke = 2 * k * AT(kappa, j, i + 1) / (k + AT(kappa, j, i + 1));
            double kw = 2 * k * AT(kappa, j, i - 1) / (k + AT(kappa, j, i - 1));
            double kn = 2 * k * AT(kappa, j + 1, i) / (k + AT(kappa, j + 1, i));
            double ks = 2 * k * AT(kappa, j - 1, i) / (k + AT(kappa, j - 1, i));
            double r2 = ((ig - sx) * (ig - sx) + (j - sy) * (j - sy)) / 200.0;
            double q = r2 < 12 ? POWER * exp(-r2) : 0;
            AT(t_new, j, i) = c + dt * (q + (ke * (AT(t_old, j, i + 1) - c) + kw * (AT(t_old, j, i - 1) - c)
                              + kn * (AT(t_old, j + 1, i) - c) + ks * (AT(t_old, j - 1, i) - c)) / (H * H));
        }
    double *swap = t_old;
    t_old = t_new;
    t_new = swap;
}

static void store_map(MPI_File f, int map)
{
    static float *buffer;
    if (!buffer)
        buffer = malloc((size_t)NY * nloc * sizeof(float));
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < nloc; i++)
            buffer[(size_t)j * nloc + i] = AT(t_old, j, i + 1);
    MPI_File_write_at_all(f, (MPI_Offset)map * NY * nloc, buffer, NY * nloc, MPI_FLOAT,
                          MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    int nsteps = argc > 1 ? atoi(argv[1]) : 1000;
    int every = argc > 2 ? atoi(argv[2]) : 100;
    nloc = NX / nranks;
    t_old = field(); t_new = field(); kappa = field();
    material();

    MPI_File maps;
    MPI_File_open(MPI_COMM_WORLD, "plate.raw", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &maps);
    int whole[2] = {NY, NX}, mine[2] = {NY, nloc}, corner[2] = {0, rank * nloc};
    MPI_Datatype strip;
    MPI_Type_create_subarray(2, whole, mine, corner, MPI_ORDER_C, MPI_FLOAT, &strip);
    MPI_Type_commit(&strip);
    MPI_File_set_view(maps, 0, MPI_FLOAT, strip, "native", MPI_INFO_NULL);
    int map = 0;
    for (int n = 1; n <= nsteps; n++) {
        step(n, 2e-5);
        if (n % every == 0)
            store_map(maps, map++);
    }
    MPI_File_close(&maps);

    double hot = 0, hottest;
    for (size_t i = 0; i < (size_t)NY * (nloc + 2); i++)
        hot = fmax(hot, t_old[i]);
    MPI_Reduce(&hot, &hottest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d maps, hottest point %.2f K\n", map, hottest);
    MPI_Finalize();
    return 0;
}
