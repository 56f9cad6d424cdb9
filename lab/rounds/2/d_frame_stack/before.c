/* Camera pipeline: render the flame front frame by frame, correct for the
 * dark current, and keep the stack of frames in a gzip'd HDF5 dataset. */
#include <hdf5.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NY 256
#define NX 320
#define DEPTH 16

static uint32_t noise_state = 12345u;

static unsigned noise(void)
{
    noise_state = noise_state * 1664525u + 1013904223u;
    return noise_state >> 29;
}

static void expose(float *img, int frame)
{
    double cx = NX / 2 + 40.0 * sin(0.1 * frame), cy = 20.0 + 2.0 * frame;
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
            double d = (x - cx) * (x - cx) * 0.01 + (y - cy) * (y - cy) * 0.02;
            img[y * NX + x] = floorf((float)(900.0 / (1.0 + d))) + noise();
        }
}

static void subtract_dark(float *img, const float *dark)
{
    for (int i = 0; i < NX * NY; i++) {
        float v = img[i] - dark[i];
        img[i] = v > 0.0f ? v : 0.0f;
    }
}

static hid_t open_stack(hid_t file, hsize_t nframes)
{
    hsize_t dims[3] = {nframes, NY, NX}, chunk[3] = {DEPTH, NY, NX};
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(dcpl, 3, chunk);
    H5Pset_shuffle(dcpl);
    H5Pset_deflate(dcpl, 4);
    hid_t dset = H5Dcreate2(file, "frames", H5T_IEEE_F32LE, space, H5P_DEFAULT, dcpl,
                            H5P_DEFAULT);
    H5Pclose(dcpl);
    H5Sclose(space);
    return dset;
}

static void put_frames(hid_t dset, const float *img, hsize_t first, hsize_t n)
{
    hsize_t start[3] = {first, 0, 0}, count[3] = {n, NY, NX};
    hid_t fspace = H5Dget_space(dset);
    hid_t mspace = H5Screate_simple(3, count, NULL);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    if (H5Dwrite(dset, H5T_NATIVE_FLOAT, mspace, fspace, H5P_DEFAULT, img) < 0)
        exit(1);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    int nframes = argc > 1 ? atoi(argv[1]) : 48;
    float *img = malloc(sizeof(float) * NX * NY);
    float *dark = malloc(sizeof(float) * NX * NY);
    double total = 0.0;

    for (int i = 0; i < NX * NY; i++)
        dark[i] = (float)(3 + i % 3);
    hid_t file = H5Fcreate("flame_stack.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t stack = open_stack(file, nframes);
    for (int f = 0; f < nframes; f++) {
        expose(img, f);
        subtract_dark(img, dark);
        for (int i = 0; i < NX * NY; i++)
            total += img[i];
        put_frames(stack, img, f, 1);
    }
    H5Dclose(stack);
    H5Fclose(file);
    printf("%d frames, mean signal %.5f\n", nframes, total / ((double)nframes * NX * NY));
    free(img);
    free(dark);
    return 0;
}
