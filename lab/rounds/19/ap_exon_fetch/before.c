/* exonfetch - pull exon sequences out of an indexed FASTA file, as a small
 * stand-in for "faidx -r": GC content, splice-site check and codon counts. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char name[32]; long len, offset; int linebases, linewidth; } FaiEntry;
typedef struct { FaiEntry e[64]; int n; FILE *fp; } Fasta;

static void die(const char *what, const char *arg)
{
    fprintf(stderr, "exonfetch: %s: %s\n", what, arg);
    exit(1);
}

static void fasta_open(Fasta *f, const char *path)
{
    char fai[512];
    snprintf(fai, sizeof fai, "%s.fai", path);
    FILE *ix = fopen(fai, "r");
    if (!ix) die("no index", fai);
    f->n = 0;
    while (f->n < 64) {
        FaiEntry *e = &f->e[f->n];
        if (fscanf(ix, "%31s %ld %ld %d %d", e->name, &e->len, &e->offset, &e->linebases, &e->linewidth) != 5) break;
        f->n++;
    }
    fclose(ix);
    f->fp = fopen(path, "rb");
    if (!f->fp) die("cannot open", path);
}

static const FaiEntry *fasta_find(const Fasta *f, const char *name)
{
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->e[i].name, name)) return &f->e[i];
    return NULL;
}

static long fasta_size(Fasta *f)
{
    fseek(f->fp, 0, SEEK_END);
    return ftell(f->fp);
}

/* the part of one sequence line that lies within [beg,end) */
static int line_piece(Fasta *f, const FaiEntry *e, long beg, long end, char *out)
{
    long pos = e->offset + beg / e->linebases * e->linewidth + beg % e->linebases;
    int want = e->linebases - beg % e->linebases;
    if (want > end - beg) want = (int)(end - beg);
    if (pos + want > fasta_size(f)) die("truncated file, index out of date for", e->name);
    if (fseek(f->fp, pos, SEEK_SET)) die("seek", e->name);
    if (fread(out, 1, want, f->fp) != (size_t)want) die("read", e->name);
    return want;
}

static int fasta_fetch(Fasta *f, const FaiEntry *e, long beg, long end, char *out)
{
    int n = 0;
    if (end > e->len) end = e->len;
    while (beg < end) {
        int k = line_piece(f, e, beg, end, out + n);
        n += k;
        beg += k;
    }
    out[n] = 0;
    return n;
}

static void revcomp(char *s, int n)
{
    static const char *from = "ACGT", *to = "TGCA";
    for (int i = 0, j = n - 1; i <= j; i++, j--) {
        char a = to[strchr(from, s[i]) - from], b = to[strchr(from, s[j]) - from];
        s[i] = b;
        s[j] = a;
    }
}

static double gc(const char *s, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) k += s[i] == 'G' || s[i] == 'C';
    return n ? (double)k / n : 0;
}

static void codons(const char *s, int n, long *table)
{
    static const char *b = "TCAG";
    for (int i = 0; i + 2 < n; i += 3) {
        int c = 0;
        for (int k = 0; k < 3; k++) c = c * 4 + (int)(strchr(b, s[i + k]) - b);
        table[c]++;
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) die("usage", "exonfetch genome.fa exons.bed out.tsv");
    Fasta fa;
    fasta_open(&fa, argv[1]);
    FILE *bed = fopen(argv[2], "r"), *out = fopen(argv[3], "w");
    if (!bed || !out) die("cannot open", argv[2]);
    char chrom[32], name[64], strand, *seq = malloc(1 << 16);
    long beg, end, n = 0, bases = 0, gtag = 0, table[64] = {0};
    double sum = 0;
    while (fscanf(bed, "%31s %ld %ld %63s %c", chrom, &beg, &end, name, &strand) == 5) {
        const FaiEntry *e = fasta_find(&fa, chrom);
        if (!e) continue;
        int len = fasta_fetch(&fa, e, beg, end, seq);
        if (strand == '-') revcomp(seq, len);
        codons(seq, len, table);
        double g = gc(seq, len);
        gtag += len > 3 && seq[0] == 'G' && seq[1] == 'T' && seq[len - 2] == 'A' && seq[len - 1] == 'G';
        fprintf(out, "%s\t%d\t%.3f\n", name, len, g);
        sum += g;
        bases += len;
        n++;
    }
    long top = 0;
    for (int i = 1; i < 64; i++)
        if (table[i] > table[top]) top = i;
    fclose(bed);
    fclose(out);
    fclose(fa.fp);
    printf("exons %ld bases %ld gc %.6f gtag %ld top codon %ld (%ld)\n", n, bases, sum / n, gtag, top, table[top]);
    free(seq);
    return 0;
}
