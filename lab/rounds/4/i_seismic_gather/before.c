/* Synthetic seismograms: every rank models a block of receivers, the section
 * [sample][receiver] of each shot is stored in one HDF5 file. */
#include <mpi.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, nproc;

static void model_shot(float *trace, int shot, int nsamples, int nlocal)
{
    for (int r = 0; r < nlocal; r++) {
        double offset = 25.0 * (rank * nlocal + r) - 120.0 * shot;
        double travel = sqrt(0.16 + offset * offset / (1800.0 * 1800.0));
        double amplitude = 1.0 / (1.0 + 1e-3 * fabs(offset));
        for (int s = 0; s < nsamples; s++) {
            float a = (float)(30.0 * (s * 0.0005 - travel));
            float a2 = a * a;
            trace[(size_t)s * nlocal + r] = (float)amplitude * (1.0f - 2.0f * a2) / (1.0f + a2 * a2);
        }
    }
}

static hid_t open_survey(const char *name)
{
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    H5Pclose(fapl);
    return file;
}

static void store_shot(hid_t dset, hid_t how, int shot, const float *trace,
                       int nsamples, int nlocal)
{
    hsize_t start[3] = {shot, 0, (hsize_t)rank * nlocal};
    hsize_t count[3] = {1, nsamples, nlocal};
    hid_t fspace = H5Dget_space(dset);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    hid_t mspace = H5Screate_simple(3, count, NULL);
    if (H5Dwrite(dset, H5T_NATIVE_FLOAT, mspace, fspace, how, trace) < 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int nshots = argc > 1 ? atoi(argv[1]) : 4;
    int nsamples = 90000, nlocal = 12;
    float *trace = malloc((size_t)nsamples * nlocal * sizeof(float));

    hid_t file = open_survey("survey.h5");
    hsize_t dims[3] = {nshots, nsamples, (hsize_t)nproc * nlocal};
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t dset = H5Dcreate2(file, "pressure", H5T_NATIVE_FLOAT, space,
                            H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t how = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(how, H5FD_MPIO_INDEPENDENT);

    double energy = 0, total;
    for (int shot = 0; shot < nshots; shot++) {
        model_shot(trace, shot, nsamples, nlocal);
        store_shot(dset, how, shot, trace, nsamples, nlocal);
        for (size_t k = 0; k < (size_t)nsamples * nlocal; k++)
            energy += trace[k] * trace[k];
    }
    H5Pclose(how);
    H5Dclose(dset);
    H5Sclose(space);
    H5Fclose(file);
    MPI_Reduce(&energy, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("energy %.8g\n", total);
    free(trace);
    MPI_Finalize();
    return 0;
}
