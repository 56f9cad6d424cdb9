/* Builds a dark-corrected image stack from a simulated area detector. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NY 512
#define NX 512

typedef struct {
    hid_t file;
    hid_t stack;
    hid_t space;
    hid_t mem;
} StackFile;

static unsigned int lcg(unsigned int *s)
{
    *s = *s * 1664525u + 1013904223u;
    return *s >> 8;
}

static void expose(float *frame, int n, unsigned int *seed)
{
    double cx = NX / 2 + 40.0 * cos(0.1 * n), cy = NY / 2 + 40.0 * sin(0.1 * n);
    for (int j = 0; j < NY; j++) {
        for (int i = 0; i < NX; i++) {
            double r2 = (i - cx) * (i - cx) + (j - cy) * (j - cy);
            frame[j * NX + i] = (float)(1000.0 / (1.0 + 0.01 * r2) + (lcg(seed) & 15));
        }
    }
}

static void subtract_dark(float *frame, const float *dark)
{
    for (int k = 0; k < NX * NY; k++)
        frame[k] = frame[k] > dark[k] ? frame[k] - dark[k] : 0.0f;
}

static void open_stack(StackFile *s, const char *name, int nframe)
{
    hsize_t dims[3] = {(hsize_t)nframe, NY, NX};
    hsize_t tile[3] = {1, 256, NX};
    hsize_t one[3] = {1, NY, NX};
    s->file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    s->space = H5Screate_simple(3, dims, NULL);
    s->mem = H5Screate_simple(3, one, NULL);
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(dcpl, 3, tile);
    s->stack = H5Dcreate2(s->file, "images", H5T_NATIVE_FLOAT, s->space,
                          H5P_DEFAULT, dcpl, H5P_DEFAULT);
    H5Pclose(dcpl);
}

static void append_frame(StackFile *s, int n, const float *frame)
{
    hsize_t start[3] = {(hsize_t)n, 0, 0}, count[3] = {1, NY, NX};
    H5Sselect_hyperslab(s->space, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(s->stack, H5T_NATIVE_FLOAT, s->mem, s->space, H5P_DEFAULT, frame);
}

static void close_stack(StackFile *s)
{
    H5Dclose(s->stack);
    H5Sclose(s->mem);
    H5Sclose(s->space);
    H5Fclose(s->file);
}

int main(int argc, char **argv)
{
    int nframe = argc > 1 ? atoi(argv[1]) : 10;
    float *frame = malloc(sizeof(float) * NX * NY);
    float *dark = malloc(sizeof(float) * NX * NY);
    unsigned int seed = 4711;
    StackFile out;

    for (int k = 0; k < NX * NY; k++)
        dark[k] = 4.0f + (float)(k % 3);
    open_stack(&out, "stack.h5", nframe);
    double total = 0.0;
    for (int n = 0; n < nframe; n++) {
        expose(frame, n, &seed);
        subtract_dark(frame, dark);
        append_frame(&out, n, frame);
        for (int k = 0; k < NX * NY; k += 101)
            total += frame[k];
    }
    close_stack(&out);
    printf("frames %d, sampled intensity %.3f\n", nframe, total);
    free(frame);
    free(dark);
    return 0;
}
