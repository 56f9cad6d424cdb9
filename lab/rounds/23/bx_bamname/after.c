/* bx_bamname - alignments of the wanted read names from a block-compressed (BGZF) SAM with a name index.
 * The virtual offsets (block address << 16 | offset in block) are those of htslib's bgzf.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <zlib.h>

typedef struct { uint64_t id, voff; } qni_t;
#define SLOTS 512                     /* decoded blocks kept, direct mapped; 32 MB */
typedef struct { int64_t addr; int len; uint8_t *data; } slot_t;
static slot_t cache[SLOTS];
typedef struct { FILE *fp; uint8_t in[65536], *data; int len; int64_t addr; } bgzf_t;

static qni_t *load_index(const char *path, size_t *n)
{
    FILE *fp = fopen(path, "rb");
    if (!fp) { perror(path); exit(1); }
    fseek(fp, 0, SEEK_END); *n = ftell(fp) / sizeof(qni_t); rewind(fp);
    qni_t *t = malloc(*n * sizeof *t);
    if (fread(t, sizeof *t, *n, fp) != *n) { fprintf(stderr, "%s: truncated\n", path); exit(1); }
    fclose(fp);
    return t;
}

static int load_block(bgzf_t *b, int64_t addr)
{
    uint8_t h[18];
    slot_t *s = &cache[(uint64_t)addr * 0x9E3779B97F4A7C15ull >> 55];
    if (!s->data && !(s->data = malloc(65536))) return -5;
    b->data = s->data;
    if (s->len && s->addr == addr) { b->len = s->len; return 0; }
    s->len = 0;
    if (fseek(b->fp, addr, SEEK_SET) || fread(h, 1, 18, b->fp) != 18) return -1;
    if (h[0] != 0x1f || h[1] != 0x8b || h[12] != 'B' || h[13] != 'C') return -2;
    int body = (h[16] | h[17] << 8) + 1 - 18;
    if (fread(b->in, 1, body, b->fp) != (size_t)body) return -1;
    z_stream z; memset(&z, 0, sizeof z);
    z.next_in = b->in; z.avail_in = body - 8;
    z.next_out = b->data; z.avail_out = 65536;
    if (inflateInit2(&z, -15) != Z_OK) return -3;
    int rc = inflate(&z, Z_FINISH);
    b->len = (int)z.total_out; inflateEnd(&z);
    if (rc != Z_STREAM_END) return -3;
    uint32_t want; memcpy(&want, b->in + body - 8, 4);
    if (crc32(crc32(0, NULL, 0), b->data, b->len) != want) return -4;
    b->addr = s->addr = addr; s->len = b->len;
    return 0;
}

static int record_at(bgzf_t *b, uint64_t voff, char *line, int cap)
{
    int rc = load_block(b, (int64_t)(voff >> 16));
    if (rc) return rc;
    int at = voff & 0xffff, n = 0;
    while (at + n < b->len && b->data[at + n] != '\n' && n + 1 < cap) { line[n] = b->data[at + n]; n++; }
    line[n] = 0;
    return n;
}

static int cmp_id(const void *k, const void *e)
{
    uint64_t a = *(const uint64_t *)k, b = ((const qni_t *)e)->id;
    return a < b ? -1 : a > b;
}

int main(int argc, char **argv)
{
    if (argc < 5) { fprintf(stderr, "usage: %s in.sam.bgz in.qni names.txt out.sam\n", argv[0]); return 2; }
    size_t n; qni_t *ix = load_index(argv[2], &n);
    bgzf_t *b = calloc(1, sizeof *b); b->addr = -1;
    if (!(b->fp = fopen(argv[1], "rb"))) { perror(argv[1]); return 1; }
    FILE *names = fopen(argv[3], "r"), *out = fopen(argv[4], "w");
    if (!names || !out) { perror("open"); return 1; }
    char name[128], line[4096]; long found = 0, missing = 0, mapq = 0, rev = 0;
    while (fgets(name, sizeof name, names)) {
        uint64_t id = strtoull(name + 4, NULL, 10);
        qni_t *e = bsearch(&id, ix, n, sizeof *ix, cmp_id);
        if (!e) { missing++; continue; }
        int len = record_at(b, e->voff, line, sizeof line);
        if (len < 0) { fprintf(stderr, "%s: block error %d\n", argv[1], len); return 1; }
        int flag, q; long pos;
        if (sscanf(line, "%*s %d %*s %ld %d", &flag, &pos, &q) != 3) return 1;
        mapq += q; rev += flag >> 4 & 1; found++;
        fputs(line, out); fputc('\n', out);
    }
    fclose(names); fclose(b->fp);
    if (fclose(out)) { perror(argv[4]); return 1; }
    printf("%ld found, %ld missing, %ld reverse, mean mapq %.3f\n", found, missing, rev, found ? (double)mapq / found : 0);
    return 0;
}
