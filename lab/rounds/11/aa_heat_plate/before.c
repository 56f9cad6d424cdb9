/* Heat conduction in a long strip of sheet metal with two laser spots.
 * It is cut lengthwise, one part for each rank; the temperature
 * is stored in one file as frames of ROWS x COLS doubles for the viewer. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#define ROWS 32768
#define COLS 16

static int rank, nproc, ncols, first;
static double *T, *Tn;

#define IDX(i, j) ((size_t)(i) * (ncols + 2) + (j))

static void initial_temperature(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ncols + 2; j++)
            T[IDX(i, j)] = Tn[IDX(i, j)] = 293.15;
}

/* two Gaussian spots that wander along the plate */
static void laser(double t, double dt)
{
    double r1 = ROWS * (0.3 + 0.1 * sin(t)), r2 = ROWS * (0.7 + 0.1 * cos(t));
    double c1 = COLS * 0.35, c2 = COLS * 0.65, w2 = 100.0;
    for (int i = 0; i < ROWS; i++) {
        if (fabs(i - r1) > 60 && fabs(i - r2) > 60)
            continue;
        for (int j = 1; j <= ncols; j++) {
            double x = first + j - 1;
            double d1 = (i - r1) * (i - r1) + (x - c1) * (x - c1);
            double d2 = (i - r2) * (i - r2) + (x - c2) * (x - c2);
            T[IDX(i, j)] += dt * 50.0 * (exp(-d1 / w2) + exp(-d2 / w2));
        }
    }
}

static void exchange_edges(MPI_Datatype column)
{
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < nproc - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&T[IDX(0, 1)], 1, column, left, 1,
                 &T[IDX(0, ncols + 1)], 1, column, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&T[IDX(0, ncols)], 1, column, right, 2,
                 &T[IDX(0, 0)], 1, column, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void diffuse(double k)
{
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 1; j <= ncols; j++)
            Tn[IDX(i, j)] = T[IDX(i, j)] + k * (T[IDX(i - 1, j)] + T[IDX(i + 1, j)] +
                            T[IDX(i, j - 1)] + T[IDX(i, j + 1)] - 4.0 * T[IDX(i, j)]);
    double *s = T; T = Tn; Tn = s;
}

static void store_frame(MPI_File fh, int frame)
{
    MPI_Offset base = (MPI_Offset)frame * ROWS * COLS * sizeof(double);
    for (int i = 0; i < ROWS; i++) {
        MPI_Offset at = base + ((MPI_Offset)i * COLS + first) * sizeof(double);
        MPI_File_write_at(fh, at, &T[IDX(i, 1)], ncols, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int frames = argc > 1 ? atoi(argv[1]) : 14;
    int substeps = argc > 2 ? atoi(argv[2]) : 3;
    ncols = COLS / nproc;
    first = rank * ncols;
    T = malloc(sizeof(double) * ROWS * (ncols + 2));
    Tn = malloc(sizeof(double) * ROWS * (ncols + 2));
    initial_temperature();

    MPI_Datatype column;
    MPI_Type_vector(ROWS, 1, ncols + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);

    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "plate.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
    double t = 0.0, dt = 0.01;
    for (int f = 0; f < frames; f++) {
        for (int s = 0; s < substeps; s++, t += dt) {
            laser(t, dt);
            exchange_edges(column);
            diffuse(0.2);
        }
        store_frame(fh, f);
    }
    MPI_File_close(&fh);

    double heat = 0.0, total;
    for (int i = 0; i < ROWS; i++)
        for (int j = 1; j <= ncols; j++)
            heat += T[IDX(i, j)] - 293.15;
    MPI_Reduce(&heat, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("stored heat after %d frames: %.6e\n", frames, total);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
