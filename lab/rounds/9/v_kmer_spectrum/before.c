/* Abundance spectrum of the k-mers in simulated shotgun reads (k = 15).
 * One counter per possible k-mer is kept in a table on disk so that it need not fit into memory. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

static uint8_t *open_table(const char *path, int *fd)
{
    *fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (*fd < 0 || ftruncate(*fd, NKMER) != 0)
        exit(1);
    uint8_t *t = mmap(NULL, NKMER, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (t == MAP_FAILED)
        exit(1);
    return t;
}

static void count_read(const uint8_t *read, uint8_t *table, uint64_t *hist, uint64_t *distinct)
{
    uint32_t code = 0;
    for (int i = 0; i < READLEN; i++) {
        code = ((code << 2) | read[i]) & (NKMER - 1);
        if (i < K - 1)
            continue;
        uint8_t c = table[code];
        if (c == 0)
            (*distinct)++;
        if (c < MAXCOUNT - 1) {
            hist[c]--;
            hist[c + 1]++;
            table[code] = c + 1;
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
    int fd;

    simulate_genome(genome, glen);
    uint8_t *table = open_table("kmers.tbl", &fd);
    for (int r = 0; r < nreads; r++) {
        draw_read(genome, glen, read);
        count_read(read, table, hist, &distinct);
    }
    munmap(table, NKMER);
    close(fd);
    unlink("kmers.tbl");

    FILE *f = fopen("spectrum.txt", "w");
    for (int c = 1; c < MAXCOUNT; c++)
        fprintf(f, "%d %llu\n", c, (unsigned long long)hist[c]);
    fclose(f);
    printf("%d reads, %llu distinct %d-mers\n", nreads, (unsigned long long)distinct, K);
    free(genome);
    return 0;
}
