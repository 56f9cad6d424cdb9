/* River gauge archive: regional flood statistics from the station table and the discharge records. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NREGION 37
#define NVAL 6

struct archive_head {
    uint32_t magic;
    uint32_t nstation;
    uint64_t data_start;
};

struct station {
    uint64_t offset;
    uint32_t id;
    uint32_t region;
    double area;
};

struct region_sum {
    long n;
    double peak;
    double mean;
    double logsum;
};

static void accumulate(struct region_sum *sum, const struct station *st, const double q[NVAL])
{
    double top = q[0], mean = 0;
    for (int i = 0; i < NVAL; i++) {
        if (q[i] > top)
            top = q[i];
        mean += q[i] / NVAL;
    }
    sum->n++;
    sum->mean += mean / st->area;
    sum->logsum += log(fabs(top) + 1.0);
    if (top > sum->peak)
        sum->peak = top;
}

static int survey(FILE *fp, const struct archive_head *head, struct region_sum *sums, double scale)
{
    uint32_t n = head->nstation;
    struct station *st = malloc(n * sizeof *st);
    double (*q)[NVAL] = malloc(n * sizeof *q);
    if (!st || !q || fread(st, sizeof *st, n, fp) != n)
        return -1;
    if (fseek(fp, (long)head->data_start, SEEK_SET) || fread(q, sizeof *q, n, fp) != n)
        return -1;
    for (uint32_t k = 0; k < n; k++) {
        st[k].area *= scale;
        accumulate(&sums[st[k].region % NREGION], &st[k], q[k]);
    }
    free(st);
    free(q);
    return 0;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "gauges.dat";
    struct archive_head head;
    struct region_sum sums[NREGION] = {{0}};
    FILE *fp = fopen(path, "rb");
    if (!fp || fread(&head, sizeof head, 1, fp) != 1 || head.magic != 0x52474155) {
        fprintf(stderr, "cannot read %s\n", path);
        return 1;
    }
    if (survey(fp, &head, sums, 1.0)) {
        fprintf(stderr, "archive is damaged\n");
        return 1;
    }
    fclose(fp);
    double all = 0;
    for (int r = 0; r < NREGION; r++)
        all += sums[r].logsum / sums[r].n;
    printf("stations %u regions %d first peak %.4f index %.6f\n", head.nstation, NREGION, sums[0].peak, all / NREGION);
    return 0;
}
