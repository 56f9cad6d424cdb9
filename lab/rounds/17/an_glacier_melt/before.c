/* Degree-day mass balance of a valley glacier in elevation bands.
 *
 * Snow falls and melts by day; what melts runs off, ice is lost when the snow is gone.
 * The balance of every band is kept for each day of the run, so that a plot can follow
 * the run while it goes on.
 *
 * usage: glacier bands days
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct {
    double snow;      /* water equivalent of the snow, m */
    double ice;       /* thickness of the ice, m */
    double melt;      /* melt of the day, m */
    double balance;   /* cumulative balance, m */
} Band;

typedef struct {
    double temperature;   /* at the tongue, deg C */
    double precipitation; /* m per day */
} Weather;

static uint64_t seed = 88172645463325252ull;

static double uniform(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (seed >> 11) * (1.0 / 9007199254740992.0);
}

static Weather weather_of(int day)
{
    Weather w;
    w.temperature = 4.0 - 9.0 * cos(2 * PI * (day % 365 - 20) / 365.0) + 6.0 * (uniform() - 0.5);
    w.precipitation = uniform() < 0.35 ? 0.018 * uniform() : 0.0;
    return w;
}

static void start(Band *band, int nbands)
{
    for (int b = 0; b < nbands; b++) {
        double x = (b + 0.5) / nbands;
        band[b].snow = 0.5 * x;
        band[b].ice = 220.0 * sqrt(x * (1.0 - x) * 4.0) + 1.0;
        band[b].melt = band[b].balance = 0.0;
    }
}

/* One day: returns the runoff of the glacier. */
static double day_step(Band *band, int nbands, Weather w)
{
    const double lapse = -0.0065, relief = 1600.0;
    const double ddf_snow = 0.0041, ddf_ice = 0.0078;
    double runoff = 0.0;

    for (int b = 0; b < nbands; b++) {
        double t = w.temperature + lapse * relief * (b + 0.5) / nbands;
        double solid = 1.0 / (1.0 + exp(2.5 * (t - 1.2)));
        double possible = t > 0.0 ? ddf_snow * t : 0.0;
        double from_snow, from_ice = 0.0;

        band[b].snow += solid * w.precipitation;
        from_snow = possible < band[b].snow ? possible : band[b].snow;
        band[b].snow -= from_snow;
        if (from_snow < possible && band[b].ice > 0.0) {
            from_ice = (possible - from_snow) * ddf_ice / ddf_snow;
            if (from_ice > band[b].ice)
                from_ice = band[b].ice;
            band[b].ice -= from_ice;
        }
        band[b].melt = from_snow + from_ice;
        band[b].balance += solid * w.precipitation - band[b].melt;
        runoff += band[b].melt + (1.0 - solid) * w.precipitation;
    }
    return runoff / nbands;
}

/* The run so far, as the plotting script expects it: bands, days, then the days. */
static void publish(FILE *out, const Band *history, int nbands, int days)
{
    int32_t head[4] = {0x474c4143, nbands, days, sizeof(Band)};

    rewind(out);
    fwrite(head, sizeof head, 1, out);
    fwrite(history, sizeof(Band), (size_t)nbands * days, out);
    fflush(out);
}

int main(int argc, char **argv)
{
    int nbands = argc > 1 ? atoi(argv[1]) : 500;
    int ndays = argc > 2 ? atoi(argv[2]) : 730;
    Band *band = malloc(nbands * sizeof(Band));
    Band *history = malloc((size_t)nbands * ndays * sizeof(Band));
    FILE *out = fopen("balance.bin", "wb");
    double runoff = 0.0, balance = 0.0;

    if (!band || !history || !out) {
        fprintf(stderr, "cannot start the run\n");
        return 1;
    }
    start(band, nbands);
    for (int day = 0; day < ndays; day++) {
        runoff += day_step(band, nbands, weather_of(day));
        memcpy(history + (size_t)day * nbands, band, nbands * sizeof(Band));
        publish(out, history, nbands, day + 1);
    }
    fclose(out);
    for (int b = 0; b < nbands; b++)
        balance += band[b].balance / nbands;
    printf("%d days: runoff %.6f m, balance %.6f m\n", ndays, runoff, balance);
    free(history);
    free(band);
    return 0;
}
