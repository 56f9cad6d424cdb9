/* bx_kmerbins - two phase k-mer counter on disk (the scheme of KMC and MSPKmerCounter): reads are cut into
 * super-k-mers by their minimizer, these go to bins on disk, each bin is then sorted and counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#define K 27
#define M 7
#define BINS 128

static int code(char c) { return c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : 3; }

static void bin_path(char *p, size_t n, const char *dir, int b) { snprintf(p, n, "%s/bin_%03d.skm", dir, b); }

static int bin_append(const char *dir, uint32_t minimizer, const char *s, int n)
{
    char path[256];
    bin_path(path, sizeof path, dir, (int)((minimizer * 2654435761u) >> 25));
    FILE *fp = fopen(path, "a");
    if (!fp) { perror(path); return -1; }
    fprintf(fp, "%.*s\n", n, s);
    return fclose(fp);
}

static uint32_t mmer(const char *s)
{
    uint32_t v = 0;
    for (int i = 0; i < M; i++) v = v << 2 | code(s[i]);
    return v * 0x9E3779B1u >> 18;              /* spread: poly-A must not win */
}

static long split_read(const char *dir, const char *s, int n)
{
    static uint32_t mm[4096];
    long parts = 0; int start = 0; uint32_t cur = UINT32_MAX;
    for (int j = 0; j + M <= n; j++) mm[j] = mmer(s + j);
    for (int i = 0; i + K <= n; i++) {
        uint32_t best = UINT32_MAX;
        for (int j = i; j + M <= i + K; j++) { if (mm[j] < best) best = mm[j]; }
        if (i && best != cur) {
            if (bin_append(dir, cur, s + start, i - 1 + K - start)) exit(1);
            start = i; parts++;
        }
        cur = best;
    }
    if (n >= K) { if (bin_append(dir, cur, s + start, n - start)) exit(1); parts++; }
    return parts;
}

static int cmp64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void count_bin(const char *dir, int b, long hist[64])
{
    char path[256], line[4096]; bin_path(path, sizeof path, dir, b);
    FILE *fp = fopen(path, "r");
    if (!fp) return;
    size_t n = 0, cap = 1 << 14; uint64_t *v = malloc(cap * sizeof *v);
    while (fgets(line, sizeof line, fp)) {
        int len = (int)strcspn(line, "\n"); uint64_t w = 0;
        for (int i = 0; i < len; i++) {
            w = (w << 2 | code(line[i])) & ((1ULL << 2 * K) - 1);
            if (i + 1 < K) continue;
            if (n == cap) v = realloc(v, (cap *= 2) * sizeof *v);
            v[n++] = w;
        }
    }
    fclose(fp); unlink(path);
    qsort(v, n, sizeof *v, cmp64);
    for (size_t i = 0; i < n;) {
        size_t j = i; while (j < n && v[j] == v[i]) j++;
        hist[j - i < 63 ? j - i : 63]++; i = j;
    }
    free(v);
}

int main(int argc, char **argv)
{
    if (argc < 3) { fprintf(stderr, "usage: %s reads.fa bindir\n", argv[0]); return 2; }
    mkdir(argv[2], 0755);
    FILE *fp = fopen(argv[1], "r");
    if (!fp) { perror(argv[1]); return 1; }
    char line[4096]; long parts = 0, reads = 0, hist[64] = {0};
    while (fgets(line, sizeof line, fp)) {
        if (line[0] == '>') { reads++; continue; }
        parts += split_read(argv[2], line, (int)strcspn(line, "\n"));
    }
    fclose(fp);
    for (int b = 0; b < BINS; b++) count_bin(argv[2], b, hist);
    rmdir(argv[2]);
    FILE *out = fopen("kmers.hist", "w");
    for (int i = 1; i < 64; i++) fprintf(out, "%d\t%ld\n", i, hist[i]);
    fclose(out);
    printf("%ld reads, %ld super-k-mers, %ld distinct once\n", reads, parts, hist[1]);
    return 0;
}
