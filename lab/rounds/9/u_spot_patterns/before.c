/* Gray-Scott spots: frames of the v field go to one growing HDF5 data set. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE 4

typedef struct {
    int n;
    float *u, *v, *un, *vn;
} Field;

static Field *field_new(int n)
{
    Field *f = malloc(sizeof *f);
    size_t bytes = (size_t)n * n * sizeof(float);
    f->n = n;
    f->u = malloc(bytes); f->v = malloc(bytes);
    f->un = malloc(bytes); f->vn = malloc(bytes);
    for (int i = 0; i < n * n; i++) { f->u[i] = 1.0f; f->v[i] = 0.0f; }
    srand(7);
    for (int s = 0; s < 40; s++) {
        int ci = 8 + rand() % (n - 16), cj = 8 + rand() % (n - 16);
        for (int i = ci - 5; i < ci + 5; i++)
            for (int j = cj - 5; j < cj + 5; j++) {
                f->u[i * n + j] = 0.5f;
                f->v[i * n + j] = 0.25f;
            }
    }
    return f;
}

static void field_step(Field *f)
{
    const float du = 0.16f, dv = 0.08f, feed = 0.035f, kill = 0.062f;
    int n = f->n;
    for (int i = 0; i < n; i++) {
        int up = ((i + n - 1) % n) * n, dn = ((i + 1) % n) * n, row = i * n;
        for (int j = 0; j < n; j++) {
            int l = j ? j - 1 : n - 1, r = j + 1 < n ? j + 1 : 0;
            float a = f->u[row + j], b = f->v[row + j];
            float la = f->u[up + j] + f->u[dn + j] + f->u[row + l] + f->u[row + r] - 4 * a;
            float lb = f->v[up + j] + f->v[dn + j] + f->v[row + l] + f->v[row + r] - 4 * b;
            float abb = a * b * b;
            f->un[row + j] = a + du * la - abb + feed * (1 - a);
            f->vn[row + j] = b + dv * lb + abb - (feed + kill) * b;
        }
    }
    float *t = f->u; f->u = f->un; f->un = t;
    t = f->v; f->v = f->vn; f->vn = t;
}

static hid_t frames_create(hid_t file, int n)
{
    hsize_t dims[3] = {0, n, n}, max[3] = {H5S_UNLIMITED, n, n};
    hsize_t chunk[3] = {1, TILE, TILE};
    hid_t space = H5Screate_simple(3, dims, max);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 3, chunk);
    hid_t set = H5Dcreate2(file, "v", H5T_IEEE_F32LE, space,
                           H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    return set;
}

static void frames_append(hid_t set, int frame, const Field *f)
{
    hsize_t size[3] = {frame + 1, f->n, f->n};
    hsize_t start[3] = {frame, 0, 0}, count[3] = {1, f->n, f->n};
    H5Dset_extent(set, size);
    hid_t fs = H5Dget_space(set);
    hid_t ms = H5Screate_simple(3, count, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
    if (H5Dwrite(set, H5T_NATIVE_FLOAT, ms, fs, H5P_DEFAULT, f->v) < 0)
        exit(1);
    H5Sclose(ms);
    H5Sclose(fs);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 384;
    int steps = argc > 2 ? atoi(argv[2]) : 600;
    int every = argc > 3 ? atoi(argv[3]) : 60;
    Field *f = field_new(n);
    hid_t file = H5Fcreate("spots.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t set = frames_create(file, n);
    int frame = 0;

    for (int k = 1; k <= steps; k++) {
        field_step(f);
        if (k % every == 0)
            frames_append(set, frame++, f);
    }
    H5Dclose(set);
    H5Fclose(file);

    double mass = 0;
    for (int i = 0; i < n * n; i++) mass += f->v[i];
    printf("%d frames, mean v %.8f\n", frame, mass / ((double)n * n));
    return 0;
}
