/* Planar rotors (XY model) on a square lattice, strips of rows on MPI ranks.
 *
 * The angles of the rotors are kept as frames of one extendible HDF5 dataset
 * (frame, row, column); vortices are counted along the way.
 *
 * usage: mpirun -n 2 rotors size sweeps every temperature
 */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979f

typedef struct {
    int n, rows, rank, up, down;
    float *angle;             /* rows + 2 halo rows of n angles */
    uint32_t random;
    float beta;
} Lattice;

static float uniform(Lattice *l)
{
    l->random ^= l->random << 13;
    l->random ^= l->random >> 17;
    l->random ^= l->random << 5;
    return (l->random >> 8) * (1.0f / 16777216.0f);
}

static void exchange(Lattice *l)
{
    float *a = l->angle;
    int n = l->n, rows = l->rows;

    MPI_Sendrecv(a + n, n, MPI_FLOAT, l->up, 1, a + (size_t)(rows + 1) * n, n, MPI_FLOAT,
                 l->down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(a + (size_t)rows * n, n, MPI_FLOAT, l->down, 2, a, n, MPI_FLOAT,
                 l->up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* One Langevin step of all the rotors of one colour of the checkerboard. */
static void relax(Lattice *l, int colour)
{
    int n = l->n;

    for (int r = 1; r <= l->rows; r++) {
        float *row = l->angle + (size_t)r * n;
        for (int c = (r + colour) & 1; c < n; c += 2) {
            float a = row[c];
            float west = row[c ? c - 1 : n - 1], east = row[c + 1 < n ? c + 1 : 0];
            float torque = sinf(west - a) + sinf(east - a) + sinf(row[c - n] - a) + sinf(row[c + n] - a);
            a += 0.05f * torque + (uniform(l) - 0.5f) * sqrtf(1.2f * 0.05f / l->beta);
            row[c] = a > PI ? a - 2 * PI : a < -PI ? a + 2 * PI : a;
        }
    }
}

static float wrap(float d) { return d > PI ? d - 2 * PI : d < -PI ? d + 2 * PI : d; }

static long vortices(const Lattice *l)
{
    long found = 0;
    int n = l->n;

    for (int r = 1; r <= l->rows; r++)
        for (int c = 0; c < n; c++) {
            const float *p = l->angle + (size_t)r * n, *q = p + n;
            int e = c + 1 < n ? c + 1 : 0;
            float turn = wrap(p[e] - p[c]) + wrap(q[e] - p[e]) + wrap(q[c] - q[e]) + wrap(p[c] - q[c]);
            found += fabsf(turn) > PI;
        }
    return found;
}

static hid_t create_frames(hid_t file, const Lattice *l)
{
    hsize_t dims[3] = {0, l->n, l->n}, most[3] = {H5S_UNLIMITED, l->n, l->n};
    hsize_t chunk[3] = {1, l->rows, l->n};
    hid_t space = H5Screate_simple(3, dims, most);
    hid_t props = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set;

    H5Pset_chunk(props, 3, chunk);
    H5Pset_fill_time(props, H5D_FILL_TIME_NEVER);
    set = H5Dcreate2(file, "angle", H5T_IEEE_F32LE, space, H5P_DEFAULT, props, H5P_DEFAULT);
    H5Pclose(props);
    H5Sclose(space);
    return set;
}

static void add_frame(hid_t set, hid_t transfer, const Lattice *l, hsize_t frame)
{
    hsize_t dims[3] = {frame + 1, l->n, l->n};
    hsize_t start[3] = {frame, (hsize_t)l->rank * l->rows, 0}, count[3] = {1, l->rows, l->n};
    hid_t memory = H5Screate_simple(3, count, NULL), space;

    H5Dset_extent(set, dims);
    space = H5Dget_space(set);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    if (H5Dwrite(set, H5T_NATIVE_FLOAT, memory, space, transfer, l->angle + l->n) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    H5Sclose(space);
    H5Sclose(memory);
}

int main(int argc, char **argv)
{
    int nranks, sweeps = argc > 2 ? atoi(argv[2]) : 60, every = argc > 3 ? atoi(argv[3]) : 5;
    Lattice l = {.n = argc > 1 ? atoi(argv[1]) : 1024};
    hid_t access, file, set, transfer;
    hsize_t frame = 0;
    long mine, all = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &l.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    l.rows = l.n / nranks;
    l.up = (l.rank + nranks - 1) % nranks;
    l.down = (l.rank + 1) % nranks;
    l.random = 2463534242u + 7919u * l.rank;
    l.beta = argc > 4 ? 1.0f / (float)atof(argv[4]) : 1.0f;
    l.angle = calloc((size_t)(l.rows + 2) * l.n, sizeof(float));
    for (size_t i = l.n; i < (size_t)(l.rows + 1) * l.n; i++)
        l.angle[i] = 2 * PI * (uniform(&l) - 0.5f);

    access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    file = H5Fcreate("rotors.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    set = create_frames(file, &l);
    transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);

    for (int s = 1; s <= sweeps; s++) {
        for (int colour = 0; colour < 2; colour++) {
            exchange(&l);
            relax(&l, colour);
        }
        if (s % every == 0)
            add_frame(set, transfer, &l, frame++);
    }
    exchange(&l);
    mine = vortices(&l);
    MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    H5Pclose(transfer);
    H5Dclose(set);
    H5Fclose(file);
    H5Pclose(access);
    if (l.rank == 0)
        printf("%d frames, %ld vortices at the end\n", (int)frame, all);
    free(l.angle);
    MPI_Finalize();
    return 0;
}
