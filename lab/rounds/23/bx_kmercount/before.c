/* bx_kmercount - canonical 31-mers of an assembly in one open addressing table (as jellyfish does it in memory). */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

#define K 31
#define BITS 24

typedef struct { uint64_t key; uint32_t n; } slot_t;
static slot_t *table; static uint64_t used;

static uint64_t mix(uint64_t x)
{
    x ^= x >> 33; x *= 0xff51afd7ed558ccdULL; x ^= x >> 33; x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

static void add(uint64_t key)
{
    uint64_t i = mix(key) >> (64 - BITS);
    while (table[i].n && table[i].key != key) i = (i + 1) & ((1u << BITS) - 1);
    if (!table[i].n) { table[i].key = key; if (++used > (1u << BITS) * 9ull / 10) { fprintf(stderr, "table full\n"); exit(1); } }
    table[i].n++;
}

typedef struct { uint64_t fwd, rev; int have; } window_t;

static void feed(window_t *w, const char *s, ssize_t n)
{
    const uint64_t mask = (1ULL << 2 * K) - 1;
    for (ssize_t i = 0; i < n; i++) {
        uint64_t c;
        switch (s[i]) {
        case 'A': c = 0; break; case 'C': c = 1; break;
        case 'G': c = 2; break; case 'T': c = 3; break;
        default: w->have = 0; continue;
        }
        w->fwd = (w->fwd << 2 | c) & mask;
        w->rev = w->rev >> 2 | (3 - c) << 2 * (K - 1);
        if (++w->have >= K) add(w->fwd < w->rev ? w->fwd : w->rev);
    }
}

static long scan(const char *path, long *bases)
{
    FILE *fp = fopen(path, "r");
    if (!fp) { perror(path); exit(1); }
    char *line = NULL; size_t cap = 0; ssize_t n; long contigs = 0;
    window_t w = {0};
    while ((n = getline(&line, &cap, fp)) > 0) {
        if (line[0] == '>') { contigs++; memset(&w, 0, sizeof w); continue; }
        if (line[n - 1] == '\n') n--;
        feed(&w, line, n); *bases += n;
    }
    free(line); fclose(fp);
    return contigs;
}

int main(int argc, char **argv)
{
    if (argc < 3) { fprintf(stderr, "usage: %s assembly.fa out.hist\n", argv[0]); return 2; }
    table = calloc(1u << BITS, sizeof *table);
    if (!table) { perror("calloc"); return 1; }
    long bases = 0, contigs = scan(argv[1], &bases), hist[256] = {0};
    for (uint64_t i = 0; i < 1u << BITS; i++) if (table[i].n) hist[table[i].n < 255 ? table[i].n : 255]++;
    FILE *out = fopen(argv[2], "w");
    if (!out) { perror(argv[2]); return 1; }
    for (int i = 1; i < 256; i++) if (hist[i]) fprintf(out, "%d %ld\n", i, hist[i]);
    fclose(out);
    printf("%ld contigs, %ld bases, %llu distinct\n", contigs, bases, (unsigned long long)used);
    free(table);
    return 0;
}
