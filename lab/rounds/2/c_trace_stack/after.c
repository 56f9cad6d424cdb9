/* Common-offset stack of a seismic line: traces are gain corrected, muted
 * and summed into offset bins. */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>

#define NBIN 48

typedef struct {
    int fd;
    int32_t ntrace;
    int32_t nsample;
    float dt;
} Line;

static int32_t get_int(int fd)
{
    int32_t v = 0;
    if (read(fd, &v, sizeof v) != sizeof v) {
        fprintf(stderr, "line ends too early\n");
        exit(1);
    }
    return v;
}

static float get_float(int fd)
{
    float v = 0.0f;
    if (read(fd, &v, sizeof v) != sizeof v) {
        fprintf(stderr, "line ends too early\n");
        exit(1);
    }
    return v;
}

static Line open_line(const char *path)
{
    Line l;
    l.fd = open(path, O_RDONLY);
    if (l.fd < 0) {
        perror(path);
        exit(1);
    }
    l.ntrace = get_int(l.fd);
    l.nsample = get_int(l.fd);
    l.dt = get_float(l.fd);
    return l;
}

static void apply_gain(float *tr, int n, float dt)
{
    for (int i = 0; i < n; i++) {
        float t = i * dt;
        tr[i] *= 1.0f + 1.6f * t * sqrtf(t);
    }
}

static void mute(float *tr, int n, float dt, float offset)
{
    int first = (int)(offset / 1800.0f / dt);
    for (int i = 0; i < first && i < n; i++)
        tr[i] = 0.0f;
}

int main(int argc, char **argv)
{
    Line line = open_line(argc > 1 ? argv[1] : "shots.trc");
    int n = line.nsample;
    float *trace = malloc(n * sizeof *trace);
    double *stack = calloc((size_t)NBIN * n, sizeof *stack);
    int fold[NBIN] = {0};

    for (int t = 0; t < line.ntrace; t++) {
        int cdp = get_int(line.fd);
        float offset = get_float(line.fd);
        if (read(line.fd, trace, n * sizeof *trace) != (ssize_t)(n * sizeof *trace)) {
            fprintf(stderr, "line ends too early\n");
            return 1;
        }
        apply_gain(trace, n, line.dt);
        mute(trace, n, line.dt, offset);
        int bin = (cdp - 100) % NBIN;
        for (int i = 0; i < n; i++)
            stack[(size_t)bin * n + i] += trace[i];
        fold[bin]++;
    }

    double power = 0.0;
    for (int b = 0; b < NBIN; b++)
        for (int i = 0; i < n; i++) {
            double s = stack[(size_t)b * n + i] / (fold[b] ? fold[b] : 1);
            power += s * s;
        }
    printf("stacked %d traces, power %.6e\n", line.ntrace, power / NBIN / n);
    close(line.fd);
    free(trace);
    free(stack);
    return 0;
}
