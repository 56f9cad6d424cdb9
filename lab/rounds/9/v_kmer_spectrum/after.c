/* Abundance spectrum of the k-mers in simulated shotgun reads (k = 15).
 * The counters of the k-mers that occur are kept in a compact hash table. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K        15
#define NKMER    (1u << (2 * K))
#define READLEN  120
#define MAXCOUNT 64

static uint64_t rng_state = 88172645463325252ull;

static uint64_t rng(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return rng_state;
}

static void simulate_genome(uint8_t *g, int n)
{
    for (int i = 0; i < n; i++)
        g[i] = rng() & 3;
    for (int r = 0; r < n / 2000; r++) {            /* repeats */
        int a = rng() % (n - 400), b = rng() % (n - 400);
        memmove(g + a, g + b, 300);
    }
}

static void draw_read(const uint8_t *g, int n, uint8_t *read)
{
    int p = rng() % (n - READLEN);
    memcpy(read, g + p, READLEN);
    if (rng() % 3 == 0)
        read[rng() % READLEN] = rng() & 3;          /* sequencing error */
}

typedef struct {
    uint32_t code;
    uint8_t count;
} slot_t;

static slot_t *new_table(uint32_t *mask, int expected)
{
    uint32_t n = 1024;
    while (n < 2u * (uint32_t)expected)
        n *= 2;
    *mask = n - 1;
    return calloc(n, sizeof(slot_t));
}

static uint8_t *counter(slot_t *t, uint32_t mask, uint32_t code)
{
    uint32_t h = (code * 2654435761u) >> 7;
    while (t[h & mask].count && t[h & mask].code != code)
        h++;
    t[h & mask].code = code;
    return &t[h & mask].count;
}

static void count_read(const uint8_t *read, slot_t *table, uint32_t mask, uint64_t *hist, uint64_t *distinct)
{
    uint32_t code = 0;
    for (int i = 0; i < READLEN; i++) {
        code = ((code << 2) | read[i]) & (NKMER - 1);
        if (i < K - 1)
            continue;
        uint8_t *c = counter(table, mask, code);
        if (*c == 0)
            (*distinct)++;
        if (*c < MAXCOUNT - 1) {
            hist[*c]--;
            hist[*c + 1]++;
            (*c)++;
        }
    }
}

int main(int argc, char **argv)
{
    int glen = argc > 1 ? atoi(argv[1]) : 120000;
    int coverage = argc > 2 ? atoi(argv[2]) : 12;
    uint8_t *genome = malloc(glen), read[READLEN];
    uint64_t hist[MAXCOUNT + 1] = {0}, distinct = 0;
    int nreads = (int)((int64_t)glen * coverage / READLEN);
    uint32_t mask;

    simulate_genome(genome, glen);
    slot_t *table = new_table(&mask, glen * 2);
    for (int r = 0; r < nreads; r++) {
        draw_read(genome, glen, read);
        count_read(read, table, mask, hist, &distinct);
    }
    free(table);

    FILE *f = fopen("spectrum.txt", "w");
    for (int c = 1; c < MAXCOUNT; c++)
        fprintf(f, "%d %llu\n", c, (unsigned long long)hist[c]);
    fclose(f);
    printf("%d reads, %llu distinct %d-mers\n", nreads, (unsigned long long)distinct, K);
    free(genome);
    return 0;
}
