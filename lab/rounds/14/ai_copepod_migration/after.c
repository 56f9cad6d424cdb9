/*
 * copepods.c -- diel vertical migration of Calanus, individual based
 *
 * Every individual swims towards a preferred light level, is mixed by
 * turbulence (random walk with the Visser correction), feeds at the
 * chlorophyll maximum and loses weight by respiration.  The individuals are
 * dealt out to the ranks; track.bin has the layout [step][rank][animal].
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define DEPTH   200.0      /* m   */
#define DT      600.0      /* s   */
#define SWIM    0.012      /* m/s */
#define CHLMAX  28.0       /* m   */

typedef struct { float z, w, gut, light; } state_t;

static uint64_t seed;
static double rnd(void)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 - 0.5;
}

static double surface_light(double t)
{
    double h = sin(2 * M_PI * (t / 86400.0 - 0.25));
    return h > 0 ? 1000.0 * pow(h, 1.2) + 0.01 : 0.01;
}

static double diffusivity(double z) { return 1e-4 + 8e-3 * exp(-z / 25.0); }

static void live(state_t *c, double t)
{
    double sub = DT / 12;
    for (int k = 0; k < 12; k++) {
        double light = surface_light(t + k * sub) * exp(-0.08 * c->z);
        double want = log10(light + 1e-9) - (-1.5);
        double dk = (diffusivity(c->z + 0.5) - diffusivity(c->z - 0.5));
        double z = c->z + SWIM * tanh(0.7 * want) * sub + dk * sub
                 + rnd() * sqrt(24.0 * diffusivity(c->z) * sub);
        if (z < 0) z = -z;
        if (z > DEPTH) z = 2 * DEPTH - z;
        c->z = (float)z;
        double food = exp(-pow((z - CHLMAX) / 12.0, 2));
        c->gut += (float)(sub * (2e-4 * food * (1 - c->gut) - 1e-4 * c->gut));
        c->w += (float)(sub * (1.2e-6 * c->gut - 2.5e-7));
        c->light = (float)light;
    }
}

static void record(MPI_File fh, int step, int nproc, int rank, int n, state_t *a)
{
    MPI_Offset at = ((MPI_Offset)step * nproc + rank) * n * (MPI_Offset)sizeof(state_t);
    MPI_File_write_at_all(fh, at, a, 4 * n, MPI_FLOAT, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, nproc;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int n = argc > 1 ? atoi(argv[1]) : 200;       /* animals per rank */
    int steps = argc > 2 ? atoi(argv[2]) : 1296;  /* nine days        */

    seed = 977u + 31u * rank;
    state_t *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = (state_t){ (float)(60 + 120 * (rnd() + 0.5)), 1.0f, 0.2f, 0.f };

    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "track.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &fh);
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) live(&a[i], s * DT);
        record(fh, s, nproc, rank, n, a);
    }
    MPI_File_close(&fh);

    double zm = 0, wm = 0, g[2], l[2];
    for (int i = 0; i < n; i++) { zm += a[i].z; wm += a[i].w; }
    l[0] = zm / n; l[1] = wm / n;
    MPI_Reduce(l, g, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("mean depth %.2f m, mean weight %.4f\n", g[0] / nproc, g[1] / nproc);
    free(a);
    MPI_Finalize();
    return 0;
}
