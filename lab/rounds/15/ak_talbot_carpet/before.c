/*
 * Quantum carpet: |psi(x,t)|^2 of a wave packet in a box, as a sum over
 * eigenstates, woven over one revival time.  The ranks share the columns
 * cyclically in strips of 64; the carpet is stored row by row in one file.
 *
 * usage: mpirun -n 2 carpet <rows> <modes>
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define COLUMNS 1024
#define STRIP   64
#define BATCH   128                 /* rows per write */

static double *basis;               /* sin(n pi x) for the columns of this rank */
static double *weight;

static void prepare(int rank, int size, int modes, int mine)
{
    basis = malloc((size_t)mine * modes * sizeof *basis);
    weight = malloc(modes * sizeof *weight);
    double norm = 0;
    for (int n = 0; n < modes; n++) {
        double d = (n + 1 - 0.4 * modes) / (0.12 * modes);
        weight[n] = exp(-0.5 * d * d);
        norm += weight[n] * weight[n];
    }
    for (int n = 0; n < modes; n++)
        weight[n] /= sqrt(norm);
    for (int c = 0; c < mine; c++) {
        int col = (c / STRIP * size + rank) * STRIP + c % STRIP;
        for (int n = 0; n < modes; n++)
            basis[(size_t)c * modes + n] = sin((n + 1) * M_PI * (col + 0.5) / COLUMNS);
    }
}

static double weave(double t, int modes, int mine, float *row)
{
    double *re = malloc(modes * sizeof *re), *im = malloc(modes * sizeof *im), sum = 0;
    for (int n = 0; n < modes; n++) {
        double phase = 2.0 * M_PI * fmod((double)(n + 1) * (n + 1) * t, 1.0);
        re[n] = weight[n] * cos(phase);
        im[n] = -weight[n] * sin(phase);
    }
    for (int c = 0; c < mine; c++) {
        const double *b = basis + (size_t)c * modes;
        double a = 0, d = 0;
        for (int n = 0; n < modes; n++) {
            a += re[n] * b[n];
            d += im[n] * b[n];
        }
        row[c] = (float)(2.0 * (a * a + d * d));
        sum += row[c];
    }
    free(re);
    free(im);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows  = argc > 1 ? atoi(argv[1]) : 1024;
    int modes = argc > 2 ? atoi(argv[2]) : 300;
    int mine  = COLUMNS / size;

    MPI_Datatype strips, filetype;
    MPI_Type_vector(mine / STRIP, STRIP, STRIP * size, MPI_FLOAT, &strips);
    MPI_Type_create_resized(strips, 0, COLUMNS * sizeof(float), &filetype);
    MPI_Type_commit(&filetype);

    MPI_File out;
    MPI_File_open(MPI_COMM_WORLD, "carpet.f32", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &out);
    MPI_File_set_view(out, (MPI_Offset)rank * STRIP * sizeof(float), MPI_FLOAT,
                      filetype, "native", MPI_INFO_NULL);

    prepare(rank, size, modes, mine);
    float *batch = malloc((size_t)BATCH * mine * sizeof *batch);
    double norm = 0, all = 0;
    for (int first = 0; first < rows; first += BATCH) {
        int n = rows - first < BATCH ? rows - first : BATCH;
        for (int r = 0; r < n; r++)
            norm += weave((double)(first + r) / rows, modes, mine, batch + (size_t)r * mine);
        MPI_File_write_all(out, batch, n * mine, MPI_FLOAT, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&out);

    MPI_Reduce(&norm, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("norm %.6f\n", all / rows / COLUMNS);
    MPI_Type_free(&filetype);
    MPI_Type_free(&strips);
    free(batch);
    free(basis);
    free(weight);
    MPI_Finalize();
    return 0;
}
