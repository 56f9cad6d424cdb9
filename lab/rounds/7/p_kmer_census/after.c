/* k-mer census of an assembly: counts canonical k-mers and the GC content
 * of every contig in a FASTA file. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K 8
#define NKMER (1u << (2 * K))

struct contig_stat {
    char name[64];
    long length;
    long gc;
};

struct census {
    unsigned *count;
    struct contig_stat *contig;
    int ncontig;
    int room;
};

static int base_code(int c)
{
    switch (toupper(c)) {
    case 'A': return 0;
    case 'C': return 1;
    case 'G': return 2;
    case 'T': return 3;
    default: return -1;
    }
}

static unsigned canonical(unsigned fwd, unsigned rev)
{
    return fwd < rev ? fwd : rev;
}

static void begin_contig(struct census *cs, FILE *fp)
{
    if (cs->ncontig == cs->room) {
        cs->room = cs->room ? 2 * cs->room : 16;
        cs->contig = realloc(cs->contig, cs->room * sizeof *cs->contig);
    }
    struct contig_stat *ct = &cs->contig[cs->ncontig++];
    memset(ct, 0, sizeof *ct);
    int c, n = 0, in_name = 1;
    while ((c = fgetc(fp)) != EOF && c != '\n') {
        if (isspace(c))
            in_name = 0;
        if (in_name && n < (int)sizeof ct->name - 1)
            ct->name[n++] = (char)c;
    }
}

static void run_census(FILE *fp, struct census *cs)
{
    unsigned fwd = 0, rev = 0;
    int filled = 0, c;
    while ((c = fgetc(fp)) != EOF) {
        if (c == '>') {
            begin_contig(cs, fp);
            filled = 0;
            continue;
        }
        if (isspace(c) || cs->ncontig == 0)
            continue;
        struct contig_stat *ct = &cs->contig[cs->ncontig - 1];
        int code = base_code(c);
        if (code < 0) {
            filled = 0;
            continue;
        }
        ct->length++;
        ct->gc += (code == 1 || code == 2);
        fwd = ((fwd << 2) | code) & (NKMER - 1);
        rev = (rev >> 2) | ((unsigned)(3 - code) << (2 * (K - 1)));
        if (++filled >= K)
            cs->count[canonical(fwd, rev)]++;
    }
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "contigs.fa";
    FILE *fp = fopen(path, "r");
    if (!fp) {
        perror(path);
        return 1;
    }
    setvbuf(fp, NULL, _IOFBF, 1 << 18);

    struct census cs = {0};
    cs.count = calloc(NKMER, sizeof *cs.count);
    run_census(fp, &cs);
    fclose(fp);

    unsigned distinct = 0, top = 0;
    for (unsigned i = 0; i < NKMER; i++) {
        distinct += cs.count[i] > 0;
        if (cs.count[i] > cs.count[top])
            top = i;
    }
    for (int i = 0; i < cs.ncontig; i++)
        printf("%-16s %9ld  GC %.4f\n", cs.contig[i].name, cs.contig[i].length,
               (double)cs.contig[i].gc / cs.contig[i].length);
    printf("distinct %d-mers: %u, most frequent code %u (%u times)\n", K,
           distinct, top, cs.count[top]);
    free(cs.count);
    free(cs.contig);
    return 0;
}
