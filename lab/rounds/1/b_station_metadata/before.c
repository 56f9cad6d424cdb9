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

static void put_value(hid_t where, hid_t scalar, const char *name, double value)
{
    hid_t a = H5Acreate2(where, name, H5T_NATIVE_DOUBLE, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(a);
}

static void store_event(hid_t file, hid_t scalar, int id, const event_t *e)
{
    char name[32];
    snprintf(name, sizeof name, "event_%06d", id);
    hid_t g = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    put_value(g, scalar, "origin", e->origin);
    put_value(g, scalar, "depth", e->depth);
    put_value(g, scalar, "magnitude", e->magnitude);
    put_value(g, scalar, "latitude", e->lat);
    put_value(g, scalar, "longitude", e->lon);
    for (int s = 0; s < STATIONS; s++) {
        snprintf(name, sizeof name, "arrival_%02d", s);
        put_value(g, scalar, name, e->arrival[s]);
        snprintf(name, sizeof name, "residual_%02d", s);
        put_value(g, scalar, name, e->residual[s]);
    }
    H5Gclose(g);
}

int main(int argc, char **argv)
{
    int events = argc > 1 ? atoi(argv[1]) : 1000;
    unsigned state = 42;
    hid_t file = H5Fcreate("catalogue.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t scalar = H5Screate(H5S_SCALAR);
    double sum = 0;
    for (int id = 0; id < events; id++) {
        event_t e;
        locate(&e, id, &state);
        store_event(file, scalar, id, &e);
        sum += e.magnitude;
    }
    H5Sclose(scalar);
    H5Fclose(file);
    printf("events %d  mean magnitude %.5f\n", events, sum / events);
    return 0;
}
