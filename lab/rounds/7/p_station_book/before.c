/* Builds the annual climatology book of a station network: for every station
 * the mean diurnal cycle of temperature is stored in an HDF5 file. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NHOUR 24
#define NDAY 30

struct station {
    int id;
    double lat;
    double lon;
    double height;
};

static struct station make_station(int id)
{
    struct station s;
    s.id = id;
    s.lat = 35.0 + 35.0 * fmod(id * 0.754877666, 1.0);
    s.lon = -10.0 + 40.0 * fmod(id * 0.569840296, 1.0);
    s.height = 1800.0 * fmod(id * 0.3819660113, 1.0);
    return s;
}

static void diurnal_cycle(const struct station *s, double *cycle)
{
    unsigned state = 2654435761u * (unsigned)(s->id + 1);
    double base = 28.0 - 0.35 * (s->lat - 35.0) - 0.0065 * s->height;
    for (int h = 0; h < NHOUR; h++)
        cycle[h] = 0.0;
    for (int d = 0; d < NDAY; d++)
        for (int h = 0; h < NHOUR; h++) {
            state = state * 1664525u + 1013904223u;
            double phase = (h + s->lon / 15.0 - 9.0) / 24.0;
            double x = phase - floor(phase);
            double swing = 16.0 * x * (1.0 - x) - 8.0 / 3.0;
            cycle[h] += (base + swing + (state >> 16) / 32768.0 - 1.0) / NDAY;
        }
}

static void store_station(hid_t group, const struct station *s,
                          const double *cycle)
{
    char name[32];
    hsize_t dim = NHOUR;
    snprintf(name, sizeof name, "station_%06d", s->id);
    hid_t space = H5Screate_simple(1, &dim, NULL);
    hid_t set = H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                           H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, cycle);
    H5Dclose(set);
    H5Sclose(space);
}

int main(int argc, char **argv)
{
    int nstation = argc > 1 ? atoi(argv[1]) : 10000;
    hid_t file = H5Fcreate("climatology.h5", H5F_ACC_TRUNC, H5P_DEFAULT,
                           H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "diurnal", H5P_DEFAULT, H5P_DEFAULT,
                             H5P_DEFAULT);
    double mean = 0.0, warmest = -1e30;
    int warmest_id = -1;
    for (int id = 0; id < nstation; id++) {
        struct station s = make_station(id);
        double cycle[NHOUR];
        diurnal_cycle(&s, cycle);
        store_station(group, &s, cycle);
        for (int h = 0; h < NHOUR; h++) {
            mean += cycle[h] / NHOUR / nstation;
            if (cycle[h] > warmest) {
                warmest = cycle[h];
                warmest_id = id;
            }
        }
    }
    H5Gclose(group);
    H5Fclose(file);
    printf("%d stations, network mean %.4f, warmest hour %.4f at %d\n",
           nstation, mean, warmest, warmest_id);
    return 0;
}
