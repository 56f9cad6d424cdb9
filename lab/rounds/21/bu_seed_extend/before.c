/* seed_extend: gapped extension of seed hits against a mapped reference.
 * A seed line holds the position of the hit and the read; each read is aligned
 * (affine gaps, local) to the window around its seed.
 *
 *   seed_extend ref.seq seeds.tsv out.tsv
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MATCH 2
#define MISM (-4)
#define OPEN 6
#define EXT 1
#define FLANK 40
#define MAXREAD 256

typedef struct { int score, end; } hit;

/* Gotoh, score only */
static hit extend(const char *ref, int nr, const char *read, int nq)
{
    int H[MAXREAD + 1], E[MAXREAD + 1];
    hit best = { 0, 0 };
    for (int j = 0; j <= nq; j++) {
        H[j] = 0;
        E[j] = -10000;
    }
    for (int i = 1; i <= nr; i++) {
        int diag = 0, F = -10000;
        for (int j = 1; j <= nq; j++) {
            int h = diag + (ref[i - 1] == read[j - 1] ? MATCH : MISM);
            int e = E[j] - EXT > H[j] - OPEN - EXT ? E[j] - EXT : H[j] - OPEN - EXT;
            int f = F - EXT > H[j - 1] - OPEN - EXT ? F - EXT : H[j - 1] - OPEN - EXT;
            if (e > h) h = e;
            if (f > h) h = f;
            if (h < 0) h = 0;
            diag = H[j];
            H[j] = h;
            E[j] = e;
            F = f;
            if (h > best.score) {
                best.score = h;
                best.end = i;
            }
        }
    }
    return best;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: seed_extend ref.seq seeds.tsv out.tsv\n");
        return 2;
    }
    int fd = open(argv[1], O_RDONLY);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0) {
        perror(argv[1]);
        return 1;
    }
    const char *ref = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (ref == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    madvise((void *)ref, st.st_size, MADV_RANDOM);

    FILE *in = fopen(argv[2], "r"), *out = fopen(argv[3], "w");
    if (!in || !out) {
        perror("open");
        return 1;
    }
    char line[512], read[MAXREAD + 1];
    long pos, n = 0, kept = 0, total = 0;
    while (fgets(line, sizeof line, in)) {
        if (sscanf(line, "%ld %256s", &pos, read) != 2) continue;
        int nq = strlen(read);
        long from = pos - FLANK < 0 ? 0 : pos - FLANK;
        long to = pos + nq + FLANK > st.st_size ? st.st_size : pos + nq + FLANK;
        hit h = extend(ref + from, to - from, read, nq);
        n++;
        total += h.score;
        if (h.score >= 150) {
            fprintf(out, "%ld\t%ld\t%d\n", n, from + h.end, h.score);
            kept++;
        }
    }
    fclose(in);
    fclose(out);
    munmap((void *)ref, st.st_size);
    close(fd);
    printf("seeds %ld kept %ld score %ld\n", n, kept, total);
    return 0;
}
