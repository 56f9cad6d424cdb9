/* Ising model in two dimensions: temperature scan with a line of observables per measurement. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define L 96

static int8_t spin[L][L];
static uint64_t state = 0x9E3779B97F4A7C15ULL;

static inline double uniform(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return ((state * 0x2545F4914F6CDD1DULL) >> 11) * (1.0 / 9007199254740992.0);
}

static void reset(void)
{
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++)
            spin[i][j] = uniform() < 0.8 ? 1 : -1;
}

static void sweep(const double *boltzmann)
{
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++) {
            int around = spin[(i + 1) % L][j] + spin[(i + L - 1) % L][j] + spin[i][(j + 1) % L] + spin[i][(j + L - 1) % L];
            int cost = 2 * spin[i][j] * around;
            if (cost <= 0 || uniform() < boltzmann[cost])
                spin[i][j] = (int8_t)-spin[i][j];
        }
}

static void observe(double *energy, double *magnetisation)
{
    long e = 0, m = 0;
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++) {
            e -= spin[i][j] * (spin[(i + 1) % L][j] + spin[i][(j + 1) % L]);
            m += spin[i][j];
        }
    *energy = (double)e / (L * L);
    *magnetisation = fabs((double)m) / (L * L);
}

static void log_sample(FILE *log, double temperature, int n, double energy, double magnetisation)
{
    fprintf(log, "%.4f ", temperature);
    fprintf(log, "%d ", n);
    fprintf(log, "%.8f ", energy);
    fprintf(log, "%.8f\n", magnetisation);
}

int main(int argc, char **argv)
{
    int nsweeps = argc > 1 ? atoi(argv[1]) : 1000;
    FILE *log = fopen("observables.txt", "w");
    if (!log)
        return 1;
    double boltzmann[9];
    double last = 0;
    for (int k = 0; k < 6; k++) {
        double temperature = 1.9 + 0.15 * k, sum = 0;
        for (int c = 0; c <= 8; c++)
            boltzmann[c] = exp(-c / temperature);
        reset();
        int samples = 0;
        for (int n = 0; n < nsweeps; n++) {
            double energy, magnetisation;
            sweep(boltzmann);
            if (n % 4)
                continue;
            observe(&energy, &magnetisation);
            log_sample(log, temperature, n, energy, magnetisation);
            sum += magnetisation;
            samples++;
        }
        last = sum / samples;
        fflush(log);
    }
    fclose(log);
    printf("sweeps %d last magnetisation %.6f\n", nsweeps, last);
    return 0;
}
