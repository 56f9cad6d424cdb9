/* peak_depth: mean and summit depth of called peaks from a per-base depth track
 * (uint16 per base, one chromosome). Peaks come as pairs of int32 (start, end).
 *
 *   peak_depth depth.u16 peaks.i32 out.tsv
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct { int32_t start, end; } peak;
typedef struct { double mean; int summit; uint16_t max; } stat_t;

typedef struct {
    int fd;
    long bases;
} track;

static track track_open(const char *path)
{
    track t;
    struct stat st;
    t.fd = open(path, O_RDONLY);
    if (t.fd < 0 || fstat(t.fd, &st) < 0) {
        perror(path);
        exit(1);
    }
    t.bases = st.st_size / sizeof(uint16_t);
    return t;
}

/* statistics over start..end of the track */
static stat_t track_stat(const track *t, int32_t start, int32_t end)
{
    static long page;
    if (!page) page = sysconf(_SC_PAGESIZE);
    if (end > t->bases) end = t->bases;

    off_t first = (off_t)start * sizeof(uint16_t);
    off_t from = first / page * page;
    size_t len = (off_t)end * sizeof(uint16_t) - from;
    char *m = mmap(NULL, len, PROT_READ, MAP_SHARED, t->fd, from);
    if (m == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    const uint16_t *d = (const uint16_t *)(m + (first - from));

    stat_t s = { 0, start, 0 };
    uint64_t sum = 0;
    for (int32_t i = 0; i < end - start; i++) {
        sum += d[i];
        if (d[i] > s.max) {
            s.max = d[i];
            s.summit = start + i;
        }
    }
    s.mean = end > start ? (double)sum / (end - start) : 0;
    munmap(m, len);
    return s;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: peak_depth depth.u16 peaks.i32 out.tsv\n");
        return 2;
    }
    track t = track_open(argv[1]);
    FILE *p = fopen(argv[2], "rb"), *o = fopen(argv[3], "w");
    if (!p || !o) {
        perror("open");
        return 1;
    }

    peak pk[1024];
    size_t n, total = 0, high = 0;
    double sum = 0;
    while ((n = fread(pk, sizeof pk[0], 1024, p)) > 0) {
        for (size_t i = 0; i < n; i++) {
            stat_t s = track_stat(&t, pk[i].start, pk[i].end);
            sum += s.mean;
            if (s.max >= 50) {
                fprintf(o, "%d\t%d\t%.3f\t%d\t%d\n", pk[i].start, pk[i].end, s.mean, s.summit, s.max);
                high++;
            }
        }
        total += n;
    }
    fclose(p);
    fclose(o);
    close(t.fd);
    printf("peaks %zu high %zu mean depth %.4f\n", total, high, sum / total);
    return 0;
}
