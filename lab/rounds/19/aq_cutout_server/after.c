/* Cut postage stamps of catalogue sources out of a mosaic and write a table
 * of aperture fluxes.  The mosaic is raw float32, NX x NY, with a small
 * text header (first 4096 bytes). */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define HDR 4096
#define HALF 24
#define SIDE (2 * HALF)

typedef struct { int nx, ny; double gain; } mosaic_info;
typedef struct { double x, y; int id; } source;

static int read_header(const char *path, mosaic_info *m)
{
    char buf[HDR + 1];
    FILE *f = fopen(path, "rb");
    if (!f) return -1;
    size_t n = fread(buf, 1, HDR, f);
    buf[n] = 0;
    fclose(f);
    return sscanf(buf, "MOSAIC %d %d %lf", &m->nx, &m->ny, &m->gain) == 3 ? 0 : -1;
}

static source *read_catalogue(const char *path, int *n)
{
    FILE *f = fopen(path, "r");
    if (!f) { perror(path); exit(1); }
    int cap = 1024;
    source *s = malloc(cap * sizeof *s);
    char line[160];
    *n = 0;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        if (*n == cap) s = realloc(s, (cap *= 2) * sizeof *s);
        if (sscanf(line, "%d %lf %lf", &s[*n].id, &s[*n].x, &s[*n].y) == 3) ++*n;
    }
    fclose(f);
    return s;
}

/* copy the stamp centred on (x, y); returns 0 when it leaves the mosaic */
static int cutout(const char *path, const mosaic_info *m, double x, double y, float *stamp)
{
    int x0 = (int)floor(x) - HALF, y0 = (int)floor(y) - HALF;
    if (x0 < 0 || y0 < 0 || x0 + SIDE > m->nx || y0 + SIDE > m->ny) return 0;
    static char *base;
    if (!base) {
        int fd = open(path, O_RDONLY);
        if (fd < 0) { perror(path); exit(1); }
        size_t len = HDR + (size_t)m->nx * m->ny * sizeof(float);
        base = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
        if (base == MAP_FAILED) { perror("mmap"); exit(1); }
        close(fd);
    }
    const float *pix = (const float *)(base + HDR);
    for (int j = 0; j < SIDE; ++j)
        memcpy(stamp + j * SIDE, pix + (size_t)(y0 + j) * m->nx + x0, SIDE * sizeof(float));
    return 1;
}

static double aperture(const float *s, double radius, double *bg)
{
    double in = 0, out = 0;
    int nin = 0, nout = 0;
    for (int j = 0; j < SIDE; ++j)
        for (int i = 0; i < SIDE; ++i) {
            double dx = i - HALF, dy = j - HALF, d2 = dx * dx + dy * dy;
            if (d2 <= radius * radius) { in += s[j * SIDE + i]; ++nin; }
            else if (d2 > 400) { out += s[j * SIDE + i]; ++nout; }
        }
    *bg = out / nout;
    return in - nin * *bg;
}

int main(int argc, char **argv)
{
    if (argc < 3) { fprintf(stderr, "usage: %s mosaic catalogue\n", argv[0]); return 2; }
    mosaic_info m;
    if (read_header(argv[1], &m)) { fprintf(stderr, "bad mosaic\n"); return 1; }
    int n, used = 0;
    source *cat = read_catalogue(argv[2], &n);
    float *stamp = malloc(SIDE * SIDE * sizeof *stamp);
    FILE *out = fopen("fluxes.tab", "w");
    double sum = 0, sumbg = 0;
    for (int i = 0; i < n; ++i) {
        if (!cutout(argv[1], &m, cat[i].x, cat[i].y, stamp)) continue;
        double bg, flux = aperture(stamp, 8.0, &bg) * m.gain;
        fprintf(out, "%d %.3f %.4f\n", cat[i].id, flux, bg);
        sum += flux;
        sumbg += bg;
        ++used;
    }
    fclose(out);
    printf("%d of %d sources, mean flux %.6f, mean background %.6f\n",
           used, n, sum / used, sumbg / used);
    return 0;
}
