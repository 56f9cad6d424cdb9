/* Synthetic seismic shot records over a layered crust.
 * The shots of a survey line are dealt to the ranks; each trace is the sum of
 * primary reflections (Ricker wavelet, normal moveout) and goes to line.trc. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NSAMP   500             /* samples per trace */
#define NLAYER  6               /* reflectors        */
#define DT      0.008           /* s                 */
#define DXREC   12.5            /* receiver spacing, m */
#define FPEAK   28.0            /* Hz */

typedef struct {
    int   shot, receiver;
    float offset, rms;
    float s[NSAMP];
} Trace;

static const double depth[NLAYER] = { 320, 750, 1180, 1630, 2100, 2800 };
static const double vrms[NLAYER]  = { 1650, 1800, 2010, 2250, 2480, 2900 };
static const double refl[NLAYER]  = { 0.12, 0.21, -0.08, 0.17, 0.10, 0.25 };

static double ricker(double t)
{
    double a = M_PI * FPEAK * t;
    a *= a;
    return (1.0 - 2.0 * a) * exp(-a);
}

static void make_trace(Trace *tr, int shot, int rec)
{
    memset(tr->s, 0, sizeof tr->s);
    tr->shot = shot;
    tr->receiver = rec;
    tr->offset = (float)(DXREC * (rec + 1));
    double sum = 0.0;
    for (int l = 0; l < NLAYER; l++) {
        double t0 = 2.0 * depth[l] / vrms[l];
        double x = tr->offset / vrms[l];
        double t = sqrt(t0 * t0 + x * x) + 1e-5 * (shot % 7);
        int k0 = (int)((t - 0.05) / DT), k1 = (int)((t + 0.05) / DT);
        for (int k = k0 < 0 ? 0 : k0; k <= k1 && k < NSAMP; k++)
            tr->s[k] += (float)(refl[l] / t * ricker(k * DT - t));
    }
    for (int k = 0; k < NSAMP; k++)
        sum += tr->s[k] * tr->s[k];
    tr->rms = (float)sqrt(sum / NSAMP);
}

static void put_trace(MPI_File line, const Trace *tr, int nrec)
{
    MPI_Offset at = ((MPI_Offset)tr->shot * nrec + tr->receiver) * (MPI_Offset)sizeof *tr;
    MPI_File_write_at(line, at, tr, sizeof *tr, MPI_BYTE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nshot = argc > 1 ? atoi(argv[1]) : 40;      /* shots per rank      */
    int nrec  = argc > 2 ? atoi(argv[2]) : 96;      /* receivers per shot  */

    MPI_File line;
    if (MPI_File_open(MPI_COMM_WORLD, "line.trc", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                      MPI_INFO_NULL, &line) != MPI_SUCCESS) {
        fprintf(stderr, "cannot open line.trc\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    Trace *tr = malloc(sizeof *tr);
    double power = 0.0, total = 0.0;
    for (int i = 0; i < nshot; i++) {
        int shot = i * size + rank;
        for (int r = 0; r < nrec; r++) {
            make_trace(tr, shot, r);
            power += tr->rms;
            put_trace(line, tr, nrec);
        }
    }
    MPI_Reduce(&power, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_File_close(&line);
    if (rank == 0)
        printf("%d traces, mean rms amplitude %.6f\n", nshot * nrec * size,
               total / ((double)nshot * nrec * size));
    free(tr);
    MPI_Finalize();
    return 0;
}
