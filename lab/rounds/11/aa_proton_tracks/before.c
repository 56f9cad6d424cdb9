/* Protons in the dipole field of the Earth: Boris integration of many
 * trajectories; every few steps the point of a track goes to the track file
 * as a record of 40 bytes. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define RE 6.371e6              /* m */
#define B0 3.12e-5              /* T at the equator */
#define QM 9.5788e7             /* C/kg */
#define DT 2e-4                 /* s */

struct point {
    uint32_t track, step;
    double x, y, z, pitch;
};

typedef struct { double x, y, z; } vec;

static vec cross(vec a, vec b)
{
    vec c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static vec axpy(double s, vec a, vec b)
{
    vec c = {s * a.x + b.x, s * a.y + b.y, s * a.z + b.z};
    return c;
}

static vec dipole(vec r)
{
    double r2 = dot(r, r), rr = sqrt(r2);
    double k = -B0 * RE * RE * RE / (r2 * r2 * rr);
    vec b = {k * 3.0 * r.x * r.z, k * 3.0 * r.y * r.z, k * (3.0 * r.z * r.z - r2)};
    return b;
}

/* magnetic rotation after Boris; the speed stays constant */
static vec rotate(vec v, vec b)
{
    vec t = {QM * b.x * 0.5 * DT, QM * b.y * 0.5 * DT, QM * b.z * 0.5 * DT};
    double s = 2.0 / (1.0 + dot(t, t));
    vec v1 = axpy(1.0, v, cross(v, t));
    return axpy(s, cross(v1, t), v);
}

static void launch(int track, vec *r, vec *v)
{
    double l = 2.0 + 0.002 * (track % 500), pitch = 0.6 + 0.001 * (track % 700);
    double speed = 4.0e7;
    r->x = l * RE; r->y = 0.0; r->z = 0.0;
    v->x = 0.0; v->y = speed * sin(pitch); v->z = speed * cos(pitch);
}

static double pitch_angle(vec v, vec b)
{
    return acos(dot(v, b) / sqrt(dot(v, v) * dot(b, b)));
}

static int follow(FILE *out, int track, int steps, int every, double *zmax)
{
    vec r, v;
    int points = 0;
    launch(track, &r, &v);
    for (int s = 0; s < steps; s++) {
        vec b = dipole(r);
        v = rotate(v, b);
        r = axpy(DT, v, r);
        if (fabs(r.z) > *zmax)
            *zmax = fabs(r.z);
        if (dot(r, r) < RE * RE)
            break;                      /* lost in the atmosphere */
        if (s % every == 0) {
            struct point p = {track, s, r.x / RE, r.y / RE, r.z / RE, pitch_angle(v, b)};
            if (fwrite(&p, sizeof p, 1, out) != 1)
                return -1;
            points++;
        }
    }
    return points;
}

int main(int argc, char **argv)
{
    int tracks = argc > 1 ? atoi(argv[1]) : 3500;
    int steps = argc > 2 ? atoi(argv[2]) : 20000;
    double zmax = 0.0;
    long points = 0;
    FILE *out = fopen("tracks.bin", "wb");
    if (!out) {
        perror("tracks.bin");
        return 1;
    }
    setvbuf(out, NULL, _IOFBF, 1 << 18);
    for (int t = 0; t < tracks; t++) {
        int n = follow(out, t, steps, 50, &zmax);
        if (n < 0) {
            perror("tracks.bin");
            return 1;
        }
        points += n;
    }
    fclose(out);
    printf("%d tracks, %ld points, highest mirror point %.4f Re\n", tracks, points, zmax / RE);
    return 0;
}
