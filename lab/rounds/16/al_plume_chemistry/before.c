/* Reactive plume behind a stack: every grid cell integrates a small NOx-ozone chemistry,
 * with as many inner steps as its stiffness asks for.  Fields are written each output time.
 *
 * usage: plume nx ny ntimes
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <mpi.h>

#define NSPEC 4                     /* NO, NO2, O3, HNO3 */
#define T_OUT 60.0                  /* s between outputs */
#define K_TITRATION 0.02            /* per ppb s */
#define J_NO2 0.008
#define K_ACID 2e-4
#define K_DEP 1e-5

static int inner_steps(const double *c)
{
    double rate = K_TITRATION * (c[0] + c[2]) + J_NO2 + K_ACID;
    int n = (int)(T_OUT * rate * 4.0) + 2;
    return n > 4000 ? 4000 : n;
}

static void react(double *c)
{
    int n = inner_steps(c);
    double dt = T_OUT / n;
    for (int s = 0; s < n; s++) {
        double tit = K_TITRATION * c[0] * c[2];
        double pho = J_NO2 * c[1];
        double acid = K_ACID * c[1];
        c[0] = fmax(0.0, c[0] + dt * (pho - tit));
        c[1] = fmax(0.0, c[1] + dt * (tit - pho - acid));
        c[2] = fmax(0.0, c[2] + dt * (pho - tit + 0.001 * (40.0 - c[2])));
        c[3] = fmax(0.0, c[3] + dt * (acid - K_DEP * c[3]));
    }
}

/* the stack feeds the southern rows of the domain; wind along x */
static double emission(int i, int j, int nx, int ny)
{
    double y = (j - 0.25 * ny) / (0.1 * ny);
    double x = (double)i / nx;
    return 1500.0 * exp(-y * y) * exp(-0.8 * x);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nx = argc > 1 ? atoi(argv[1]) : 128;
    int ny = argc > 2 ? atoi(argv[2]) : 128;
    int ntimes = argc > 3 ? atoi(argv[3]) : 20;
    ny -= ny % size;
    int rows = ny / size;
    size_t rowlen = (size_t)nx * NSPEC;

    double *c = malloc(rows * rowlen * sizeof(double));
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < nx; i++) {
            double *cell = c + r * rowlen + (size_t)i * NSPEC;
            cell[0] = 0.5; cell[1] = 4.0; cell[2] = 40.0; cell[3] = 0.2;
        }

    /* rows of this rank: a band of the domain */
    int row0 = rank * rows;
    MPI_Datatype layout;
    int starts[2] = {row0, 0}, sub[2] = {rows, (int)rowlen}, full[2] = {ny, (int)rowlen};
    MPI_Type_create_subarray(2, full, sub, starts, MPI_ORDER_C, MPI_DOUBLE, &layout);
    MPI_Type_commit(&layout);
    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "plume.fields", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &fh);
    MPI_File_set_view(fh, 0, MPI_DOUBLE, layout, "native", MPI_INFO_NULL);

    for (int t = 0; t < ntimes; t++) {
        double gust = 1.0 + 0.3 * sin(0.7 * t);
        for (int r = 0; r < rows; r++) {
            int j = row0 + r;
            for (int i = 0; i < nx; i++) {
                double *cell = c + r * rowlen + (size_t)i * NSPEC;
                cell[0] += gust * emission(i, j, nx, ny);
                react(cell);
                for (int s = 0; s < NSPEC; s++)      /* ventilation to the background */
                    cell[s] *= s == 2 ? 1.0 : 0.6;
            }
        }
        MPI_File_write_all(fh, c, rows * (int)rowlen, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&fh);

    double mine = 0, sum;
    for (size_t k = 3; k < rows * rowlen; k += NSPEC) mine += c[k];
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("mean HNO3 %.6f ppb after %d outputs\n", sum / ((double)nx * ny), ntimes);
    MPI_Type_free(&layout);
    free(c);
    MPI_Finalize();
    return 0;
}
