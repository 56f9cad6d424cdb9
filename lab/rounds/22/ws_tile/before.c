/* ws_tile: answers a list of map requests from a tile cache file. The cache has
 * a header block, an index of 4-byte slots and tiles of 64x64 palette bytes.
 * Each request is a viewport of up to 3x3 tiles; a histogram and a thumbnail
 * line are produced per request. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <fcntl.h>
#include <unistd.h>

#define TILE 4096

struct cache { int fd; uint32_t nx, ny; uint32_t *slot; unsigned char *buf; long reads; };

static int cache_open(struct cache *c, const char *path)
{
    uint32_t *h;
    c->fd = open(path, O_RDONLY | O_DIRECT);
    if (c->fd < 0) return -1;
    if (posix_memalign((void **)&c->buf, TILE, TILE)) return -1;
    if (pread(c->fd, c->buf, TILE, 0) != TILE) return -1;
    h = (uint32_t *)c->buf;
    if (h[0] != 0x454c4954) { fprintf(stderr, "%s: not a tile cache\n", path); return -1; }
    c->nx = h[1]; c->ny = h[2];
    size_t len = ((size_t)c->nx * c->ny * 4 + TILE - 1) / TILE * TILE;
    if (posix_memalign((void **)&c->slot, TILE, len)) return -1;
    if (pread(c->fd, c->slot, len, TILE) != (ssize_t)len) return -1;
    c->reads = 2;
    return 0;
}

static const unsigned char *cache_tile(struct cache *c, uint32_t x, uint32_t y)
{
    if (x >= c->nx || y >= c->ny) return NULL;
    uint32_t s = c->slot[y * c->nx + x];
    if (pread(c->fd, c->buf, TILE, (off_t)s * TILE) != TILE) { perror("tile"); exit(1); }
    c->reads++;
    return c->buf;
}

static void add_hist(const unsigned char *t, long *hist, unsigned char *thumb)
{
    for (int i = 0; i < TILE; i++) hist[t[i] >> 4]++;
    for (int i = 0; i < 8; i++) thumb[i] ^= t[i * 520];
}

static int render(struct cache *c, uint32_t x0, uint32_t y0, int w, int h, FILE *out, long id)
{
    long hist[16] = { 0 };
    unsigned char thumb[8] = { 0 };
    int n = 0;
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++) {
            const unsigned char *t = cache_tile(c, x0 + i, y0 + j);
            if (!t) continue;
            add_hist(t, hist, thumb);
            n++;
        }
    fprintf(out, "%ld %d", id, n);
    for (int k = 0; k < 16; k++) fprintf(out, " %ld", hist[k]);
    fputc(' ', out);
    for (int k = 0; k < 8; k++) fprintf(out, "%02x", thumb[k]);
    fputc('\n', out);
    return n;
}

int main(int argc, char **argv)
{
    struct cache c;
    char line[128];
    long id = 0, tiles = 0;
    if (argc < 4) { fprintf(stderr, "usage: %s cache requests out\n", argv[0]); return 2; }
    if (cache_open(&c, argv[1])) { perror(argv[1]); return 1; }
    FILE *rq = fopen(argv[2], "r"), *out = fopen(argv[3], "w");
    if (!rq || !out) { perror("requests/out"); return 1; }
    while (fgets(line, sizeof line, rq)) {
        unsigned x, y;
        int w, h;
        if (line[0] == '#') continue;
        if (sscanf(line, "GET %u/%u %dx%d", &x, &y, &w, &h) != 4 || w > 3 || h > 3) {
            fprintf(stderr, "bad request: %s", line);
            continue;
        }
        tiles += render(&c, x, y, w, h, out, id++);
    }
    if (fclose(out)) { perror(argv[3]); return 1; }
    fclose(rq);
    close(c.fd);
    printf("%ld requests, %ld tiles, %ld reads\n", id, tiles, c.reads);
    return 0;
}
