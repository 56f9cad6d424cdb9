/* Gram matrix of basis functions, columns dealt out to the ranks in small panels, stored row by row. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define PANEL 4

static int owned_columns(int n, int rank, int size)
{
    int count = 0;
    for (int p = rank; p < n / PANEL; p += size)
        count += PANEL;
    return count;
}

static void fill_panels(double *a, int n, int mine, int rank, int size)
{
    for (int i = 0; i < n; i++)
        for (int q = 0; q < mine / PANEL; q++)
            for (int c = 0; c < PANEL; c++) {
                int j = (q * size + rank) * PANEL + c;
                double d = (double)(i - j) / n;
                a[(size_t)i * mine + q * PANEL + c] = 1.0 / (1.0 + 50.0 * d * d) + 1e-3 * (i == j);
            }
}

static double checksum(const double *a, size_t n)
{
    double s = 0;
    for (size_t k = 0; k < n; k++)
        s += a[k] * (1 + k % 7);
    return s;
}

static void write_matrix(const char *path, const double *a, int n, int mine, int rank, int size)
{
    MPI_File out;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &out);
    MPI_Datatype panels;
    MPI_Type_vector(n * (mine / PANEL), PANEL, PANEL * size, MPI_DOUBLE, &panels);
    MPI_Type_commit(&panels);
    MPI_File_set_view(out, (MPI_Offset)rank * PANEL * sizeof(double), MPI_DOUBLE, panels, "native",
                      MPI_INFO_NULL);
    MPI_File_write_all(out, a, n * mine, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_Type_free(&panels);
    MPI_File_close(&out);
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 1024;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (n % (PANEL * size)) {
        if (rank == 0)
            fprintf(stderr, "order must be a multiple of %d\n", PANEL * size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int mine = owned_columns(n, rank, size);
    double *a = malloc((size_t)n * mine * sizeof(double));
    fill_panels(a, n, mine, rank, size);
    double local = checksum(a, (size_t)n * mine), total;
    write_matrix("gram.bin", a, n, mine, rank, size);
    MPI_Reduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("order %d  ranks %d  checksum %.8e\n", n, size, total);
    free(a);
    MPI_Finalize();
    return 0;
}
