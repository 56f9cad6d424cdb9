/* Two component toy climate: the atmosphere (parent) and the ocean (child)
 * run side by side and exchange surface fluxes and temperatures at each step. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NCOL 512

struct exchange {
    long step;
    double field[NCOL];
};

static void send_field(int fd, long step, const double *field)
{
    struct exchange x;
    x.step = step;
    memcpy(x.field, field, sizeof x.field);
    if (write(fd, &x, sizeof x) != (ssize_t)sizeof x) {
        perror("coupler write");
        exit(1);
    }
}

static void receive_field(int fd, long step, double *field)
{
    struct exchange x;
    size_t have = 0;
    while (have < sizeof x) {
        ssize_t got = read(fd, (char *)&x + have, sizeof x - have);
        if (got < 0) {
            perror("coupler read");
            exit(1);
        }
        if (got == 0)
            usleep(1500); /* the partner is not there yet */
        have += got;
    }
    if (x.step != step) {
        fprintf(stderr, "coupler out of step: %ld, expected %ld\n", x.step, step);
        exit(1);
    }
    memcpy(field, x.field, sizeof x.field);
}

static void relax(double *state, const double *forcing, int sweeps, double rate)
{
    double next[NCOL];
    for (int s = 0; s < sweeps; s++) {
        for (int i = 0; i < NCOL; i++) {
            int w = (i + NCOL - 1) % NCOL, e = (i + 1) % NCOL;
            next[i] = state[i] + rate * (state[w] + state[e] - 2 * state[i])
                      + 0.001 * (forcing[i] - state[i]) + 1e-4 * tanh(forcing[i] * 0.01);
        }
        memcpy(state, next, sizeof next);
    }
}

static int open_channel(const char *name, int flags)
{
    int fd = open(name, flags, 0644);
    if (fd < 0) {
        perror(name);
        exit(1);
    }
    return fd;
}

static void ocean(long nstep)
{
    int from = open_channel("atm_to_ocn.bin", O_RDONLY);
    int to = open_channel("ocn_to_atm.bin", O_WRONLY | O_APPEND);
    double sst[NCOL], flux[NCOL];
    for (int i = 0; i < NCOL; i++)
        sst[i] = 15.0 + 10.0 * sin(i * 0.02);
    for (long n = 0; n < nstep; n++) {
        receive_field(from, n, flux);
        relax(sst, flux, 40, 0.1);
        send_field(to, n, sst);
    }
    exit(0);
}

int main(int argc, char **argv)
{
    long nstep = argc > 1 ? atol(argv[1]) : 500;
    double air[NCOL], sst[NCOL];
    close(open_channel("atm_to_ocn.bin", O_CREAT | O_TRUNC | O_WRONLY));
    close(open_channel("ocn_to_atm.bin", O_CREAT | O_TRUNC | O_WRONLY));
    pid_t child = fork();
    if (child == 0)
        ocean(nstep);

    int to = open_channel("atm_to_ocn.bin", O_WRONLY | O_APPEND);
    int from = open_channel("ocn_to_atm.bin", O_RDONLY);
    for (int i = 0; i < NCOL; i++)
        air[i] = 12.0 + 8.0 * cos(i * 0.05);
    for (long n = 0; n < nstep; n++) {
        send_field(to, n, air);
        receive_field(from, n, sst);
        relax(air, sst, 40, 0.2);
    }
    waitpid(child, NULL, 0);
    double mean = 0;
    for (int i = 0; i < NCOL; i++)
        mean += air[i] / NCOL;
    printf("%ld steps, mean air temperature %.8f\n", nstep, mean);
    return 0;
}
