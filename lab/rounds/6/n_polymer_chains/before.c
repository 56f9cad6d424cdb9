/* Brownian dynamics of bead-spring chains; end-to-end distances and frames go to text files. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHAINS 24
#define BEADS 64

static double pos[CHAINS][BEADS][3], force[CHAINS][BEADS][3];
static uint64_t state = 0x9E3779B97F4A7C15ULL;

static double gauss(void)
{
    double sum = 0.0;
    for (int k = 0; k < 6; k++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        sum += (state >> 11) * (1.0 / 9007199254740992.0);
    }
    return (sum - 3.0) * 1.414213562;
}

static void chains_start(void)
{
    for (int c = 0; c < CHAINS; c++)
        for (int b = 0; b < BEADS; b++) {
            pos[c][b][0] = b * 0.9;
            pos[c][b][1] = c * 2.0 + 0.05 * gauss();
            pos[c][b][2] = 0.05 * gauss();
        }
}

static void chain_forces(int c)
{
    memset(force[c], 0, sizeof force[c]);
    for (int i = 0; i < BEADS; i++)
        for (int j = i + 1; j < BEADS; j++) {
            double d[3], r2 = 0.0;
            for (int k = 0; k < 3; k++) {
                d[k] = pos[c][j][k] - pos[c][i][k];
                r2 += d[k] * d[k];
            }
            double f = j == i + 1 ? 30.0 * (1.0 - 1.0 / sqrt(r2 + 1e-12)) : 0.0;
            if (r2 < 1.3 && r2 > 0.2)
                f -= 4.0 * (1.3 - r2) / r2;
            for (int k = 0; k < 3; k++) {
                force[c][i][k] += f * d[k];
                force[c][j][k] -= f * d[k];
            }
        }
}

static double end_to_end(int c)
{
    double r2 = 0.0;
    for (int k = 0; k < 3; k++) {
        double d = pos[c][BEADS - 1][k] - pos[c][0][k];
        r2 += d * d;
    }
    return sqrt(r2);
}

static void log_step(int step, double mean)
{
    FILE *log = fopen("distance.log", step == 0 ? "w" : "a");
    if (!log)
        exit(1);
    fprintf(log, "%8d %12.6f\n", step, mean);
    fclose(log);
}

static void write_frame(FILE *frames, int step)
{
    fprintf(frames, "%d\nstep %d\n", CHAINS, step);
    for (int c = 0; c < CHAINS; c++)
        fprintf(frames, "C %.4f %.4f %.4f\n", pos[c][0][0], pos[c][0][1], pos[c][0][2]);
    fflush(frames);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 6000;
    double dt = 1e-3, kick = sqrt(2.0 * dt), mean = 0.0;
    FILE *frames = fopen("frames.xyz", "w");
    if (!frames)
        return 1;
    chains_start();
    for (int step = 0; step < steps; step++) {
        mean = 0.0;
        for (int c = 0; c < CHAINS; c++) {
            chain_forces(c);
            for (int b = 0; b < BEADS; b++)
                for (int k = 0; k < 3; k++)
                    pos[c][b][k] += dt * force[c][b][k] + kick * gauss();
            mean += end_to_end(c) / CHAINS;
        }
        if (step % 25 == 0)
            log_step(step, mean);
        if (step % 50 == 0)
            write_frame(frames, step);
    }
    fsync(fileno(frames));
    fclose(frames);
    printf("%d steps, mean end-to-end distance %.4f\n", steps, mean);
    return 0;
}
