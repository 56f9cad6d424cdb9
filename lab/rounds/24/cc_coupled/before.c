/* Toy coupled model in the style of the two-executable OASIS/MCT couplers:
 * rank 0 is the atmosphere, rank 1 the ocean; fluxes and SST are exchanged each step.
 * usage: coupled NLON NLAT NSTEP diag.txt */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_FLUX = 11, TAG_SST = 12, OCN_SUB = 60, NWAVE = 110 };
static int nx, ny, n;

static void *xalloc(size_t k)
{
    void *p = calloc(k, sizeof(double));
    if (!p) MPI_Abort(MPI_COMM_WORLD, 9);
    return p;
}

static void atm_dynamics(double *ta, const double *sst, double *flux, int step)
{
    for (int i = 0; i < n; i++) {
        flux[i] = 15.0 * (ta[i] - sst[i]) + 2.0 * sin(0.1 * step + 1e-3 * i);
        ta[i] += 0.02 * (sst[i] - ta[i]) + 0.05 * cos(0.05 * step + 0.7 * (i % nx) / nx);
    }
}

/* zonal spectrum of the temperature, row by row, for the diagnostic file */
static void atm_spectrum(const double *ta, double *power)
{
    for (int k = 0; k < NWAVE; k++) power[k] = 0;
    for (int j = 0; j < ny; j++)
        for (int k = 0; k < NWAVE; k++) {
            double re = 0, im = 0, a = 2 * M_PI * k / nx, c = 1, s = 0, ca = cos(a), sa = sin(a);
            for (int i = 0; i < nx; i++) {
                double t;
                re += ta[j * nx + i] * c; im += ta[j * nx + i] * s;
                t = c * ca - s * sa; s = s * ca + c * sa; c = t;
            }
            power[k] += re * re + im * im;
        }
}

static void ocean_step(double *sst, double *w, const double *flux)
{
    for (int s = 0; s < OCN_SUB; s++) {
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                int e = j * nx + (i + 1) % nx, o = j * nx + (i + nx - 1) % nx;
                int no = (j + 1 < ny ? j + 1 : j) * nx + i, so = (j ? j - 1 : 0) * nx + i, c = j * nx + i;
                w[c] = sst[c] + 0.1 * (sst[e] + sst[o] + sst[no] + sst[so] - 4 * sst[c]) + 1e-6 * flux[c];
            }
        for (int c = 0; c < n; c++) sst[c] = w[c];
    }
}

static void atmosphere(int nstep, const char *path)
{
    double *ta = xalloc(n), *sst = xalloc(n), *flux = xalloc(n), power[NWAVE];
    FILE *f = fopen(path, "w");
    if (!f) { perror(path); MPI_Abort(MPI_COMM_WORLD, 3); }
    for (int i = 0; i < n; i++) { ta[i] = 285 + 10 * sin(0.01 * (i % nx)); sst[i] = 290; }
    for (int t = 0; t < nstep; t++) {
        atm_dynamics(ta, sst, flux, t);
        atm_spectrum(ta, power);
        MPI_Send(flux, n, MPI_DOUBLE, 1, TAG_FLUX, MPI_COMM_WORLD);
        fprintf(f, "%d", t);
        for (int k = 0; k < NWAVE; k++) fprintf(f, " %.6e", power[k]);
        fputc('\n', f);
        MPI_Recv(sst, n, MPI_DOUBLE, 1, TAG_SST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    fclose(f);
    double m = 0;
    for (int i = 0; i < n; i++) m += ta[i];
    printf("mean air temperature %.8f\n", m / n);
    free(ta); free(sst); free(flux);
}

static void ocean(int nstep)
{
    double *sst = xalloc(n), *w = xalloc(n), *flux = xalloc(n);
    for (int i = 0; i < n; i++) sst[i] = 290;
    for (int t = 0; t < nstep; t++) {
        MPI_Recv(flux, n, MPI_DOUBLE, 0, TAG_FLUX, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        ocean_step(sst, w, flux);
        MPI_Send(sst, n, MPI_DOUBLE, 0, TAG_SST, MPI_COMM_WORLD);
    }
    free(sst); free(w); free(flux);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 5 || size != 2) {
        if (!rank) fprintf(stderr, "usage: mpirun -n 2 %s nlon nlat nstep diag\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    nx = atoi(argv[1]); ny = atoi(argv[2]); n = nx * ny;
    if (rank == 0) atmosphere(atoi(argv[3]), argv[4]);
    else ocean(atoi(argv[3]));
    MPI_Finalize();
    return 0;
}
