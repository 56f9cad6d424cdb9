/* Forward model of a pulsating star seen by several detectors. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NMODES 24

typedef struct {
    double freq[NMODES];
    double amp[NMODES];
    double phase[NMODES];
    double gain;
} Detector;

typedef struct {
    double time;
    double flux;
} Sample;

static void setup_detector(Detector *det, int rank)
{
    unsigned state = 97u + 13u * (unsigned)rank;
    for (int m = 0; m < NMODES; m++) {
        state = state * 1664525u + 1013904223u;
        det->freq[m] = 0.5 + 4.0 * (state >> 8) / 16777216.0;
        det->amp[m] = 0.01 / (1 + m);
        det->phase[m] = 0.1 * m;
    }
    det->gain = 1.0 + 0.02 * rank;
}

static double brightness(const Detector *det, double t)
{
    double f = 1.0;
    for (int m = 0; m < NMODES; m++)
        f += det->amp[m] * sin(6.283185307179586 * det->freq[m] * t + det->phase[m]);
    return det->gain * f;
}

static void append_sample(MPI_File fh, const Sample *s, long index, int rank, int size)
{
    MPI_Offset where = ((MPI_Offset)index * size + rank) * (MPI_Offset)sizeof(Sample);
    MPI_File_write_at_all(fh, where, s, 2, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long nsamples = argc > 1 ? atol(argv[1]) : 2000;
    double cadence = 0.004;

    Detector det;
    setup_detector(&det, rank);

    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "lightcurve.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &fh);
    MPI_File_set_size(fh, 0);

    double sum = 0, sum2 = 0;
    for (long i = 0; i < nsamples; i++) {
        Sample s;
        s.time = i * cadence;
        s.flux = 0;
        for (int k = 0; k < 16; k++)
            s.flux += brightness(&det, s.time + k * cadence / 16);
        s.flux /= 16;
        sum += s.flux;
        sum2 += s.flux * s.flux;
        append_sample(fh, &s, i, rank, size);
    }
    MPI_File_close(&fh);

    double local[2] = {sum, sum2}, total[2];
    MPI_Reduce(local, total, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        double n = (double)nsamples * size;
        double mean = total[0] / n;
        printf("mean flux %.8f  rms %.8f\n", mean, sqrt(total[1] / n - mean * mean));
    }
    MPI_Finalize();
    return 0;
}
