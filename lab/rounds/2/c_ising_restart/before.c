/* Ising model with a restart file: written to a new file, synced, renamed. */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>

#define L 512

static int8_t spin[L][L];
static uint64_t rng = 0x2545F4914F6CDD1Dull;

static inline double uniform(void)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (double)(rng >> 11) / 9007199254740992.0;
}

static void sweep(const double *accept)
{
    for (int n = 0; n < L * L; n++) {
        int i = (int)(uniform() * L), j = (int)(uniform() * L);
        int nb = spin[(i + 1) & (L - 1)][j] + spin[(i - 1) & (L - 1)][j] +
                 spin[i][(j + 1) & (L - 1)] + spin[i][(j - 1) & (L - 1)];
        int de = 2 * spin[i][j] * nb;
        if (de <= 0 || uniform() < accept[de])
            spin[i][j] = -spin[i][j];
    }
}

static double magnetisation(void)
{
    long m = 0;
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++)
            m += spin[i][j];
    return (double)m / (L * L);
}

static void save_state(const char *path, int done)
{
    char tmp[128];
    snprintf(tmp, sizeof tmp, "%s.new", path);
    int fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) {
        perror(tmp);
        exit(1);
    }
    if (write(fd, &done, sizeof done) != (ssize_t)sizeof done ||
        write(fd, &rng, sizeof rng) != (ssize_t)sizeof rng ||
        write(fd, spin, sizeof spin) != (ssize_t)sizeof spin || fsync(fd) != 0) {
        perror(tmp);
        exit(1);
    }
    close(fd);
    if (rename(tmp, path) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int nsweep = argc > 1 ? atoi(argv[1]) : 300;
    double accept[16] = {0}, m2 = 0.0;
    for (int de = 0; de < 16; de++)
        accept[de] = exp(-de / 2.3);
    memset(spin, 1, sizeof spin);
    for (int s = 1; s <= nsweep; s++) {
        sweep(accept);
        double m = magnetisation();
        m2 += m * m;
        if (s % ((nsweep + 1) / 2) == 0)
            save_state("ising.rst", s);
    }
    printf("%d sweeps, <m^2> = %.8f\n", nsweep, m2 / nsweep);
    return 0;
}
