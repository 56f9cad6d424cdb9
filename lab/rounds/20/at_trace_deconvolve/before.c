/* Remove a one-pole instrument response from short traces. Two passes: forward
 * filter, then the reversed trace for zero phase. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct conf {
    int samples;
    double waterlevel;
    double pole;
};

struct stage {
    int fd;
    char name[64];
    size_t bytes;
};

static struct conf load_conf(const char *path)
{
    struct conf c = {400, 0.01, 0.95};
    char line[128];
    FILE *fp = fopen(path, "r");
    if (!fp)
        return c;
    while (fgets(line, sizeof line, fp)) {
        char *eq = strchr(line, '=');
        if (!eq)
            continue;
        *eq = 0;
        if (!strcmp(line, "samples"))
            c.samples = atoi(eq + 1);
        else if (!strcmp(line, "waterlevel"))
            c.waterlevel = atof(eq + 1);
        else if (!strcmp(line, "pole"))
            c.pole = atof(eq + 1);
    }
    fclose(fp);
    return c;
}

static void stage_open(struct stage *s, const char *tag)
{
    snprintf(s->name, sizeof s->name, "work.%s.XXXXXX", tag);
    s->fd = mkstemp(s->name);
    if (s->fd < 0) {
        perror(s->name);
        exit(1);
    }
    s->bytes = 0;
}

static void stage_put(struct stage *s, const float *x, int n)
{
    size_t len = (size_t)n * sizeof *x;
    if (write(s->fd, x, len) != (ssize_t)len) {
        perror(s->name);
        exit(1);
    }
    s->bytes += len;
}

static void stage_get(struct stage *s, float *x)
{
    if (pread(s->fd, x, s->bytes, 0) != (ssize_t)s->bytes) {
        perror(s->name);
        exit(1);
    }
}

static void stage_close(struct stage *s)
{
    close(s->fd);
    unlink(s->name);
}

static void filter(float *x, int n, double pole, double water)
{
    double y = 0, gain = 1 - pole;
    for (int i = 0; i < n; i++) {
        y = pole * y + gain * x[i];
        x[i] = (float)(x[i] - (1 - water) * y);
    }
}

static void reverse(float *x, int n)
{
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        float t = x[i];
        x[i] = x[j];
        x[j] = t;
    }
}

static void demean(float *x, int n)
{
    double m = 0;
    for (int i = 0; i < n; i++)
        m += x[i];
    m /= n;
    for (int i = 0; i < n; i++)
        x[i] -= (float)m;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "traces.bin";
    struct conf c = load_conf("deconv.conf");
    FILE *in = fopen(path, "rb");
    FILE *out = fopen("deconvolved.bin", "wb");
    if (!in || !out) {
        perror(path);
        return 1;
    }
    float *x = malloc((size_t)c.samples * sizeof *x);
    long traces = 0;
    double energy = 0, peak = 0;

    while (fread(x, sizeof *x, (size_t)c.samples, in) == (size_t)c.samples) {
        struct stage fwd;
        demean(x, c.samples);
        filter(x, c.samples, c.pole, c.waterlevel);
        stage_open(&fwd, "fwd");
        stage_put(&fwd, x, c.samples);
        stage_get(&fwd, x);
        reverse(x, c.samples);
        filter(x, c.samples, c.pole, c.waterlevel);
        stage_close(&fwd);
        reverse(x, c.samples);
        for (int i = 0; i < c.samples; i++) {
            energy += (double)x[i] * x[i];
            if (fabs(x[i]) > peak)
                peak = fabs(x[i]);
        }
        fwrite(x, sizeof *x, (size_t)c.samples, out);
        traces++;
    }
    fclose(in);
    fclose(out);
    free(x);
    printf("traces %ld rms %.5f peak %.4f\n", traces,
           sqrt(energy / ((double)(traces ? traces : 1) * c.samples)), peak);
    return 0;
}
