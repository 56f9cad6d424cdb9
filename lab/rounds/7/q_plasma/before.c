/* Advance a charge density on a torus and keep snapshots of it. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int nr, ntheta, first;
    double *rho, *next;
} Sector;

static void init_sector(Sector *s, int nr, int ntotal, int rank, int size)
{
    s->nr = nr;
    s->ntheta = ntotal / size;
    s->first = rank * s->ntheta;
    s->rho = malloc((size_t)nr * s->ntheta * sizeof(double));
    s->next = malloc((size_t)nr * s->ntheta * sizeof(double));
    for (int r = 0; r < nr; r++) {
        for (int t = 0; t < s->ntheta; t++) {
            double th = 6.283185307179586 * (s->first + t) / ntotal;
            s->rho[(size_t)r * s->ntheta + t] = 1 + 0.3 * cos(3 * th) * sin(9.0 * r / nr);
        }
    }
}

static void diffuse(Sector *s, double coef)
{
    int w = s->ntheta;
    for (int r = 0; r < s->nr; r++) {
        const double *c = s->rho + (size_t)r * w;
        const double *in = s->rho + (size_t)(r > 0 ? r - 1 : 0) * w;
        const double *out = s->rho + (size_t)(r < s->nr - 1 ? r + 1 : r) * w;
        for (int t = 0; t < w; t++)
            s->next[(size_t)r * w + t] = c[t] + coef * (in[t] + out[t] - 2 * c[t]);
    }
    double *swap = s->rho;
    s->rho = s->next;
    s->next = swap;
}

static hid_t create_density(hid_t file, int nsnap, int nr, int ntotal)
{
    hsize_t dims[3] = {(hsize_t)nsnap, (hsize_t)nr, (hsize_t)ntotal};
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fill_time(dcpl, H5D_FILL_TIME_NEVER);
    hid_t set = H5Dcreate2(file, "density", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    H5Pclose(dcpl);
    H5Sclose(space);
    return set;
}

static void save_snapshot(hid_t set, const Sector *s, int snap)
{
    hsize_t start[3] = {(hsize_t)snap, 0, (hsize_t)s->first};
    hsize_t count[3] = {1, (hsize_t)s->nr, (hsize_t)s->ntheta};
    hid_t fspace = H5Dget_space(set);
    hid_t mspace = H5Screate_simple(3, count, NULL);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, mspace, fspace, H5P_DEFAULT, s->rho);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nr = argc > 1 ? atoi(argv[1]) : 2000;
    int ntotal = argc > 2 ? atoi(argv[2]) : 256;
    int nsnap = argc > 3 ? atoi(argv[3]) : 10;

    Sector sector;
    init_sector(&sector, nr, ntotal, rank, size);
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("torus.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    hid_t set = create_density(file, nsnap, nr, ntotal);
    for (int snap = 0; snap < nsnap; snap++) {
        for (int k = 0; k < 4; k++)
            diffuse(&sector, 0.2);
        save_snapshot(set, &sector, snap);
    }
    H5Dclose(set);
    H5Fclose(file);
    H5Pclose(fapl);

    double sum = 0, total = 0;
    for (long i = 0; i < (long)nr * sector.ntheta; i++)
        sum += sector.rho[i];
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("snapshots %d  charge %.6f\n", nsnap, total);
    free(sector.rho);
    free(sector.next);
    MPI_Finalize();
    return 0;
}
