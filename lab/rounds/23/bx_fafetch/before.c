/* bx_fafetch - sequences of BED peaks out of an indexed FASTA (as in samtools faidx: name, length, offset,
 * bases per line, bytes per line), plus GC and CpG observed/expected per peak. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IOBUF (1 << 19)

typedef struct { char name[32]; long len, off; int lb, lw; } fai_t;

static fai_t *load_fai(const char *fa, int *n)
{
    char path[512], line[512];
    snprintf(path, sizeof path, "%s.fai", fa);
    FILE *fp = fopen(path, "r");
    if (!fp) { perror(path); exit(1); }
    fai_t *t = NULL; *n = 0;
    while (fgets(line, sizeof line, fp)) {
        t = realloc(t, (*n + 1) * sizeof *t);
        fai_t *e = &t[*n];
        if (sscanf(line, "%31s %ld %ld %d %d", e->name, &e->len, &e->off, &e->lb, &e->lw) != 5) {
            fprintf(stderr, "%s: bad line %d\n", path, *n + 1); exit(1);
        }
        (*n)++;
    }
    fclose(fp);
    return t;
}

static const fai_t *find(const fai_t *t, int n, const char *name)
{
    for (int i = 0; i < n; i++) if (!strcmp(t[i].name, name)) return &t[i];
    return NULL;
}

static FILE *open_genome(const char *path, char **buf)
{
    FILE *fp = fopen(path, "rb");
    if (!fp) { perror(path); exit(1); }
    *buf = malloc(IOBUF);
    setvbuf(fp, *buf, _IOFBF, IOBUF);          /* big buffer: the genome is large */
    return fp;
}

/* bases [beg,end) of a contig into s; newlines are dropped */
static int fetch(FILE *fp, const fai_t *e, long beg, long end, char *s)
{
    if (end > e->len) end = e->len;
    long at = e->off + beg / e->lb * e->lw + beg % e->lb;
    if (fseek(fp, at, SEEK_SET)) return -1;
    long n = end - beg, got = 0; int c;
    while (got < n && (c = getc(fp)) != EOF)
        if (c > ' ') s[got++] = (char)c;
    s[got] = 0;
    return got == n ? (int)n : -1;
}

static void composition(const char *s, int n, double *gc, double *oe)
{
    int c = 0, g = 0, cpg = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] == 'C') { c++; if (s[i + 1] == 'G') cpg++; }
        if (s[i] == 'G') g++;
    }
    *gc = n ? (double)(c + g) / n : 0;
    *oe = c && g ? (double)cpg * n / ((double)c * g) : 0;
}

int main(int argc, char **argv)
{
    if (argc < 4) { fprintf(stderr, "usage: %s genome.fa peaks.bed out.fa\n", argv[0]); return 2; }
    int nf; fai_t *fai = load_fai(argv[1], &nf);
    char *iobuf; FILE *fa = open_genome(argv[1], &iobuf);
    FILE *bed = fopen(argv[2], "r"), *out = fopen(argv[3], "w");
    if (!bed || !out) { perror("open"); return 1; }
    char line[512], chr[32], id[64], *seq = malloc(1 << 20);
    long beg, end, n = 0; double sgc = 0, soe = 0;
    while (fgets(line, sizeof line, bed)) {
        if (line[0] == '#') continue;
        if (sscanf(line, "%31s %ld %ld %63s", chr, &beg, &end, id) != 4) { fprintf(stderr, "bad BED: %s", line); return 1; }
        const fai_t *e = find(fai, nf, chr);
        if (!e) { fprintf(stderr, "unknown contig %s\n", chr); continue; }
        int len = fetch(fa, e, beg, end, seq);
        if (len < 0) { fprintf(stderr, "%s: short read\n", id); return 1; }
        double gc, oe; composition(seq, len, &gc, &oe);
        fprintf(out, ">%s %s:%ld-%ld gc=%.3f cpg=%.3f\n", id, chr, beg + 1, end, gc, oe);
        for (int i = 0; i < len; i += 60) fprintf(out, "%.60s\n", seq + i);
        sgc += gc; soe += oe; n++;
    }
    fclose(fa); fclose(bed);
    if (fclose(out)) { perror(argv[3]); return 1; }
    printf("%ld peaks, mean gc %.4f, mean CpG o/e %.4f\n", n, n ? sgc / n : 0, n ? soe / n : 0);
    return 0;
}
