/* Seismic catalogue: per-event picks are stored under one HDF5 group per event. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STATIONS 24

typedef struct {
    double origin, depth, magnitude, lat, lon;
    double arrival[STATIONS];
    double residual[STATIONS];
} event_t;

static double noise(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

static void locate(event_t *e, int id, unsigned *state)
{
    e->origin = 3600.0 * id + 100.0 * noise(state);
    e->depth = 5.0 + 30.0 * noise(state);
    e->magnitude = 1.5 - 0.8 * log(noise(state) + 1e-6);
    e->lat = 35.0 + noise(state);
    e->lon = -118.0 + noise(state);
    for (int s = 0; s < STATIONS; s++) {
        double dx = e->lat - 35.0 - 0.04 * s, dy = e->lon + 118.0 - 0.03 * s;
        double dist = sqrt(12321.0 * (dx * dx + dy * dy) + e->depth * e->depth);
        e->arrival[s] = e->origin + dist / 6.1;
        e->residual[s] = 0.2 * (noise(state) - 0.5);
    }
}

static hid_t event_type(void)
{
    hsize_t n = STATIONS;
    hid_t arr = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &n);
    hid_t t = H5Tcreate(H5T_COMPOUND, sizeof(event_t));
    H5Tinsert(t, "origin", HOFFSET(event_t, origin), H5T_NATIVE_DOUBLE);
    H5Tinsert(t, "depth", HOFFSET(event_t, depth), H5T_NATIVE_DOUBLE);
    H5Tinsert(t, "magnitude", HOFFSET(event_t, magnitude), H5T_NATIVE_DOUBLE);
    H5Tinsert(t, "latitude", HOFFSET(event_t, lat), H5T_NATIVE_DOUBLE);
    H5Tinsert(t, "longitude", HOFFSET(event_t, lon), H5T_NATIVE_DOUBLE);
    H5Tinsert(t, "arrival", HOFFSET(event_t, arrival), arr);
    H5Tinsert(t, "residual", HOFFSET(event_t, residual), arr);
    H5Tclose(arr);
    return t;
}

static void store_events(hid_t file, int count, const event_t *all)
{
    hsize_t n = count;
    hid_t space = H5Screate_simple(1, &n, NULL), type = event_type();
    hid_t d = H5Dcreate2(file, "events", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
    H5Dclose(d);
    H5Tclose(type);
    H5Sclose(space);
}

int main(int argc, char **argv)
{
    int events = argc > 1 ? atoi(argv[1]) : 1000;
    unsigned state = 42;
    hid_t file = H5Fcreate("catalogue.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    event_t *all = malloc(events * sizeof *all);
    double sum = 0;
    for (int id = 0; id < events; id++) {
        locate(&all[id], id, &state);
        sum += all[id].magnitude;
    }
    store_events(file, events, all);
    free(all);
    H5Fclose(file);
    printf("events %d  mean magnitude %.5f\n", events, sum / events);
    return 0;
}
