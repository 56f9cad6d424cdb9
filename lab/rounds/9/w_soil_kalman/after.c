/* Soil moisture assimilation: a two layer bucket model per grid cell,
 * corrected with radiometer retrievals by a Kalman filter.
 * The model state lives in cells.bin and is updated in place. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>

#define HOURS 8
#define BLOCK 16384

typedef struct {
    double top, root;
    double p[4];
    double clay, lai;
    double gain[2];
    double innov, nobs;
    double spare[4];
} Cell;

static void forecast(Cell *c, double rain, double pet)
{
    double k = 0.35 * (1.0 - c->clay), dt = 1.0 / HOURS;

    for (int h = 0; h < HOURS; h++) {
        double drain = dt * k * pow(c->top / 0.5, 3.0 + c->clay);
        double evap = dt * pet * c->lai * 0.1 * c->root;
        double a00 = 1.0 - 0.9 * drain / (c->top + 1e-6), a11 = 1.0 - 0.1 * pet * dt;

        c->top += 0.02 * rain * dt - 0.3 * drain;
        c->root += 0.2 * drain - evap * 0.05;
        c->top = fmin(fmax(c->top, 0.02), 0.50);
        c->root = fmin(fmax(c->root, 0.02), 0.50);
        c->p[0] = a00 * a00 * c->p[0] + 1e-4 * dt;
        c->p[1] *= a00 * a11;
        c->p[2] = c->p[1];
        c->p[3] = a11 * a11 * c->p[3] + 5e-5 * dt;
    }
}

static void analyse(Cell *c, double y)
{
    double r = 0.0016, s = c->p[0] + r;
    double k0 = c->p[0] / s, k1 = c->p[2] / s, d = y - c->top;

    c->top += k0 * d;
    c->root += k1 * d;
    c->p[3] -= k1 * c->p[1];
    c->p[0] *= 1.0 - k0;
    c->p[1] *= 1.0 - k0;
    c->p[2] = c->p[1];
    c->gain[0] = k0;
    c->gain[1] = k1;
    c->innov = d;
    c->nobs += 1.0;
}

int main(int argc, char **argv)
{
    int days = argc > 1 ? atoi(argv[1]) : 3;
    int fd = open("cells.bin", O_RDWR);
    FILE *fo = fopen("radiometer.bin", "rb");
    struct stat st;
    if (fd < 0 || !fo || fstat(fd, &st)) { perror("input"); return 1; }
    long n = st.st_size / sizeof(Cell);
    float *obs = malloc(n * sizeof *obs);
    Cell *block = malloc(BLOCK * sizeof *block);

    for (int day = 0; day < days; day++) {
        if (fread(obs, sizeof *obs, n, fo) != (size_t)n) return 1;
        double rain = 1.0 + sin(0.9 * day), pet = 0.5 + 0.1 * day;
        double sum = 0.0, rms = 0.0;
        for (long b = 0; b < n; b += BLOCK) {
            long m = n - b < BLOCK ? n - b : BLOCK;
            ssize_t len = m * sizeof(Cell);
            off_t at = (off_t)b * sizeof(Cell);
            if (pread(fd, block, len, at) != len) return 1;
            for (long i = 0; i < m; i++) {
                Cell *c = &block[i];
                forecast(c, rain, pet);
                if (obs[b + i] > 0.0f) analyse(c, obs[b + i]);
                sum += c->top;
                rms += c->innov * c->innov;
            }
            if (pwrite(fd, block, len, at) != len) return 1;
        }
        printf("day %d  mean top %.8f  innovation rms %.8f\n", day, sum / n, sqrt(rms / n));
    }
    free(block);
    free(obs);
    fclose(fo);
    close(fd);
    return 0;
}
