/* Simulate weather radar sweeps and record the range profiles. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GATES 1024
#define PAGE 4096

typedef struct {
    double range, azimuth, strength, width;
} Cell;

typedef struct {
    int fd;
    char *page;
    size_t used;
    off_t where;
} Recorder;

static void recorder_open(Recorder *r, const char *path)
{
    r->fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_DIRECT, 0644);
    if (r->fd < 0 || posix_memalign((void **)&r->page, PAGE, PAGE) != 0) {
        perror(path);
        exit(1);
    }
    r->used = 0;
    r->where = 0;
}

static void recorder_page_out(Recorder *r)
{
    memset(r->page + r->used, 0, PAGE - r->used);
    if (pwrite(r->fd, r->page, PAGE, r->where) != PAGE) {
        perror("profile");
        exit(1);
    }
    r->where += PAGE;
    r->used = 0;
}

static void recorder_put(Recorder *r, const void *data, size_t bytes)
{
    const char *p = data;
    while (bytes > 0) {
        size_t room = PAGE - r->used;
        size_t take = bytes < room ? bytes : room;
        memcpy(r->page + r->used, p, take);
        r->used += take;
        p += take;
        bytes -= take;
        if (r->used == PAGE)
            recorder_page_out(r);
    }
}

static void recorder_close(Recorder *r)
{
    if (r->used > 0)
        recorder_page_out(r);
    close(r->fd);
    free(r->page);
}

static void make_storm(Cell *cells, int n)
{
    for (int i = 0; i < n; i++) {
        cells[i].range = fmod(137.5 * i, GATES);
        cells[i].azimuth = fmod(61.8 * i, 360.0);
        cells[i].strength = 20 + 30 * fabs(sin(1.3 * i));
        cells[i].width = 8 + 5 * fabs(cos(0.7 * i));
    }
}

static double scan_ray(float *profile, const Cell *cells, int n, double azimuth)
{
    double sum = 0;
    for (int g = 0; g < GATES; g++)
        profile[g] = 0;
    for (int i = 0; i < n; i++) {
        double da = fabs(azimuth - cells[i].azimuth);
        if (da > 180)
            da = 360 - da;
        if (da > 6)
            continue;
        for (int g = 0; g < GATES; g++) {
            double d = (g - cells[i].range) / cells[i].width;
            profile[g] += (float)(cells[i].strength / (1 + d * d) * (1 - da / 6));
        }
    }
    for (int g = 0; g < GATES; g++)
        sum += profile[g];
    return sum / GATES;
}

int main(int argc, char **argv)
{
    int sweeps = argc > 1 ? atoi(argv[1]) : 20;
    int rays = argc > 2 ? atoi(argv[2]) : 360;
    Cell cells[40];
    make_storm(cells, 40);
    Recorder rec;
    recorder_open(&rec, "sweeps.dat");
    float profile[GATES];
    double mean = 0;
    for (int s = 0; s < sweeps; s++) {
        for (int k = 0; k < rays; k++) {
            double m = scan_ray(profile, cells, 40, 360.0 * k / rays);
            float head[4] = {(float)s, (float)k, (float)m, 0};
            recorder_put(&rec, head, sizeof head);
            recorder_put(&rec, profile, sizeof profile);
            mean += m;
        }
        for (int i = 0; i < 40; i++)
            cells[i].range = fmod(cells[i].range + 3.5, GATES);
    }
    recorder_close(&rec);
    printf("rays %d  mean %.6f\n", sweeps * rays, mean / sweeps / rays);
    return 0;
}
