/* Storm tracker: follows vorticity maxima in a synthetic reanalysis and stores
 * the tracks with parallel HDF5. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MAXPT 24

typedef struct { int id, n; float lon[MAXPT], lat[MAXPT], vort[MAXPT]; } Storm;

static int me, np;

static float noise(unsigned a, unsigned b)
{
    unsigned h = a * 2654435761u ^ (b + 0x9e3779b9u) * 2246822519u;
    h ^= h >> 15; h *= 3266489917u; h ^= h >> 13;
    return (h >> 8) / 16777216.0f;
}

static float vorticity(float lon, float lat, int t)
{
    return 8e-5f * expf(-0.002f * (lat - 45) * (lat - 45)) * (1 + 0.5f * sinf(0.07f * lon + 0.4f * t));
}

static void track(Storm *s, int id, int season)
{
    s->id = id;
    float lon = 360 * noise(id, season), lat = 30 + 25 * noise(id + 7, season);
    for (s->n = 0; s->n < MAXPT; s->n++) {
        float best = -1, bl = lon, bp = lat;
        for (int i = -4; i <= 4; i++)
            for (int j = -4; j <= 4; j++) {
                float l = lon + 1.5f + 0.3f * i, p = lat + 0.2f * j + 0.3f * (noise(id * 31 + s->n, season) - .5f);
                float v = vorticity(l, p, s->n);
                if (v > best) { best = v; bl = l; bp = p; }
            }
        lon = fmodf(bl, 360); lat = bp;
        s->lon[s->n] = lon; s->lat[s->n] = lat; s->vort[s->n] = best;
    }
}

static hid_t create_file(const char *name)
{
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t f = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    H5Pclose(fapl);
    return f;
}

static const char *variable[3] = {"lon", "lat", "vort"};

static const float *values(const Storm *s, int v) { return v == 0 ? s->lon : v == 1 ? s->lat : s->vort; }

/* the storms of a season; rank r owns storms [r*nloc, (r+1)*nloc) */
static void write_season(hid_t file, int season, const Storm *st, int nloc)
{
    char name[64];
    hsize_t len = MAXPT;
    hid_t space = H5Screate_simple(1, &len, NULL);
    snprintf(name, sizeof name, "season_%04d", 1980 + season);
    hid_t g = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int k = 0; k < nloc * np; k++) {
        snprintf(name, sizeof name, "storm_%05d", k);
        hid_t sg = H5Gcreate2(g, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        for (int v = 0; v < 3; v++) {
            hid_t d = H5Dcreate2(sg, variable[v], H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            if (k / nloc == me)
                H5Dwrite(d, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values(&st[k % nloc], v));
            H5Dclose(d);
        }
        H5Gclose(sg);
    }
    H5Gclose(g);
    H5Sclose(space);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int seasons = atoi(argv[1]), nloc = atoi(argv[2]) / np;
    Storm *st = malloc(nloc * sizeof *st);
    double sum = 0, total = 0;
    hid_t file = create_file("tracks.h5");
    for (int s = 0; s < seasons; s++) {
        for (int k = 0; k < nloc; k++) {
            track(&st[k], me * nloc + k, s);
            for (int p = 0; p < st[k].n; p++) sum += st[k].vort[p] * 1e5 + st[k].lat[p];
        }
        write_season(file, s, st, nloc);
    }
    H5Fclose(file);
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0) printf("seasons %d storms %d checksum %.6f\n", seasons, nloc * np, total);
    free(st);
    MPI_Finalize();
    return 0;
}
