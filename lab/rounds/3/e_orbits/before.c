/* Closest approach of catalogued asteroids to the Earth orbit; can be stopped by a file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define CHECK_EVERY 1000

struct elements {
    double a, e, inc, node, peri, anomaly;
};

static int read_double(FILE *fp, double *value)
{
    return fread(value, sizeof *value, 1, fp) == 1;
}

static int read_elements(FILE *fp, struct elements *el)
{
    return read_double(fp, &el->a) && read_double(fp, &el->e) && read_double(fp, &el->inc)
        && read_double(fp, &el->node) && read_double(fp, &el->peri) && read_double(fp, &el->anomaly);
}

static int stop_requested(void)
{
    struct stat info;
    return stat("STOP", &info) == 0;
}

static double eccentric_anomaly(double mean, double e)
{
    double x = mean + e * sin(mean);
    for (int i = 0; i < 6; i++)
        x -= (x - e * sin(x) - mean) / (1.0 - e * cos(x));
    return x;
}

static double closest(const struct elements *el, int nsteps)
{
    double best = 1e9;
    double rate = pow(el->a, -1.5);
    double cw = cos(el->peri), sw = sin(el->peri), co = cos(el->node), so = sin(el->node);
    double ci = cos(el->inc), si = sin(el->inc);
    for (int k = 0; k < nsteps; k++) {
        double t = 0.1 * k;
        double ecc = eccentric_anomaly(fmod(el->anomaly + rate * t, 6.283185307179586), el->e);
        double px = el->a * (cos(ecc) - el->e), py = el->a * sqrt(1 - el->e * el->e) * sin(ecc);
        double u = cw * px - sw * py, v = sw * px + cw * py;
        double x = co * u - so * ci * v, y = so * u + co * ci * v, z = si * v;
        double dx = x - cos(t), dy = y - sin(t);
        double d2 = dx * dx + dy * dy + z * z;
        if (d2 < best)
            best = d2;
    }
    return sqrt(best);
}

int main(int argc, char **argv)
{
    int nsteps = argc > 1 ? atoi(argv[1]) : 100;
    FILE *fp = fopen("elements.dat", "rb");
    FILE *out = fopen("approach.bin", "wb");
    struct elements el;
    long n = 0, near = 0;
    if (!fp || !out) {
        perror("elements.dat");
        return 1;
    }
    setvbuf(fp, NULL, _IOFBF, 1 << 18);
    while (read_elements(fp, &el)) {
        double d = closest(&el, nsteps);
        fwrite(&d, sizeof d, 1, out);
        near += d < 0.05;
        if (++n % CHECK_EVERY == 0 && stop_requested())
            break;
    }
    fclose(fp);
    fclose(out);
    printf("bodies %ld near %ld\n", n, near);
    return 0;
}
