/* Surface drifters in the time dependent double gyre, RK4.
   usage: drifter_gyre NDRIFTERS NSTEPS */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

typedef struct { double x, y; double path; } drifter_t;

static void gyre(double t, double x, double y, double *u, double *v)
{
    const double amp = 0.1, eps = 0.25, om = 2.0 * PI / 10.0;
    double a = eps * sin(om * t), b = 1.0 - 2.0 * a;
    double f = a * x * x + b * x, fx = 2.0 * a * x + b;
    *u = -PI * amp * sin(PI * f) * cos(PI * y);
    *v = PI * amp * cos(PI * f) * sin(PI * y) * fx;
}

static void rk4(drifter_t *d, double t, double h)
{
    double u1, v1, u2, v2, u3, v3, u4, v4, dx, dy;
    gyre(t, d->x, d->y, &u1, &v1);
    gyre(t + h / 2, d->x + h / 2 * u1, d->y + h / 2 * v1, &u2, &v2);
    gyre(t + h / 2, d->x + h / 2 * u2, d->y + h / 2 * v2, &u3, &v3);
    gyre(t + h, d->x + h * u3, d->y + h * v3, &u4, &v4);
    dx = h / 6 * (u1 + 2 * u2 + 2 * u3 + u4);
    dy = h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    d->x += dx;
    d->y += dy;
    d->path += sqrt(dx * dx + dy * dy);
}

static int store_fix(FILE *f, int step, int id, const drifter_t *d)
{
    return fprintf(f, "%d %d %.6f %.6f\n", step, id, d->x, d->y) < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 50;
    int nsteps = argc > 2 ? atoi(argv[2]) : 1000;
    const int sub = 5;
    const double h = 0.01;
    const char *track = "tracks.txt";
    drifter_t *d = calloc(n, sizeof *d);
    double mean = 0, far = 0;

    srand(17);
    for (int i = 0; i < n; i++) {
        d[i].x = 2.0 * rand() / RAND_MAX;
        d[i].y = 1.0 * rand() / RAND_MAX;
    }
    FILE *out = fopen(track, "w");
    if (out == NULL) {
        perror(track);
        return 1;
    }

    for (int s = 0; s < nsteps; s++) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < sub; k++)
                rk4(&d[i], (s * sub + k) * h, h);
            if (store_fix(out, s, i, &d[i]) != 0) {
                perror(track);
                return 1;
            }
        }
    }
    fclose(out);

    for (int i = 0; i < n; i++) {
        mean += d[i].path / n;
        if (d[i].path > far)
            far = d[i].path;
    }
    printf("drifters %d steps %d mean path %.8f longest %.8f\n", n, nsteps, mean, far);
    free(d);
    return 0;
}
