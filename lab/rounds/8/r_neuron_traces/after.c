/* Leaky integrate-and-fire network; membrane potentials of the recorded
 * cells go to an extensible HDF5 dataset, a block of time steps at a time. */
#include <hdf5.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NCELL 400
#define NREC 64
#define NSYN 40
#define BLOCK 500
#define DT 0.1

struct recorder {
    hid_t file, dset;
    hsize_t rows;
    float buffer[BLOCK][NREC];
    int filled;
};

struct network {
    double v[NCELL], input[NCELL], drive[NCELL];
    int refractory[NCELL];
    int target[NCELL][NSYN];
    double weight[NCELL];
    long spikes;
    uint64_t state;
};

static double uniform(uint64_t *s)
{
    *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17;
    return (double)(*s >> 11) / 9007199254740992.0;
}

static int recorder_open(struct recorder *r, const char *path)
{
    hsize_t dims[2] = { 0, NREC }, max[2] = { H5S_UNLIMITED, NREC };
    hsize_t chunk[2] = { 4 * BLOCK, NREC };
    r->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(2, dims, max);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 2, chunk);
    r->dset = H5Dcreate2(r->file, "membrane_potential", H5T_IEEE_F32LE, space,
                         H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    r->rows = 0;
    r->filled = 0;
    return r->dset < 0 ? -1 : 0;
}

static int recorder_store(struct recorder *r)
{
    hsize_t start[2] = { r->rows, 0 }, count[2] = { (hsize_t)r->filled, NREC };
    hsize_t size[2] = { r->rows + (hsize_t)r->filled, NREC };
    if (r->filled == 0)
        return 0;
    H5Dset_extent(r->dset, size);
    hid_t fspace = H5Dget_space(r->dset);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    hid_t mspace = H5Screate_simple(2, count, NULL);
    herr_t e = H5Dwrite(r->dset, H5T_NATIVE_FLOAT, mspace, fspace, H5P_DEFAULT, r->buffer);
    H5Sclose(mspace);
    H5Sclose(fspace);
    r->rows = size[0];
    r->filled = 0;
    return e < 0 ? -1 : 0;
}

static int recorder_add(struct recorder *r, const double *v)
{
    for (int i = 0; i < NREC; i++)
        r->buffer[r->filled][i] = (float)v[i * (NCELL / NREC)];
    return ++r->filled == BLOCK ? recorder_store(r) : 0;
}

static void recorder_close(struct recorder *r)
{
    recorder_store(r);
    H5Dclose(r->dset);
    H5Fclose(r->file);
}

static void network_init(struct network *n)
{
    memset(n, 0, sizeof *n);
    n->state = 0x9E3779B97F4A7C15ULL;
    for (int i = 0; i < NCELL; i++) {
        n->v[i] = -70.0 + 15.0 * uniform(&n->state);
        n->drive[i] = 14.0 + 5.0 * uniform(&n->state);
        n->weight[i] = i % 5 == 0 ? -1.2 : 0.3;
        for (int s = 0; s < NSYN; s++)
            n->target[i][s] = (int)(uniform(&n->state) * NCELL);
    }
}

static void network_step(struct network *n)
{
    static double arriving[NCELL];
    memset(arriving, 0, sizeof arriving);
    for (int i = 0; i < NCELL; i++) {
        if (n->refractory[i] > 0) {
            n->refractory[i]--;
            continue;
        }
        double noise = 3.0 * (uniform(&n->state) - 0.5);
        n->v[i] += DT / 20.0 * (-65.0 - n->v[i] + n->drive[i] + noise) + n->input[i];
        if (n->v[i] > -50.0) {
            n->v[i] = -65.0;
            n->refractory[i] = 20;
            n->spikes++;
            for (int s = 0; s < NSYN; s++)
                arriving[n->target[i][s]] += n->weight[i];
        }
    }
    memcpy(n->input, arriving, sizeof arriving);
}

int main(int argc, char **argv)
{
    long nstep = argc > 1 ? atol(argv[1]) : 100000;
    static struct network net;
    static struct recorder rec;
    network_init(&net);
    if (recorder_open(&rec, "traces.h5") != 0)
        return 1;
    for (long t = 0; t < nstep; t++) {
        network_step(&net);
        if (recorder_add(&rec, net.v) != 0)
            return 1;
    }
    recorder_close(&rec);
    printf("steps %ld spikes %ld rate %.4f Hz\n", nstep, net.spikes,
           1000.0 * (double)net.spikes / (NCELL * DT * (double)nstep));
    return 0;
}
