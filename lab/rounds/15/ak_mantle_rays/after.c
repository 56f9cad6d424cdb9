/*
 * Travel-time residuals of teleseismic S waves through a tomographic block of
 * the mantle.  Every ray is bent a little by a shooting scheme; along the ray
 * the slowness is integrated by quadrature with scattered nodes (stratified
 * Monte Carlo), the medium is given as a callback.
 *
 * usage: rays <rays> <nodes per ray>      (reads mantle.f32)
 */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 256                       /* voxels per edge */
#define CELL 5.0                    /* km */

typedef struct { double x, y, z; } vec3;
typedef double (*medium_fn)(void *self, vec3 p);

struct block {
    float *anomaly;
    double v_top, v_bottom;         /* reference velocities, km/s */
};

static uint64_t seed = 0x9E3779B97F4A7C15ULL;

static double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static int voxel(double km)
{
    int i = (int)(km / CELL);
    return i < 0 ? 0 : i >= N ? N - 1 : i;
}

static double slowness(void *self, vec3 p)
{
    struct block *b = self;
    off_t at = ((off_t)voxel(p.z) * N + voxel(p.y)) * N + voxel(p.x);
    float anomaly = b->anomaly[at];
    double depth = p.z / (N * CELL);
    double v = b->v_top + (b->v_bottom - b->v_top) * depth;
    return 1.0 / (v * (1.0 + anomaly));
}

/* point on the ray: a parabola bulging downwards between a and b */
static vec3 on_ray(vec3 a, vec3 b, double bulge, double s)
{
    vec3 p = { a.x + s * (b.x - a.x), a.y + s * (b.y - a.y),
               a.z + s * (b.z - a.z) + 4.0 * bulge * s * (1.0 - s) };
    return p;
}

static double ray_length(vec3 a, vec3 b, double bulge)
{
    double len = 0;
    vec3 last = a;
    for (int i = 1; i <= 16; i++) {
        vec3 p = on_ray(a, b, bulge, i / 16.0);
        len += sqrt((p.x - last.x) * (p.x - last.x) + (p.y - last.y) * (p.y - last.y)
                    + (p.z - last.z) * (p.z - last.z));
        last = p;
    }
    return len;
}

static double travel_time(medium_fn medium, void *self, vec3 a, vec3 b,
                          double bulge, int nodes)
{
    double sum = 0;
    for (int i = 0; i < nodes; i++) {
        int stratum = (int)((i * 2654435761u) % (unsigned)nodes);
        sum += medium(self, on_ray(a, b, bulge, (stratum + uniform()) / nodes));
    }
    return sum / nodes * ray_length(a, b, bulge);
}

int main(int argc, char **argv)
{
    int rays  = argc > 1 ? atoi(argv[1]) : 4000;
    int nodes = argc > 2 ? atoi(argv[2]) : 200;
    struct block mantle = { NULL, 4.4, 6.3 };
    double mean = 0, sq = 0;

    size_t bytes = (size_t)N * N * N * sizeof(float), got = 0;
    int fd = open("mantle.f32", O_RDONLY);
    mantle.anomaly = malloc(bytes);
    while (fd >= 0 && got < bytes) {
        ssize_t n = read(fd, (char *)mantle.anomaly + got, bytes - got);
        if (n <= 0)
            break;
        got += n;
    }
    if (got < bytes) {
        perror("mantle.f32");
        return 1;
    }
    close(fd);
    FILE *out = fopen("residuals.txt", "w");
    for (int r = 0; r < rays; r++) {
        vec3 a = { uniform() * N * CELL, uniform() * N * CELL, 0.0 };
        vec3 b = { uniform() * N * CELL, uniform() * N * CELL, N * CELL * 0.99 };
        double direct = travel_time(slowness, &mantle, a, b, 0.0, nodes);
        double bent = travel_time(slowness, &mantle, a, b, 40.0, nodes);
        double t = bent < direct ? bent : direct;
        double reference = ray_length(a, b, 0.0) / 5.35;
        mean += t - reference;
        sq += (t - reference) * (t - reference);
        fprintf(out, "%d %.4f\n", r, t - reference);
    }
    fclose(out);
    free(mantle.anomaly);
    mean /= rays;
    printf("residual %.4f s, scatter %.4f s\n", mean, sqrt(sq / rays - mean * mean));
    return 0;
}
