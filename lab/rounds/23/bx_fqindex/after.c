/* bx_fqindex - random access index of a FASTQ file (name, offset, length, mean quality).
 * Structure after the public "fastq index" of samtools fqidx: a character state machine with ungetc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

typedef struct { char name[64]; long seq_off, qual_off; int len; double meanq; int gc; } entry_t;
typedef struct { entry_t *e; size_t n, cap; } index_t;

static entry_t *push(index_t *ix)
{
    if (ix->n == ix->cap) {
        ix->cap = ix->cap ? ix->cap * 2 : 1024;
        ix->e = realloc(ix->e, ix->cap * sizeof *ix->e);
        if (!ix->e) { perror("realloc"); exit(1); }
    }
    memset(&ix->e[ix->n], 0, sizeof *ix->e);
    return &ix->e[ix->n++];
}

static FILE *open_reads(const char *path)
{
    FILE *fp = fopen(path, "rb");
    if (!fp) { perror(path); exit(1); }
    setvbuf(fp, NULL, _IOFBF, 1 << 16);
    return fp;
}

static int read_name(FILE *fp, char *out, size_t cap)
{
    int c; size_t n = 0; int in_name = 1;
    while ((c = fgetc(fp)) != EOF && c != '\n') {
        if (isspace(c)) in_name = 0;
        if (in_name && n + 1 < cap) out[n++] = (char)c;
    }
    out[n] = 0;
    return c == EOF ? -1 : 0;
}

static int index_fastq(FILE *fp, index_t *ix)
{
    int c; long line = 0;
    while ((c = fgetc(fp)) != EOF) {
        if (c == '\n') continue;
        if (c != '@') { fprintf(stderr, "record %ld: expected '@', got '%c'\n", line, c); return -1; }
        entry_t *e = push(ix);
        if (read_name(fp, e->name, sizeof e->name)) return -1;
        e->seq_off = ftell(fp);
        for (;;) {                                   /* sequence, possibly over several lines */
            c = fgetc(fp);
            if (c == EOF) return -1;
            if (c == '+') { ungetc(c, fp); break; }
            if (c == '\n') continue;
            e->len++;
            if (c == 'G' || c == 'C') e->gc++;
        }
        while ((c = fgetc(fp)) != EOF && c != '\n') ;
        e->qual_off = ftell(fp);
        int q = 0; long sum = 0;
        while (q < e->len && (c = fgetc(fp)) != EOF) {
            if (c == '\n') continue;
            sum += c - 33; q++;
        }
        if (q < e->len) { fprintf(stderr, "%s: truncated quality\n", e->name); return -1; }
        e->meanq = e->len ? (double)sum / e->len : 0;
        line++;
    }
    return 0;
}

static int write_index(const char *path, const index_t *ix)
{
    FILE *out = fopen(path, "w");
    if (!out) { perror(path); return -1; }
    fprintf(out, "#name\tlength\tseq_offset\tqual_offset\tmeanq\tgc\n");
    for (size_t i = 0; i < ix->n; i++) {
        const entry_t *e = &ix->e[i];
        fprintf(out, "%s\t%d\t%ld\t%ld\t%.2f\t%d\n", e->name, e->len, e->seq_off, e->qual_off, e->meanq, e->gc);
    }
    return fclose(out);
}

int main(int argc, char **argv)
{
    if (argc < 3) { fprintf(stderr, "usage: %s reads.fastq out.fqi\n", argv[0]); return 2; }
    index_t ix = {0};
    FILE *fp = open_reads(argv[1]);
    if (index_fastq(fp, &ix)) { fprintf(stderr, "%s: malformed\n", argv[1]); return 1; }
    fclose(fp);
    double q = 0; long bases = 0;
    for (size_t i = 0; i < ix.n; i++) { q += ix.e[i].meanq; bases += ix.e[i].len; }
    if (write_index(argv[2], &ix)) return 1;
    printf("%zu records, %ld bases, mean quality %.3f\n", ix.n, bases, ix.n ? q / ix.n : 0);
    free(ix.e);
    return 0;
}
