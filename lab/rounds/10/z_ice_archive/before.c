/* Growth of an ice crystal (phase field) in under-cooled water; the order
 * parameter is archived now and then as bytes in a deflated HDF5 dataset. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 400

static float phi[N][N], temp[N][N], next[N][N];
static unsigned char image[N][N];

static float lap(float (*a)[N], int i, int j)
{
    return a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4.0f * a[i][j];
}

static void seed_crystal(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float dx = i - N / 2, dy = j - N / 2;
            phi[i][j] = dx * dx + dy * dy < 40.0f ? 1.0f : 0.0f;
            temp[i][j] = 0.0f;
        }
}

static void grow(float dt)
{
    const float eps = 0.012f, h = 0.03f, tau = 3e-4f, heat = 1.6f;
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            float p = phi[i][j];
            float gx = phi[i + 1][j] - phi[i - 1][j], gy = phi[i][j + 1] - phi[i][j - 1];
            float q = gx * gx + gy * gy + 1e-12f;
            float six = gx * (gx * gx - 3.0f * gy * gy) / (q * sqrtf(q));
            float e = eps * (1.0f + 0.08f * six);
            float m = 0.9f / 3.14159f * atanf(10.0f * (1.0f - temp[i][j]));
            next[i][j] = p + dt / tau * (e * e * lap(phi, i, j) / (h * h) + p * (1.0f - p) * (p - 0.5f + m));
        }
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            float d = next[i][j] - phi[i][j];
            temp[i][j] += dt * lap(temp, i, j) / (h * h) + heat * d;
            phi[i][j] = next[i][j];
        }
}

static hid_t new_movie(hid_t file, hsize_t frames)
{
    hsize_t dims[3] = { frames, N, N }, chunk[3] = { 1, N, N };
    hid_t space = H5Screate_simple(3, dims, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 3, chunk);
    H5Pset_shuffle(plist);
    H5Pset_deflate(plist, 1);
    hid_t set = H5Dcreate2(file, "phase", H5T_NATIVE_UCHAR, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    return set;
}

static void store(hid_t set, hsize_t frame)
{
    hsize_t start[3] = { frame, 0, 0 }, count[3] = { 1, N, N };
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            image[i][j] = (unsigned char)fminf(255.0f, fmaxf(0.0f, 255.0f * phi[i][j]));
    hid_t space = H5Dget_space(set), mem = H5Screate_simple(3, count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    if (H5Dwrite(set, H5T_NATIVE_UCHAR, mem, space, H5P_DEFAULT, image) < 0)
        exit(1);
    H5Sclose(mem);
    H5Sclose(space);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 500, every = 10;
    hid_t file = H5Fcreate("crystal.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t movie = new_movie(file, steps / every);
    seed_crystal();
    for (int s = 0; s < steps; s++) {
        grow(1e-4f);
        if ((s + 1) % every == 0)
            store(movie, s / every);
    }
    H5Dclose(movie);
    H5Fclose(file);
    double ice = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            ice += phi[i][j];
    printf("%d steps, ice fraction %.6f\n", steps, ice / N / N);
    return 0;
}
