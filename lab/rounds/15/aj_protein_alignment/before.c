/* swscan: local alignment (Smith-Waterman, affine gaps) of a query protein
 * against a FASTA bank; prints the best matches.
 *
 * usage: swscan bank.fasta top
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXLEN  4096
#define GAPOPEN 11
#define GAPEXT  1

typedef struct { char id[32]; int score; int len; } match_t;
typedef void (*entry_fn)(const char *id, const char *seq, int len, void *arg);

static const char QUERY[] =
    "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSL"
    "AKWKRQTLGQHDFSAGEGLYTHMKALRPDEDRLSPLHSVYVDQWDWERVMGDGERQFSTLKSTVEAIWAGIKA"
    "TEAAVSEEFGLAPFLPDQIHFVHSQELLSRYPDLDAKGRERAIAKDLGAVFLVGIGGKLSDGHRHDVRAPDYD";

/* residue classes for a coarse substitution score */
static int residue_class(int r)
{
    static const char *classes[] = { "AVILMC", "FWY", "STNQ", "DE", "KRH", "GP" };
    for (int k = 0; k < 6; k++)
        if (strchr(classes[k], r))
            return k;
    return 6;
}

static int subst[128][128];

static void fill_subst(void)
{
    for (int a = 'A'; a <= 'Z'; a++)
        for (int b = 'A'; b <= 'Z'; b++)
            subst[a][b] = a == b ? 5 : residue_class(a) == residue_class(b) ? 1 : -3;
}

static int smith_waterman(const char *q, int n, const char *s, int m)
{
    static int h[MAXLEN + 1], e[MAXLEN + 1];
    int best = 0;
    for (int j = 0; j <= m; j++)
        h[j] = e[j] = 0;
    for (int i = 0; i < n; i++) {
        int diag = 0, f = 0, left = 0;
        const int *row = subst[(int)q[i]];
        for (int j = 1; j <= m; j++) {
            int up = h[j];
            e[j] = e[j] - GAPEXT > up - GAPOPEN ? e[j] - GAPEXT : up - GAPOPEN;
            f = f - GAPEXT > left - GAPOPEN ? f - GAPEXT : left - GAPOPEN;
            int v = diag + row[(int)s[j - 1]];
            if (v < e[j]) v = e[j];
            if (v < f) v = f;
            if (v < 0) v = 0;
            if (v > best) best = v;
            diag = up;
            left = h[j] = v;
        }
    }
    return best;
}

/* calls fn for each entry of the bank */
static long read_bank(const char *name, entry_fn fn, void *arg)
{
    static char seq[MAXLEN + 1];
    char id[32] = "";
    int ch, len = 0;
    long entries = 0;
    FILE *f = fopen(name, "r");
    if (!f) { perror(name); exit(1); }
    while ((ch = getc(f)) != EOF) {
        if (ch == '>') {
            if (len) { fn(id, seq, len, arg); entries++; }
            len = 0;
            if (fscanf(f, "%31s", id) != 1) break;
            while ((ch = getc(f)) != EOF && ch != '\n')
                ;
        } else if (isalpha(ch) && len < MAXLEN) {
            seq[len++] = (char)toupper(ch);
        }
    }
    if (len) { fn(id, seq, len, arg); entries++; }
    fclose(f);
    return entries;
}

typedef struct { match_t *list; int top; } result_t;

static void align_entry(const char *id, const char *seq, int len, void *arg)
{
    result_t *r = arg;
    int score = smith_waterman(QUERY, (int)strlen(QUERY), seq, len);
    int k = r->top - 1;
    if (score <= r->list[k].score)
        return;
    for (; k > 0 && r->list[k - 1].score < score; k--)
        r->list[k] = r->list[k - 1];
    snprintf(r->list[k].id, sizeof r->list[k].id, "%s", id);
    r->list[k].score = score;
    r->list[k].len = len;
}

int main(int argc, char **argv)
{
    result_t r;
    r.top = argc > 2 ? atoi(argv[2]) : 10;
    r.list = calloc((size_t)r.top, sizeof *r.list);
    fill_subst();
    long n = read_bank(argc > 1 ? argv[1] : "bank.fasta", align_entry, &r);
    printf("%ld entries searched\n", n);
    for (int k = 0; k < r.top; k++)
        printf("%-12s score %4d length %4d\n", r.list[k].id, r.list[k].score, r.list[k].len);
    return 0;
}
