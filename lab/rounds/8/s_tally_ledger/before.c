/* Monte Carlo photon transport; the dose tally lives in a ledger file that
 * several jobs of a campaign may fill together. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NCELL 4096

typedef struct { double dose, dose2; } Cell;
typedef struct { int fd; long posts; Cell *page; } Ledger;
typedef struct { double x, mu, energy, weight; } Photon;

static unsigned long long seed = 0x853c49e6748fea9bULL;
static double uniform(void)
{
    seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
    return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static void ledger_lock(Ledger *l, short type, int cell)
{
    struct flock fl = { 0 };
    fl.l_type = type;
    fl.l_whence = SEEK_SET;
    fl.l_start = (off_t)cell * (off_t)sizeof(Cell);
    fl.l_len = sizeof(Cell);
    if (fcntl(l->fd, F_SETLKW, &fl)) { perror("lock"); exit(1); }
}

static void ledger_open(Ledger *l, const char *path)
{
    Cell zero[NCELL] = { { 0, 0 } };
    l->fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    l->posts = 0;
    l->page = calloc(NCELL, sizeof(Cell));
    if (l->fd < 0 || pwrite(l->fd, zero, sizeof zero, 0) != sizeof zero) exit(1);
}

static void ledger_post(Ledger *l, int cell, double dose)
{
    Cell c;
    off_t at = (off_t)cell * (off_t)sizeof(Cell);
    ledger_lock(l, F_WRLCK, cell);
    if (pread(l->fd, &c, sizeof c, at) != sizeof c) exit(1);
    c.dose += dose;
    c.dose2 += dose * dose;
    if (pwrite(l->fd, &c, sizeof c, at) != sizeof c) exit(1);
    ledger_lock(l, F_UNLCK, cell);
    l->posts++;
}

static void ledger_close(Ledger *l)
{
    close(l->fd);
    free(l->page);
}

static double mu_total(double e) { return 0.02 + 0.07 / sqrt(e); }

/* Kahn-like sampling of the Compton energy fraction */
static double compton(double e, double *cosine)
{
    double a = e / 0.511, lo = 1.0 / (1.0 + 2.0 * a), f, t, g;
    do {
        f = lo + (1.0 - lo) * uniform();
        t = 1.0 - (1.0 / f - 1.0) / a;
        g = f + 1.0 / f - 1.0 + t * t;
    } while (uniform() * (lo + 1.0 / lo) > g);
    *cosine = t;
    return f;
}

static void transport(Ledger *l, double slab)
{
    Photon p = { 0.0, 1.0, 1.25, 1.0 };
    while (p.energy > 0.03) {
        p.x += -log(uniform()) / mu_total(p.energy) * p.mu;
        if (p.x < 0 || p.x >= slab) return;
        double cosine, f = compton(p.energy, &cosine);
        int cell = (int)(p.x / slab * NCELL);
        ledger_post(l, cell, p.energy * (1.0 - f));
        double s = sqrt(fmax(0, (1 - p.mu * p.mu) * (1 - cosine * cosine)));
        p.mu = p.mu * cosine + s * cos(6.283185307 * uniform());
        p.energy *= f;
    }
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 50000;
    Ledger l;
    Cell all[NCELL];
    ledger_open(&l, "dose.ldg");
    for (long k = 0; k < n; k++) transport(&l, 100.0);
    ledger_close(&l);
    int fd = open("dose.ldg", O_RDONLY);
    if (fd < 0 || read(fd, all, sizeof all) != sizeof all) return 1;
    close(fd);
    double sum = 0, depth = 0;
    for (int i = 0; i < NCELL; i++) {
        sum += all[i].dose;
        depth += all[i].dose * (i + 0.5) / NCELL;
    }
    printf("posts %ld dose %.6f mean depth %.6f\n", l.posts, sum, 100 * depth / sum);
    return 0;
}
