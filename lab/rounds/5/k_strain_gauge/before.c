/* Bridge monitoring: strain readings of all gauges are simulated in batches,
 * filtered and stored in one growing two-dimensional dataset. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define BATCH 64

typedef struct {
    int gauges;
    double dt;
    float *state;
    unsigned seed;
} Bridge;

static float noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return ((*seed >> 8) & 0xffff) / 65536.0f - 0.5f;
}

static void simulate_batch(Bridge *b, long first, float *batch)
{
    for (int s = 0; s < BATCH; s++) {
        float load = (float)sin(2.0 * M_PI * 0.8 * (first + s) * b->dt);
        for (int g = 0; g < b->gauges; g++) {
            b->state[g] += 0.05f * (load * (1.0f + 0.01f * g) - b->state[g]);
            batch[s * b->gauges + g] = b->state[g] + 0.02f * noise(&b->seed);
        }
    }
}

static hid_t create_strain_dataset(hid_t file, hsize_t gauges)
{
    hsize_t dims[2] = { 0, gauges }, maxdims[2] = { H5S_UNLIMITED, gauges };
    hsize_t chunk[2] = { 1, 32 };
    hid_t space = H5Screate_simple(2, dims, maxdims);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 2, chunk);
    hid_t set = H5Dcreate2(file, "strain", H5T_IEEE_F32LE, space, H5P_DEFAULT, plist,
                           H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    return set;
}

static void append_batch(hid_t set, long first, int gauges, const float *batch)
{
    hsize_t size[2] = { (hsize_t)first + BATCH, (hsize_t)gauges };
    hsize_t start[2] = { (hsize_t)first, 0 }, count[2] = { BATCH, (hsize_t)gauges };
    H5Dset_extent(set, size);
    hid_t fspace = H5Dget_space(set);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    hid_t mspace = H5Screate_simple(2, count, NULL);
    H5Dwrite(set, H5T_NATIVE_FLOAT, mspace, fspace, H5P_DEFAULT, batch);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    long samples = argc > 1 ? atol(argv[1]) : 25600;
    Bridge bridge = { .gauges = 512, .dt = 0.005, .seed = 4711u };
    bridge.state = calloc(bridge.gauges, sizeof(float));
    float *batch = malloc((size_t)BATCH * bridge.gauges * sizeof(float));

    hid_t file = H5Fcreate("bridge_strain.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t set = create_strain_dataset(file, bridge.gauges);
    double peak = 0;
    for (long first = 0; first + BATCH <= samples; first += BATCH) {
        simulate_batch(&bridge, first, batch);
        for (int i = 0; i < BATCH * bridge.gauges; i++)
            peak = fmax(peak, fabs(batch[i]));
        append_batch(set, first, bridge.gauges, batch);
    }
    H5Dclose(set);
    H5Fclose(file);
    printf("%ld samples, peak strain %.4f\n", samples, peak);
    free(batch);
    free(bridge.state);
    return 0;
}
