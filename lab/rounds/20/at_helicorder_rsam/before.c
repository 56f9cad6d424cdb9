/* RSAM (real-time seismic amplitude measurement) of one SLIST file:
 * mean absolute amplitude per window, clipped samples, a histogram. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

struct config {
    long window;
    long clip;
    int bands;
};

struct feed {
    FILE *fp;
    long declared;
    char source[64];
    long samples;
};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static struct config read_config(const char *path)
{
    struct config c = {600, 5000, 8};
    char key[32];
    long value;
    FILE *fp = fopen(path, "r");
    if (!fp)
        return c;
    while (fscanf(fp, "%31s %ld", key, &value) == 2) {
        if (!strcmp(key, "window"))
            c.window = value;
        else if (!strcmp(key, "clip"))
            c.clip = value;
        else if (!strcmp(key, "bands"))
            c.bands = (int)value;
    }
    fclose(fp);
    if (c.bands < 1 || c.bands > 32)
        c.bands = 8;
    return c;
}

/* The feed is a named pipe of the acquisition in the observatory. */
static void feed_open(struct feed *f, const char *path)
{
    memset(f, 0, sizeof *f);
    f->fp = fopen(path, "r");
    if (!f->fp)
        die(path);
    setvbuf(f->fp, NULL, _IONBF, 0);
    char head[256];
    size_t n = 0;
    int c;
    while ((c = getc(f->fp)) != EOF && c != '\n')
        if (n < sizeof head - 1)
            head[n++] = (char)c;
    head[n] = 0;
    if (sscanf(head, "TIMESERIES %63[^,], %ld samples", f->source, &f->declared) != 2) {
        fprintf(stderr, "%s: no SLIST header\n", path);
        exit(1);
    }
}

static int feed_next(struct feed *f, long *out)
{
    int c, neg = 0;
    long v = 0;
    do
        c = getc(f->fp);
    while (c != EOF && isspace(c));
    if (c == EOF)
        return 0;
    if (c == '-') {
        neg = 1;
        c = getc(f->fp);
    }
    while (c >= '0' && c <= '9') {
        v = v * 10 + (c - '0');
        c = getc(f->fp);
    }
    *out = neg ? -v : v;
    f->samples++;
    return 1;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "station.slist";
    struct config cfg = read_config("rsam.cfg");
    struct feed feed;
    long hist[32] = {0};
    long v, in_window = 0, windows = 0, clipped = 0;
    double sum = 0, peak = 0, total = 0;

    feed_open(&feed, path);
    FILE *out = fopen("rsam.out", "w");
    if (!out)
        die("rsam.out");
    fprintf(out, "# %s window %ld\n", feed.source, cfg.window);

    while (feed_next(&feed, &v)) {
        long a = labs(v);
        if (a > cfg.clip) {
            clipped++;
            a = cfg.clip;
        }
        hist[a * (cfg.bands - 1) / cfg.clip]++;
        sum += (double)a;
        if (++in_window == cfg.window) {
            double mean = sum / (double)in_window;
            fprintf(out, "%ld %.3f\n", windows++, mean);
            if (mean > peak)
                peak = mean;
            total += mean;
            sum = 0;
            in_window = 0;
        }
    }
    fclose(feed.fp);
    fclose(out);

    printf("%s: %ld of %ld samples\n", feed.source, feed.samples, feed.declared);
    printf("windows %ld mean %.4f peak %.4f clipped %ld\n", windows,
           windows ? total / (double)windows : 0.0, peak, clipped);
    for (int b = 0; b < cfg.bands; b++)
        printf("band %d %ld\n", b, hist[b]);
    return 0;
}
