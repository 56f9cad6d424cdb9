/* Integrate-and-fire network: every spike goes to a binary spike train file. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NCELL 4000
#define FANOUT 8

struct network {
    double v[NCELL];
    double drive[NCELL];
    int target[NCELL][FANOUT];
    double pending[NCELL];
};

struct recorder {
    FILE *train;
    long nspikes;
};

static uint64_t rng_state = 88172645463325252ULL;

static double uniform(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (rng_state >> 11) * (1.0 / 9007199254740992.0);
}

static void wire(struct network *net)
{
    for (int i = 0; i < NCELL; i++) {
        net->v[i] = uniform();
        net->drive[i] = 0.055 + 0.02 * uniform();
        net->pending[i] = 0;
        for (int k = 0; k < FANOUT; k++)
            net->target[i][k] = (int)(uniform() * NCELL);
    }
}

static int recorder_open(struct recorder *rec, const char *path)
{
    rec->train = fopen(path, "wb");
    if (!rec->train)
        return -1;
    setvbuf(rec->train, NULL, _IONBF, 0);
    rec->nspikes = 0;
    return 0;
}

static void record_spike(struct recorder *rec, float time, int32_t cell, float charge)
{
    fwrite(&time, sizeof time, 1, rec->train);
    fwrite(&cell, sizeof cell, 1, rec->train);
    fwrite(&charge, sizeof charge, 1, rec->train);
    rec->nspikes++;
}

static void advance(struct network *net, struct recorder *rec, double t)
{
    static double arriving[NCELL];
    for (int i = 0; i < NCELL; i++) {
        arriving[i] = net->pending[i];
        net->pending[i] = 0;
    }
    for (int i = 0; i < NCELL; i++) {
        net->v[i] = 0.97 * net->v[i] + net->drive[i] + arriving[i];
        if (net->v[i] >= 1.0) {
            record_spike(rec, (float)t, i, (float)(net->v[i] - 1.0));
            net->v[i] = 0.0;
            for (int k = 0; k < FANOUT; k++)
                net->pending[net->target[i][k]] += 0.002;
        }
    }
}

int main(int argc, char **argv)
{
    int nsteps = argc > 1 ? atoi(argv[1]) : 1000;
    struct network *net = malloc(sizeof *net);
    struct recorder rec;
    if (!net || recorder_open(&rec, "train.bin"))
        return 1;
    wire(net);
    for (int s = 0; s < nsteps; s++)
        advance(net, &rec, 0.1 * s);
    double mean = 0;
    for (int i = 0; i < NCELL; i++)
        mean += net->v[i];
    fclose(rec.train);
    printf("steps %d spikes %ld mean potential %.5f\n", nsteps, rec.nspikes, mean / NCELL);
    free(net);
    return 0;
}
