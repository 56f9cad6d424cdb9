/* bx_bedsort - external sort of fragments by natural chromosome order, then start, end, barcode (chr2 before chr10),
 * runs on disk and a merge as in GNU sort; prints the union of the intervals per chromosome. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

#define RUN 300000
#define MAXRUN 64

typedef struct { uint32_t beg, end; char chr[6], bc[10]; } frag_t;

static int natural(const char *a, const char *b) { return strverscmp(a, b); }

static int cmp(const void *x, const void *y)
{
    const frag_t *a = x, *b = y;
    int c = natural(a->chr, b->chr);
    if (c) return c;
    if (a->beg != b->beg) return a->beg < b->beg ? -1 : 1;
    if (a->end != b->end) return a->end < b->end ? -1 : 1;
    return strcmp(a->bc, b->bc);
}

static int parse(char *s, frag_t *f)
{
    char *p = strchr(s, '\t');
    if (!p || p - s >= (long)sizeof f->chr) return -1;
    memset(f, 0, sizeof *f);
    memcpy(f->chr, s, p - s);
    f->beg = strtoul(p + 1, &p, 10);
    f->end = strtoul(p + 1, &p, 10);
    if (*p == '\t') { size_t n = strcspn(++p, "\t\n"); memcpy(f->bc, p, n < 9 ? n : 9); }
    return f->end > f->beg ? 0 : -1;
}

static FILE *spill(frag_t *v, size_t n)
{
    FILE *fp = tmpfile();
    if (!fp) { perror("tmpfile"); exit(1); }
    qsort(v, n, sizeof *v, cmp);
    setvbuf(fp, NULL, _IOFBF, 1 << 18);
    if (fwrite(v, sizeof *v, n, fp) != n) { perror("spill"); exit(1); }
    rewind(fp);
    return fp;
}

typedef struct { FILE *fp; frag_t head; int live; } run_t;

static void sift(run_t **h, int n, int i)
{
    for (;;) {
        int m = i, l = 2 * i + 1, r = l + 1;
        if (l < n && cmp(&h[l]->head, &h[m]->head) < 0) m = l;
        if (r < n && cmp(&h[r]->head, &h[m]->head) < 0) m = r;
        if (m == i) return;
        run_t *t = h[i]; h[i] = h[m]; h[m] = t; i = m;
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) { fprintf(stderr, "usage: %s in.bed out.union\n", argv[0]); return 2; }
    FILE *in = fopen(argv[1], "r");
    if (!in) { perror(argv[1]); return 1; }
    run_t runs[MAXRUN]; int nr = 0; size_t n = 0; long bad = 0, total = 0;
    frag_t *v = malloc(RUN * sizeof *v);
    char *line = NULL; size_t cap = 0;
    while (getline(&line, &cap, in) > 0) {
        if (parse(line, &v[n])) { bad++; continue; }
        total++;
        if (++n == RUN && nr < MAXRUN) { runs[nr++].fp = spill(v, n); n = 0; }
    }
    if (n) runs[nr++].fp = spill(v, n);
    fclose(in); free(v);
    run_t *heap[MAXRUN]; int live = 0;
    for (int i = 0; i < nr; i++)
        if (fread(&runs[i].head, sizeof(frag_t), 1, runs[i].fp) == 1) heap[live++] = &runs[i];
    for (int i = live / 2; i >= 0; i--) sift(heap, live, i);
    FILE *out = fopen(argv[2], "w");
    char chr[12] = ""; uint32_t end = 0; uint64_t covered = 0;
    while (live) {
        frag_t *f = &heap[0]->head;
        if (strcmp(chr, f->chr)) {
            if (*chr) fprintf(out, "%s\t%llu\n", chr, (unsigned long long)covered);
            strcpy(chr, f->chr); end = 0; covered = 0;
        }
        if (f->end > end) { covered += f->end - (f->beg > end ? f->beg : end); end = f->end; }
        if (fread(f, sizeof *f, 1, heap[0]->fp) != 1) { fclose(heap[0]->fp); heap[0] = heap[--live]; }
        sift(heap, live, 0);
    }
    fprintf(out, "%s\t%llu\n", chr, (unsigned long long)covered);
    fclose(out);
    printf("%ld fragments in %d runs, %ld bad\n", total, nr, bad);
    return 0;
}
