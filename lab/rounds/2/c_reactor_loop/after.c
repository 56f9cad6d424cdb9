/* Point-kinetics model of a research reactor with a rod controller.
 * The controller state goes to a journal for the later review. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>

#define NGROUP 6

static const double beta[NGROUP] = {2.1e-4, 1.4e-3, 1.3e-3, 2.6e-3, 7.5e-4, 2.7e-4};
static const double lambda[NGROUP] = {0.0124, 0.0305, 0.111, 0.301, 1.14, 3.01};

struct plant {
    double power;
    double precursor[NGROUP];
    double fuel_temp;
    double rod;
};

static void advance(struct plant *p, double rho, double dt)
{
    const double life = 2.0e-5;
    double total = 0.0, src = 0.0;
    for (int g = 0; g < NGROUP; g++) {
        total += beta[g];
        src += lambda[g] * p->precursor[g];
    }
    double a = (rho - total) / life;
    p->power = (p->power + dt * src) / (1.0 - dt * a);
    for (int g = 0; g < NGROUP; g++)
        p->precursor[g] = (p->precursor[g] + dt * beta[g] / life * p->power)
                          / (1.0 + dt * lambda[g]);
    p->fuel_temp += dt * (12.0 * p->power - 0.08 * (p->fuel_temp - 300.0));
}

static int open_journal(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) {
        perror(name);
        exit(1);
    }
    return fd;
}

static void journal(int fd, int cycle, const struct plant *p, double rho)
{
    struct {
        int cycle;
        int pad;
        double rho;
        struct plant p;
    } rec;
    memset(&rec, 0, sizeof rec);
    rec.cycle = cycle;
    rec.rho = rho;
    rec.p = *p;
    if (write(fd, &rec, sizeof rec) != (ssize_t)sizeof rec) {
        perror("journal");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int ncycle = argc > 1 ? atoi(argv[1]) : 300;
    const double dt = 1.0e-4, wanted = 1.2;
    struct plant p = {.power = 1.0, .fuel_temp = 350.0, .rod = 0.5};
    for (int g = 0; g < NGROUP; g++)
        p.precursor[g] = beta[g] / 2.0e-5 / lambda[g];

    int fd = open_journal("plant.jnl");
    double peak = 0.0;
    for (int c = 0; c < ncycle; c++) {
        double rho = 0.0;
        for (int s = 0; s < 1000; s++) {
            rho = 4.0e-3 * (p.rod - 0.5) - 1.0e-6 * (p.fuel_temp - 350.0);
            advance(&p, rho, dt);
            if (p.power > peak)
                peak = p.power;
        }
        p.rod += 0.02 * tanh(wanted - p.power);
        journal(fd, c, &p, rho);
    }
    fdatasync(fd);
    close(fd);
    printf("power %.6f peak %.6f rod %.5f\n", p.power, peak, p.rod);
    return 0;
}
