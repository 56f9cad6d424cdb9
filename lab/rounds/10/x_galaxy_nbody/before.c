/* Softened direct N-body model of a rotating disc, leapfrog integration,
   with restart files that survive a crash of the machine. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    double x[3], v[3], a[3], m;
} Body;

static unsigned long long state = 88172645463325252ULL;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void disc(Body *b, int n)
{
    for (int i = 0; i < n; i++) {
        double r = 0.1 + sqrt(uniform()), phi = 6.283185307179586 * uniform();
        double speed = sqrt(r / (1.0 + r));
        b[i].m = 1.0 / n;
        b[i].x[0] = r * cos(phi);
        b[i].x[1] = r * sin(phi);
        b[i].x[2] = 0.02 * (uniform() - 0.5);
        b[i].v[0] = -speed * sin(phi);
        b[i].v[1] = speed * cos(phi);
        b[i].v[2] = 0.0;
    }
}

static void forces(Body *b, int n)
{
    const double eps2 = 0.0025;
    for (int i = 0; i < n; i++) {
        double ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; j++) {
            double dx = b[j].x[0] - b[i].x[0], dy = b[j].x[1] - b[i].x[1], dz = b[j].x[2] - b[i].x[2];
            double r2 = dx * dx + dy * dy + dz * dz + eps2;
            double w = b[j].m / (r2 * sqrt(r2));
            ax += w * dx;
            ay += w * dy;
            az += w * dz;
        }
        b[i].a[0] = ax;
        b[i].a[1] = ay;
        b[i].a[2] = az;
    }
}

static int restart_file(const Body *b, int n, int step)
{
    FILE *f = fopen("restart.tmp", "wb");
    if (!f)
        return -1;
    int head[2] = {n, step};
    fwrite(head, sizeof head, 1, f);
    fwrite(b, sizeof *b, n, f);
    if (fflush(f) != 0 || fsync(fileno(f)) != 0 || fclose(f) != 0)
        return -1;
    return rename("restart.tmp", "restart.bin");
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1200;
    int steps = argc > 2 ? atoi(argv[2]) : 160;
    int every = argc > 3 ? atoi(argv[3]) : 40;
    double dt = 0.005;
    Body *b = calloc(n, sizeof *b);
    FILE *log = fopen("energy.log", "w");
    if (!b || !log)
        return 1;
    disc(b, n);
    forces(b, n);
    for (int s = 1; s <= steps; s++) {
        for (int i = 0; i < n; i++)
            for (int d = 0; d < 3; d++) {
                b[i].v[d] += 0.5 * dt * b[i].a[d];
                b[i].x[d] += dt * b[i].v[d];
            }
        forces(b, n);
        double kinetic = 0.0, spin = 0.0;
        for (int i = 0; i < n; i++) {
            for (int d = 0; d < 3; d++) {
                b[i].v[d] += 0.5 * dt * b[i].a[d];
                kinetic += 0.5 * b[i].m * b[i].v[d] * b[i].v[d];
            }
            spin += b[i].m * (b[i].x[0] * b[i].v[1] - b[i].x[1] * b[i].v[0]);
        }
        fprintf(log, "%d %.12g %.12g\n", s, kinetic, spin);
        if (s % every == 0 && restart_file(b, n, s) != 0) {
            perror("restart.bin");
            return 1;
        }
    }
    fclose(log);
    printf("final position of body 0: %.10f %.10f %.10f\n", b[0].x[0], b[0].x[1], b[0].x[2]);
    free(b);
    return 0;
}
