/* otu_seqs: representative sequences of the OTUs of a run.
 * Takes the accession list of the classifier (accession, reads), looks each one
 * up in the reference database (SQLite: seq, lineage, acc, len) and writes FASTA
 * plus a table of reads per family.
 *
 *   otu_seqs silva.db hits.txt out.fa
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sqlite3.h>

#define MAXFAM 64

static struct { char name[64]; long reads; int otus; } fam[MAXFAM];
static int nfam;

static void check(sqlite3 *db, int rc, const char *what)
{
    if (rc != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(db));
        exit(1);
    }
}

/* second level of "Bacteria;Family;genus" */
static void add_family(const char *lineage, long reads)
{
    char name[64] = "unknown";
    const char *a = strchr(lineage, ';');
    if (a) {
        size_t n = strcspn(a + 1, ";");
        if (n >= sizeof name) n = sizeof name - 1;
        memcpy(name, a + 1, n);
        name[n] = 0;
    }
    int i;
    for (i = 0; i < nfam && strcmp(fam[i].name, name); i++) ;
    if (i == nfam && nfam < MAXFAM) {
        strcpy(fam[i].name, name);
        nfam++;
    }
    fam[i].reads += reads;
    fam[i].otus++;
}

static int by_reads(const void *a, const void *b)
{
    long x = *(const long *)((const char *)a + 64), y = *(const long *)((const char *)b + 64);
    return x < y ? 1 : x > y ? -1 : 0;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: otu_seqs silva.db hits.txt out.fa\n");
        return 2;
    }
    sqlite3 *db;
    sqlite3_stmt *q;
    check(db, sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE, NULL), argv[1]);
    check(db, sqlite3_exec(db, "CREATE INDEX IF NOT EXISTS ref_acc ON ref (acc)", NULL, NULL, NULL), "index");
    check(db, sqlite3_prepare_v2(db, "SELECT lineage, seq, len FROM ref WHERE acc = ?1",
                                 -1, &q, NULL), "prepare");

    FILE *in = fopen(argv[2], "r"), *out = fopen(argv[3], "w");
    if (!in || !out) {
        perror("open");
        return 1;
    }
    char line[256], acc[64];
    long reads, found = 0, missing = 0, bases = 0;
    while (fgets(line, sizeof line, in)) {
        if (sscanf(line, "%63s %ld", acc, &reads) != 2) continue;
        sqlite3_bind_text(q, 1, acc, -1, SQLITE_TRANSIENT);
        int hit = 0;
        while (sqlite3_step(q) == SQLITE_ROW) {
            const char *lineage = (const char *)sqlite3_column_text(q, 0);
            fprintf(out, ">%s;size=%ld %s\n%s\n", acc, reads, lineage,
                    (const char *)sqlite3_column_text(q, 1));
            bases += sqlite3_column_int(q, 2);
            add_family(lineage, reads);
            hit = 1;
        }
        if (hit) found++; else missing++;
        sqlite3_reset(q);
    }
    fclose(in);
    fclose(out);
    sqlite3_finalize(q);
    sqlite3_close(db);

    qsort(fam, nfam, sizeof fam[0], by_reads);
    printf("found %ld missing %ld bases %ld\n", found, missing, bases);
    for (int i = 0; i < nfam; i++)
        printf("%-18s %3d OTUs %7ld reads\n", fam[i].name, fam[i].otus, fam[i].reads);
    return 0;
}
