/* Average plaquette of a gauge configuration. The lattice is cut in x and y,
 * the file is x-fastest; each rank reads its box through a subarray view. */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LX 16
#define LY 16
#define LZ 12
#define LT 16
#define NHIT 10

typedef double complex su3[3][3];

static void mul(su3 r, su3 a, su3 b, int dagb)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double complex s = 0;
            for (int k = 0; k < 3; k++) s += a[i][k] * (dagb ? conj(b[j][k]) : b[k][j]);
            r[i][j] = s;
        }
}

static long nx, ny;

static long site(long x, long y, long z, long t)
{
    return ((t * LZ + z) * ny + y) * nx + x;
}

/* interior plaquettes of the box */
static double plaquette(su3 (*u)[4], long *n)
{
    double sum = 0;
    for (long t = 0; t < LT - 1; t++)
        for (long z = 0; z < LZ - 1; z++)
            for (long y = 0; y < ny - 1; y++)
                for (long x = 0; x < nx - 1; x++) {
                    long s = site(x, y, z, t);
                    long f[4] = {site(x + 1, y, z, t), site(x, y + 1, z, t), site(x, y, z + 1, t), site(x, y, z, t + 1)};
                    for (int m = 0; m < 4; m++)
                        for (int k = 0; k < m; k++) {
                            su3 a, b, c;
                            mul(a, u[s][m], u[f[m]][k], 0);
                            mul(b, a, u[f[k]][m], 1);
                            mul(c, b, u[s][k], 1);
                            sum += creal(c[0][0] + c[1][1] + c[2][2]) / 3;
                            ++*n;
                        }
                }
    return sum;
}

static void damp(su3 (*u)[4], long vol)
{
    for (long s = 0; s < vol; s++)
        for (int m = 0; m < 4; m++) {
            su3 w;
            mul(w, u[s][m], u[s][(m + 1) % 4], 0);
            for (int i = 0; i < 9; i++) (&u[s][m][0][0])[i] = 0.97 * (&u[s][m][0][0])[i] + 0.03 * (&w[0][0])[i];
        }
}

int main(int argc, char **argv)
{
    int me, np, dims[2] = {0, 0}, per[2] = {0, 0}, at[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, per, 0, &cart);
    MPI_Comm_rank(cart, &me);
    MPI_Cart_coords(cart, me, 2, at);
    nx = LX / dims[0];
    ny = LY / dims[1];
    long vol = nx * ny * LZ * LT;
    su3 (*u)[4] = malloc(vol * sizeof *u);

    MPI_Datatype link, box;
    MPI_Type_contiguous(72, MPI_DOUBLE, &link);
    MPI_Type_commit(&link);
    int gs[4] = {LT, LZ, LY, LX}, ls[4] = {LT, LZ, ny, nx}, st[4] = {0, 0, at[1] * ny, at[0] * nx};
    MPI_Type_create_subarray(4, gs, ls, st, MPI_ORDER_C, link, &box);
    MPI_Type_commit(&box);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_read", "enable");
    MPI_Info_set(info, "cb_buffer_size", "8388608");
    MPI_File fh;
    if (MPI_File_open(cart, "lat.u", MPI_MODE_RDONLY, info, &fh)) MPI_Abort(cart, 1);
    MPI_File_set_view(fh, 0, link, box, "native", info);
    MPI_File_read_all(fh, u, vol, link, MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    MPI_Info_free(&info);

    for (int h = 0; h < NHIT; h++) {
        long n = 0, gn;
        double p = plaquette(u, &n), g;
        MPI_Reduce(&p, &g, 1, MPI_DOUBLE, MPI_SUM, 0, cart);
        MPI_Reduce(&n, &gn, 1, MPI_LONG, MPI_SUM, 0, cart);
        if (me == 0) printf("hit %d plaquette %.10f\n", h, g / gn);
        damp(u, vol);
    }
    free(u);
    MPI_Type_free(&box);
    MPI_Type_free(&link);
    MPI_Comm_free(&cart);
    MPI_Finalize();
    return 0;
}
