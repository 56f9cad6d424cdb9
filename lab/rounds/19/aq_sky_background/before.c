/* Sky background of FITS images: walks the 2880 byte logical records of each
 * primary HDU and computes clipped statistics of every row.  Written in the
 * way of the old record based readers. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REC 2880

typedef struct {
    FILE *f;
    unsigned char rec[REC];
    int pos;
    long nrec;
} fits_in;

static int next_record(fits_in *in)
{
    if (fread(in->rec, REC, 1, in->f) != 1) return 0;
    in->pos = 0;
    in->nrec++;
    return 1;
}

static int read_header(fits_in *in, int *nx, int *ny, int *bitpix)
{
    int done = 0;
    while (!done && next_record(in)) {
        for (int c = 0; c < REC / 80; ++c) {
            char card[81];
            memcpy(card, in->rec + 80 * c, 80);
            card[80] = 0;
            if (!strncmp(card, "END ", 4)) { done = 1; break; }
            if (!strncmp(card, "BITPIX", 6)) *bitpix = atoi(card + 10);
            else if (!strncmp(card, "NAXIS1", 6)) *nx = atoi(card + 10);
            else if (!strncmp(card, "NAXIS2", 6)) *ny = atoi(card + 10);
        }
    }
    in->pos = REC;
    return done;
}

static int read_pixels(fits_in *in, float *row, int n)
{
    for (int i = 0; i < n; ++i) {
        if (in->pos >= REC && !next_record(in)) return 0;
        const unsigned char *p = in->rec + in->pos;
        uint32_t u = (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
        memcpy(&row[i], &u, 4);
        in->pos += 4;
    }
    return 1;
}

static int cmp(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* median and scatter after 3 rounds of clipping at 3 sigma */
static void clipped(float *v, int n, double *med, double *sig)
{
    qsort(v, n, sizeof *v, cmp);
    int lo = 0, hi = n;
    for (int it = 0; it < 3; ++it) {
        double s = 0, s2 = 0;
        *med = v[(lo + hi) / 2];
        for (int i = lo; i < hi; ++i) { s += v[i]; s2 += (double)v[i] * v[i]; }
        double mean = s / (hi - lo);
        *sig = sqrt(fmax(s2 / (hi - lo) - mean * mean, 0));
        while (lo < hi - 1 && v[lo] < *med - 3 * *sig) ++lo;
        while (hi > lo + 1 && v[hi - 1] > *med + 3 * *sig) --hi;
    }
}

static int do_image(const char *path, FILE *out)
{
    fits_in in = {fopen(path, "rb"), {0}, REC, 0};
    int nx = 0, ny = 0, bitpix = 0;
    if (!in.f || !read_header(&in, &nx, &ny, &bitpix) || bitpix != -32) {
        fprintf(stderr, "%s: not usable\n", path);
        return 1;
    }
    float *row = malloc(nx * sizeof *row);
    double sum = 0, noise = 0, med, sig;
    for (int j = 0; j < ny; ++j) {
        if (!read_pixels(&in, row, nx)) { fprintf(stderr, "%s: short\n", path); return 1; }
        clipped(row, nx, &med, &sig);
        fprintf(out, "%d %.4f %.4f\n", j, med, sig);
        sum += med;
        noise += sig;
    }
    printf("%s: %d x %d, sky %.5f, noise %.5f, %ld records\n",
           path, nx, ny, sum / ny, noise / ny, in.nrec);
    free(row);
    fclose(in.f);
    return 0;
}

int main(int argc, char **argv)
{
    int bad = 0;
    FILE *out = fopen("sky_rows.txt", "w");
    for (int i = 1; i < argc; ++i) bad += do_image(argv[i], out);
    fclose(out);
    return bad;
}
