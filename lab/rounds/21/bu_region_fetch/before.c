/* region_fetch: cut BED regions out of one gzipped chromosome (bare sequence,
 * no line breaks) and report GC content and CpG count of each region.
 *
 *   region_fetch chr.txt.gz regions.bed out.fa
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MAXREG 4096

typedef struct {
    char chrom[32];
    long start, end;
    char name[64];
    double gc;
    int cpg;
} region;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static int read_bed(const char *path, region *r)
{
    FILE *f = fopen(path, "r");
    char line[512];
    int n = 0;
    if (!f) die(path);
    while (n < MAXREG && fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        if (sscanf(line, "%31s %ld %ld %63s", r[n].chrom, &r[n].start, &r[n].end, r[n].name) == 4)
            n++;
    }
    fclose(f);
    return n;
}

/* bases start..end of the chromosome */
static char *fetch(gzFile z, long start, long end)
{
    long len = end - start;
    char *s = malloc(len + 1);
    if (gzseek(z, start, SEEK_SET) != start) {
        fprintf(stderr, "cannot seek to %ld\n", start);
        exit(1);
    }
    if (gzread(z, s, len) != len) {
        fprintf(stderr, "short read at %ld\n", start);
        exit(1);
    }
    s[len] = 0;
    return s;
}

static void composition(const char *s, region *r)
{
    long gc = 0, n = 0;
    r->cpg = 0;
    for (; *s; s++, n++) {
        gc += *s == 'G' || *s == 'C';
        r->cpg += s[0] == 'C' && s[1] == 'G';
    }
    r->gc = n ? (double)gc / n : 0;
}

static void put_fasta(FILE *o, const region *r, const char *s)
{
    fprintf(o, ">%s %s:%ld-%ld\n", r->name, r->chrom, r->start, r->end);
    for (long i = 0, n = strlen(s); i < n; i += 60)
        fprintf(o, "%.60s\n", s + i);
}

int main(int argc, char **argv)
{
    static region reg[MAXREG];
    if (argc != 4) {
        fprintf(stderr, "usage: region_fetch chr.txt.gz regions.bed out.fa\n");
        return 2;
    }
    int n = read_bed(argv[2], reg);
    gzFile z = gzopen(argv[1], "rb");
    if (!z) die(argv[1]);
    gzbuffer(z, 1 << 17);
    FILE *o = fopen(argv[3], "w");
    if (!o) die(argv[3]);

    for (int i = 0; i < n; i++) {
        char *s = fetch(z, reg[i].start, reg[i].end);
        composition(s, &reg[i]);
        put_fasta(o, &reg[i], s);
        free(s);
    }
    gzclose(z);
    fclose(o);

    double mean = 0;
    long cpg = 0;
    for (int i = 0; i < n; i++) {
        mean += reg[i].gc / n;
        cpg += reg[i].cpg;
        if (i < 5)
            printf("%s\t%ld\t%.4f\t%d\n", reg[i].name, reg[i].end - reg[i].start, reg[i].gc, reg[i].cpg);
    }
    printf("regions %d mean GC %.5f CpG %ld\n", n, mean, cpg);
    return 0;
}
