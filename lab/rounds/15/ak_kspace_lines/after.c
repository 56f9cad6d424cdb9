/*
 * MRI: Bloch simulation of a multi-slab spin echo with phase encoding in
 * two directions.  The phase-encoding lines of k-space are dealt to the ranks like
 * cards (line = rank, rank + size, ...); real and imaginary part of all lines
 * end up in one HDF5 dataset  kspace[slab][line][readout][2].
 *
 * usage: mpirun -n 2 kspace <slabs> <side>
 */
#include <complex.h>
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define READOUT 16
#define SPINS   3

typedef struct { double x, y, z, m0, t2; } spin_t;

typedef struct {
    int slabs, side, lines, rank, size;
    hid_t file, dset;
} scan_t;

static void phantom(spin_t *s, int slab)
{
    for (int k = 0; k < SPINS; k++) {
        double a = 2.0 * M_PI * k / SPINS + 0.21 * slab;
        s[k].x  = 0.30 * cos(a) * (1.0 + 0.1 * k);
        s[k].y  = 0.35 * sin(a);
        s[k].z  = 0.20 * sin(2.0 * a);
        s[k].m0 = 1.0 + 0.2 * cos(3.0 * a);
        s[k].t2 = 40.0 + 12.0 * k;            /* ms */
    }
}

/* signal of one phase-encoding line, echo in the middle of the readout */
static void echo_line(const spin_t *s, int line, int side, float *sig)
{
    double ky = line % side - side / 2, kz = line / side - side / 2;
    double complex echo[READOUT] = { 0 };
    for (int k = 0; k < SPINS; k++) {
        double start = -0.5 * READOUT;
        double complex turn = cexp(2.0 * M_PI * I * s[k].x - 0.1 / s[k].t2);
        double complex m = s[k].m0 * exp(-(20.0 + 0.1 * start) / s[k].t2)
            * cexp(2.0 * M_PI * I * (start * s[k].x + ky * s[k].y + kz * s[k].z));
        for (int i = 0; i < READOUT; i++) {
            echo[i] += m;
            m *= turn;
        }
    }
    for (int i = 0; i < READOUT; i++) {
        sig[2 * i] = (float)creal(echo[i]);
        sig[2 * i + 1] = (float)cimag(echo[i]);
    }
}

static void open_scan(scan_t *sc, const char *name)
{
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    sc->file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    H5Pclose(fapl);
    hsize_t dim[4] = { sc->slabs, sc->lines, READOUT, 2 };
    hid_t space = H5Screate_simple(4, dim, NULL);
    sc->dset = H5Dcreate2(sc->file, "kspace", H5T_NATIVE_FLOAT, space,
                          H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
}

/* put the lines of this rank of one slab where they belong */
static void store_slab(scan_t *sc, int slab, const float *mine, int count)
{
    hid_t fspace = H5Dget_space(sc->dset);
    hsize_t start[4]  = { slab, sc->rank, 0, 0 };
    hsize_t stride[4] = { 1, sc->size, 1, 1 };
    hsize_t block[4]  = { 1, count, READOUT, 2 };
    hid_t mspace = H5Screate_simple(4, block, NULL);
    hid_t dxpl = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, stride, block, NULL);
    H5Dwrite(sc->dset, H5T_NATIVE_FLOAT, mspace, fspace, dxpl, mine);
    H5Pclose(dxpl);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    scan_t sc;
    spin_t spins[SPINS];
    double power = 0, all = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &sc.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &sc.size);
    sc.slabs = argc > 1 ? atoi(argv[1]) : 40;
    sc.side   = argc > 2 ? atoi(argv[2]) : 128;
    sc.lines  = sc.side * sc.side;

    int count = (sc.lines - sc.rank + sc.size - 1) / sc.size;
    float *mine = malloc((size_t)count * READOUT * 2 * sizeof *mine);

    open_scan(&sc, "scan.h5");
    for (int slab = 0; slab < sc.slabs; slab++) {
        phantom(spins, slab);
        for (int n = 0; n < count; n++)
            echo_line(spins, sc.rank + n * sc.size, sc.side,
                      mine + (size_t)n * READOUT * 2);
        for (int i = 0; i < count * READOUT * 2; i++)
            power += (double)mine[i] * mine[i];
        store_slab(&sc, slab, mine, count);
    }
    H5Dclose(sc.dset);
    H5Fclose(sc.file);

    MPI_Reduce(&power, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (sc.rank == 0)
        printf("signal power %.6e\n", all / sc.slabs / sc.lines);
    free(mine);
    MPI_Finalize();
    return 0;
}
