/* ws_telegram: decodes SYNOP bulletins (FM-12) from the message switch and
 * writes one line of daily values per station.
 * The lexer follows the structure of the public "decode by groups" readers:
 * a character source with one character of look-ahead, tokens, a group table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>
#include <errno.h>

#define MAXST 100000

struct source { int fd; int back; long line; long chars; size_t pos, fill; unsigned char buf[1 << 16]; };
struct station { int n; double tsum, tmin, tmax, psum; int np; long rain; };

static struct station *tab;

static int src_open(struct source *s, const char *path)
{
    s->fd = open(path, O_RDONLY);
    s->back = -2; s->line = 1; s->chars = 0; s->pos = s->fill = 0;
    return s->fd < 0 ? -1 : 0;
}

static int src_get(struct source *s)
{
    unsigned char c;
    if (s->back != -2) { int r = s->back; s->back = -2; return r; }
    while (s->pos == s->fill) {
        ssize_t k = read(s->fd, s->buf, sizeof s->buf);
        if (k > 0) { s->pos = 0; s->fill = (size_t)k; break; }
        if (k == 0) return -1;
        if (errno != EINTR) { perror("bulletin"); exit(1); }
    }
    c = s->buf[s->pos++];
    s->chars++;
    if (c == '\n') s->line++;
    return c;
}

static void src_unget(struct source *s, int c) { s->back = c; }

/* next group of printable characters; '=' ends a report and is its own token */
static int token(struct source *s, char *buf, size_t max)
{
    size_t n = 0;
    int c;
    while ((c = src_get(s)) == ' ' || c == '\n' || c == '\r') ;
    if (c < 0) return 0;
    buf[n++] = (char)c;
    if (c != '=') {
        while ((c = src_get(s)) > ' ' && c != '=' && n + 1 < max) buf[n++] = (char)c;
        if (c >= 0) src_unget(s, c);
    }
    buf[n] = 0;
    return 1;
}

static int digits(const char *p, int from, int n)
{
    int v = 0;
    while (n--) { if (p[from] < '0' || p[from] > '9') return -1; v = v * 10 + p[from++] - '0'; }
    return v;
}

static void group(struct station *st, const char *g, int *section)
{
    if (!strcmp(g, "333")) { *section = 3; return; }
    if (strlen(g) != 5) return;
    if (*section == 1 && g[0] == '1') {                 /* 1snTTT */
        double t = digits(g, 2, 3) / 10.0 * (g[1] == '1' ? -1 : 1);
        if (!st->n || t < st->tmin) st->tmin = t;
        if (!st->n || t > st->tmax) st->tmax = t;
        st->tsum += t; st->n++;
    } else if (*section == 1 && g[0] == '4') {          /* 4PPPP */
        int p = digits(g, 1, 4);
        if (p >= 0) { st->psum += (p < 5000 ? 10000 + p : p) / 10.0; st->np++; }
    } else if (*section == 3 && g[0] == '6') {          /* 6RRRt */
        int r = digits(g, 1, 3);
        if (r > 0 && r < 990) st->rain += r;
    }
}

int main(int argc, char **argv)
{
    static struct source s;
    char g[32];
    long reports = 0, bad = 0;
    int section = 0, id = -1;
    if (argc < 3) { fprintf(stderr, "usage: %s bulletins out.csv\n", argv[0]); return 2; }
    if (src_open(&s, argv[1])) { perror(argv[1]); return 1; }
    tab = calloc(MAXST, sizeof *tab);
    while (token(&s, g, sizeof g)) {
        if (!strcmp(g, "AAXX")) { section = 0; token(&s, g, sizeof g); continue; }
        if (!strcmp(g, "=")) { if (id >= 0) reports++; section = 0; id = -1; continue; }
        if (section == 0) {
            id = digits(g, 0, 5);
            if (strlen(g) != 5 || id < 0) { id = -1; bad++; continue; }
            section = 1;
        } else group(&tab[id], g, &section);
    }
    FILE *o = fopen(argv[2], "w");
    if (!o) { perror(argv[2]); return 1; }
    for (int i = 0; i < MAXST; i++)
        if (tab[i].n)
            fprintf(o, "%05d,%d,%.2f,%.1f,%.1f,%.2f,%ld\n", i, tab[i].n, tab[i].tsum / tab[i].n, tab[i].tmin,
                    tab[i].tmax, tab[i].np ? tab[i].psum / tab[i].np : 0.0, tab[i].rain);
    fclose(o);
    close(s.fd);
    printf("%ld reports, %ld rejected, %ld lines, %ld characters\n", reports, bad, s.line - 1, s.chars);
    return 0;
}
