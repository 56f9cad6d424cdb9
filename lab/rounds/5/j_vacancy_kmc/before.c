/* Lattice kinetic Monte Carlo of vacancies in a binary alloy.
 * Order parameter and clock go to a text log, the lattice to a snapshot. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define L 48
#define NSITE (L * L * L)

static int8_t spin[NSITE];
static uint64_t state = 0x9E3779B97F4A7C15ULL;

static inline uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static inline double uniform(void)
{
    return (double)(next_random() >> 11) / 9007199254740992.0;
}

static inline int neighbour(int site, int dir)
{
    int x = site % L, y = (site / L) % L, z = site / (L * L);
    switch (dir) {
    case 0: x = (x + 1) % L; break;
    case 1: x = (x + L - 1) % L; break;
    case 2: y = (y + 1) % L; break;
    case 3: y = (y + L - 1) % L; break;
    case 4: z = (z + 1) % L; break;
    default: z = (z + L - 1) % L;
    }
    return (z * L + y) * L + x;
}

static double local_energy(int site)
{
    int s = 0;
    for (int d = 0; d < 6; d++)
        s += spin[neighbour(site, d)];
    return (double)s * spin[site];
}

static double hop(int *vacancy, double beta)
{
    double rate[6], total = 0.0;
    for (int d = 0; d < 6; d++) {
        rate[d] = exp(-beta * local_energy(neighbour(*vacancy, d)));
        total += rate[d];
    }
    double pick = uniform() * total;
    int d = 0;
    while (d < 5 && (pick -= rate[d]) > 0.0)
        d++;
    int target = neighbour(*vacancy, d);
    spin[*vacancy] = spin[target];
    spin[target] = 0;
    *vacancy = target;
    return -log(1.0 - uniform()) / total;
}

static double order_parameter(void)
{
    long sum = 0;
    for (int i = 0; i < NSITE; i++) {
        int x = i % L, y = (i / L) % L, z = i / (L * L);
        sum += ((x + y + z) & 1) ? spin[i] : -spin[i];
    }
    return (double)sum / NSITE;
}

static void save_lattice(int block)
{
    char name[64];
    snprintf(name, sizeof name, "lattice_%03d.raw", block);
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || write(fd, spin, NSITE) != NSITE)
        perror(name);
    close(fd);
}

int main(int argc, char **argv)
{
    int nblock = argc > 1 ? atoi(argv[1]) : 200;
    int hops = 20000, vacancy = NSITE / 2;
    double clock = 0.0;
    for (int i = 0; i < NSITE; i++)
        spin[i] = (next_random() & 1) ? 1 : -1;
    spin[vacancy] = 0;
    FILE *log = fopen("kmc.log", "w");
    for (int b = 0; b < nblock; b++) {
        for (int h = 0; h < hops; h++)
            clock += hop(&vacancy, 0.4);
        fprintf(log, "%6d %14.6e %12.8f %8d\n", b, clock, order_parameter(), vacancy);
        fflush(log);
        if (b % 50 == 0)
            save_lattice(b);
    }
    fclose(log);
    printf("time %.5e order %.6f\n", clock, order_parameter());
    return 0;
}
