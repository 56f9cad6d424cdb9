/* Frequency-independent attenuation of a stored wavefield: read each rank's slab in large pieces,
 * filter, write the result and the envelope in equally large pieces (MPI-IO, contiguous).
 * Access pattern like IOR with 8 MiB transfers, segmented. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define PIECE (1 << 20)   /* doubles: 8 MiB */

static void die(const char *w, int rc)
{
    if (rc != MPI_SUCCESS) { fprintf(stderr, "%s failed\n", w); MPI_Abort(MPI_COMM_WORLD, 1); }
}

static MPI_File open_file(const char *n, int mode)
{
    MPI_File f;
    die(n, MPI_File_open(MPI_COMM_WORLD, n, mode, MPI_INFO_NULL, &f));
    return f;
}

static double filter(double *u, double *env, long n, double q, double state[2])
{
    double e = 0;
    for (long i = 0; i < n; i++) {
        double y = 0.2 * u[i] + 0.8 * state[0], h = y - state[1];
        state[1] = state[0];
        state[0] = y;
        u[i] = y * exp(-fabs(y) / q);
        env[i] = sqrt(u[i] * u[i] + h * h) + 1e-3 * log1p(y * y) + 1e-4 * atan2(h, y + 1e-9);
        e += env[i];
    }
    return e;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int passes = argc > 2 ? atoi(argv[2]) : 1;
    double q = argc > 1 ? atof(argv[1]) : 50, e = 0, all, state[2] = { 0, 0 };
    MPI_File in = open_file("wavefield.bin", MPI_MODE_RDONLY);
    MPI_File out = open_file("attenuated.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MPI_File env = open_file("envelope.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MPI_Offset bytes;
    MPI_File_get_size(in, &bytes);
    long pieces = bytes / (8L * PIECE) / size;
    double *u = malloc(8L * PIECE), *v = malloc(8L * PIECE);
    for (long p = 0; p < pieces; p++) {
        MPI_Offset at = (rank * pieces + p) * 8L * PIECE;
        die("read", MPI_File_read_at(in, at, u, PIECE, MPI_DOUBLE, MPI_STATUS_IGNORE));
        for (int k = 0; k < passes; k++) e += filter(u, v, PIECE, q, state);
        die("write", MPI_File_write_at(out, at, u, PIECE, MPI_DOUBLE, MPI_STATUS_IGNORE));
        die("write", MPI_File_write_at(env, at, v, PIECE, MPI_DOUBLE, MPI_STATUS_IGNORE));
    }
    MPI_Reduce(&e, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_File_close(&in); MPI_File_close(&out); MPI_File_close(&env);
    if (rank == 0) printf("pieces %ld envelope sum %.6e\n", pieces * size, all);
    free(u); free(v);
    MPI_Finalize();
    return 0;
}
