/*
 * Induction times of crystal nucleation in levitated droplets.
 *
 * A pool of worker processes draws droplets (volume, supersaturation), finds
 * the nucleation time from classical theory with a slowly cooling bath, and
 * adds a line per droplet to the common results table of the experiment.
 *
 *   nucleation DROPLETS WORKERS
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *TABLE = "induction.tbl";

/* --- random numbers (splitmix64) ------------------------------------- */
static uint64_t rng_state;

static double uniform(void)
{
    uint64_t z = (rng_state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return ((z >> 11) + 0.5) / 9007199254740992.0;
}

/* --- classical nucleation theory -------------------------------------- */
static double nucleation_rate(double temp, double s)
{
    const double a = 3.1e25, gamma = 0.0915, vmol = 3.0e-29, kb = 1.380649e-23;
    double g = gamma / (kb * temp);
    double b = 16.755 * g * g * g * vmol * vmol;
    double ls = log(s);
    return a * s * exp(-b / (ls * ls));
}

/* integrate the hazard while the bath cools until it passes -ln(u) */
static double induction_time(double volume, double temp0, double s0, double *temp_end)
{
    double goal = -log(uniform()), sum = 0.0, t = 0.0, dt = 4.0;
    double temp = temp0, s = s0;
    while (sum < goal && t < 400.0) {
        sum += nucleation_rate(temp, s) * volume * dt;
        t += dt;
        temp = temp0 - 0.02 * t;
        s = s0 * exp(0.0006 * t);
    }
    *temp_end = temp;
    return t;
}

/* --- results table ------------------------------------------------------ */
static void table_guard(int fd, short type)
{
    struct flock lk;
    memset(&lk, 0, sizeof lk);
    lk.l_type = type;
    lk.l_whence = SEEK_SET;
    while (fcntl(fd, F_SETLKW, &lk) == -1 && errno == EINTR)
        ;
}

static void table_add(int fd, const char *text, size_t len)
{
    table_guard(fd, F_WRLCK);
    if (write(fd, text, len) != (ssize_t)len)
        perror(TABLE);
    table_guard(fd, F_UNLCK);
}

static void worker(int id, long droplets)
{
    static char block[1 << 17];
    size_t used = 0;
    int fd = open(TABLE, O_WRONLY | O_APPEND);
    if (fd < 0) { perror(TABLE); _exit(1); }
    rng_state = 77001ULL + 7919ULL * id;
    for (long n = 0; n < droplets; n++) {
        double radius = 12e-6 * (0.8 + 0.4 * uniform());
        double volume = 4.18879 * radius * radius * radius;
        double s0 = 9.5 + 1.5 * uniform();
        double temp_end;
        double t = induction_time(volume, 293.0, s0, &temp_end);
        used += (size_t)snprintf(block + used, sizeof block - used,
                                 "%d %ld %.4e %.4f %.1f %.2f\n",
                                 id, n, volume, s0, t, temp_end);
        if (used > sizeof block - 128) {
            table_add(fd, block, used);
            used = 0;
        }
    }
    table_add(fd, block, used);
    close(fd);
    _exit(0);
}

int main(int argc, char **argv)
{
    long droplets = argc > 1 ? atol(argv[1]) : 100000;
    int workers = argc > 2 ? atoi(argv[2]) : 2;
    int fd = open(TABLE, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) { perror(TABLE); return 1; }
    close(fd);

    for (int id = 0; id < workers; id++)
        if (fork() == 0)
            worker(id, droplets / workers);
    while (wait(NULL) > 0)
        ;

    /* median induction time over all droplets (bins of 4 s) */
    long hist[128] = {0}, total = 0, acc = 0;
    double vol, s, t, te;
    int id, bin = 0;
    long n;
    FILE *f = fopen(TABLE, "r");
    while (fscanf(f, "%d %ld %lf %lf %lf %lf", &id, &n, &vol, &s, &t, &te) == 6) {
        hist[(int)(t / 4.0)]++;
        total++;
    }
    fclose(f);
    while (bin < 127 && (acc += hist[bin]) < total / 2)
        bin++;
    printf("%ld droplets, median induction time %.0f s\n", total, 4.0 * bin);
    return 0;
}
