/* Tide-gauge processor: predicts the harbour's tide from its constituents,
 * adds the surge of an AR(1) weather model, filters the minutes to hourly
 * heights (Doodson-like low pass) and files hourly records. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NCONST 8
#define MINUTES 60

typedef struct { const char *name; double amp, speed, phase; } Constituent;

static const Constituent con[NCONST] = {       /* m, deg/h, deg */
    { "M2", 1.62, 28.9841042,  41.0 }, { "S2", 0.55, 30.0000000,  87.0 },
    { "N2", 0.31, 28.4397295,  22.0 }, { "K2", 0.15, 30.0821373,  85.0 },
    { "K1", 0.11, 15.0410686, 121.0 }, { "O1", 0.09, 13.9430356, 340.0 },
    { "M4", 0.07, 57.9682084, 210.0 }, { "Sa", 0.06,  0.0410686, 200.0 },
};

typedef struct { int32_t hour; float height, surge, low, high; } Hourly;

static uint64_t seed = 88172645463325252ull;
static double gauss(void)
{
    double s = 0.0;
    for (int i = 0; i < 12; i++) {
        seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
        s += (double)(seed >> 11) / 9007199254740992.0;
    }
    return s - 6.0;
}

static double tide(double hours)
{
    double h = 0.0;
    for (int k = 0; k < NCONST; k++)
        h += con[k].amp * cos((con[k].speed * hours - con[k].phase) * M_PI / 180.0);
    return h;
}

/* one hour of minute values, smoothed with a raised-cosine window */
static Hourly process_hour(int hour, double *surge)
{
    Hourly r = { hour, 0, 0, 99, -99 };
    double sum = 0, wsum = 0, ssum = 0;
    for (int m = 0; m < MINUTES; m++) {
        *surge = 0.9995 * *surge + 0.004 * gauss();
        double z = tide(hour + m / 60.0) + *surge;
        double w = 1.0 - cos(2.0 * M_PI * (m + 0.5) / MINUTES);
        sum += w * z;
        ssum += w * *surge;
        wsum += w;
        if (z < r.low)  r.low = (float)z;
        if (z > r.high) r.high = (float)z;
    }
    r.height = (float)(sum / wsum);
    r.surge = (float)(ssum / wsum);
    return r;
}

static int open_series(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) {
        perror(name);
        exit(1);
    }
    return fd;
}

static void file_records(int fd, const Hourly *r, size_t n)
{
    if (write(fd, r, n * sizeof *r) != (ssize_t)(n * sizeof *r) || fsync(fd) != 0) {
        perror("write");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int days = argc > 1 ? atoi(argv[1]) : 30;
    int spin = argc > 2 ? atoi(argv[2]) : 2000;     /* days of weather spin-up */
    double surge = 0.0, highest = -99;
    int when = 0;
    for (int h = -24 * spin; h < 0; h++)
        process_hour(h, &surge);
    int fd = open_series("harbour.hly");
    Hourly *all = malloc(24 * (size_t)days * sizeof *all);
    for (int h = 0; h < 24 * days; h++) {
        all[h] = process_hour(h, &surge);
        if (all[h].high > highest) {
            highest = all[h].high;
            when = h;
        }
    }
    file_records(fd, all, 24 * (size_t)days);
    close(fd);
    free(all);
    printf("%d days, highest water %.3f m at hour %d\n", days, highest, when);
    return 0;
}
