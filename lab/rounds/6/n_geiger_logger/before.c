/* Radiation monitor: simulates detector counts, keeps a running estimate and logs each interval. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TUBES 16
#define SUBINTERVALS 1400

struct interval_record {
    uint32_t number;
    uint32_t counts[TUBES];
    float rate[TUBES];
    double dose_total;
    char station[48];
    uint8_t spectrum[1024];
};

static uint64_t noise = 88172645463325252ULL;

static double uniform(void)
{
    noise ^= noise << 13;
    noise ^= noise >> 7;
    noise ^= noise << 17;
    return (noise >> 11) * (1.0 / 9007199254740992.0);
}

static int poisson(double mean)
{
    double limit = exp(-mean), p = 1.0;
    int k = 0;
    do {
        k++;
        p *= uniform();
    } while (p > limit);
    return k - 1;
}

static int open_log(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_SYNC, 0644);
    if (fd < 0) {
        perror(name);
        exit(1);
    }
    return fd;
}

static void measure(struct interval_record *rec, double background)
{
    for (int tube = 0; tube < TUBES; tube++) {
        uint32_t counts = 0;
        for (int s = 0; s < SUBINTERVALS; s++) {
            int n = poisson(background * (1.0 + 0.02 * tube));
            counts += n;
            rec->spectrum[(n * 37 + s) & 1023]++;
        }
        rec->counts[tube] = counts;
        rec->rate[tube] = 0.9f * rec->rate[tube] + 0.1f * counts;
        rec->dose_total += counts * 5.7e-6;
    }
}

static void store_interval(int fd, const struct interval_record *rec)
{
    if (write(fd, rec, sizeof *rec) != sizeof *rec) {
        perror("write");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int intervals = argc > 1 ? atoi(argv[1]) : 600;
    struct interval_record rec;
    memset(&rec, 0, sizeof rec);
    snprintf(rec.station, sizeof rec.station, "north mast, level %d", 3);
    int fd = open_log("intervals.log");
    for (int i = 0; i < intervals; i++) {
        rec.number = i;
        measure(&rec, 1.8 + 0.4 * sin(i * 0.01));
        store_interval(fd, &rec);
    }
    close(fd);
    printf("%d intervals, dose %.6f mSv\n", intervals, rec.dose_total);
    return 0;
}
