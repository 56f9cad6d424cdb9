/* Integrate-and-fire network; the spikes are stored in a file that later tools map as an array. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEURONS 1500

struct spike {
    double time_ms;
    uint32_t neuron;
    uint32_t group;
    float potential[12];
};

struct store {
    FILE *file;
};

static float potential[NEURONS], drive[NEURONS];
static int refractory[NEURONS];
static uint32_t seed = 12345;

static float noise(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) * (1.0f / 16777216.0f) - 0.5f;
}

static void store_open(struct store *s, const char *name)
{
    s->file = fopen(name, "wb");
    if (!s->file) {
        perror(name);
        exit(1);
    }
}

static void store_spike(struct store *s, const struct spike *sp)
{
    if (fwrite(sp, sizeof *sp, 1, s->file) != 1) {
        perror("fwrite");
        exit(1);
    }
}

static void network_start(void)
{
    for (int i = 0; i < NEURONS; i++) {
        potential[i] = -65.0f + 10.0f * noise();
        drive[i] = 1.6f + 0.6f * sinf(i * 0.1f);
    }
}

static int step_neuron(int i, float recent)
{
    if (refractory[i] > 0) {
        refractory[i]--;
        return 0;
    }
    potential[i] += 0.1f * (-65.0f - potential[i]) + drive[i] + 4.0f * noise() - 0.002f * recent;
    if (potential[i] < -50.0f)
        return 0;
    potential[i] = -70.0f;
    refractory[i] = 3;
    return 1;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 5000;
    struct store out;
    float recent = 0.0f;
    long spikes = 0;
    network_start();
    store_open(&out, "spikes.bin");
    for (int t = 0; t < steps; t++) {
        int fired = 0;
        for (int i = 0; i < NEURONS; i++) {
            if (!step_neuron(i, recent))
                continue;
            struct spike sp = {.time_ms = t * 0.5, .neuron = i, .group = i / 100};
            for (int k = 0; k < 12; k++)
                sp.potential[k] = potential[(i + k) % NEURONS];
            store_spike(&out, &sp);
            fired++;
        }
        recent = 0.8f * recent + fired;
        spikes += fired;
    }
    fclose(out.file);
    printf("%ld spikes in %.1f ms\n", spikes, steps * 0.5);
    return 0;
}
