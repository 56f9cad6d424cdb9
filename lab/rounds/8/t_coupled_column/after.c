/* Atmosphere column coupled to an ocean mixed layer.  The two components run
 * as separate processes and hand fluxes over through exchange files. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define NLEV 64
#define NSST 32

typedef struct {
    int step;
    int nval;
    double val[NSST];
} Message;

typedef struct {
    int fd_out, fd_in;
    int sent, received;
} Link;

static void link_open(Link *l, int sock, const char *out)
{
    l->fd_out = open(out, O_WRONLY | O_CREAT, 0644);
    l->fd_in = sock;
    l->sent = l->received = 0;
}

static void link_send(Link *l, const double *v)
{
    Message m = { l->sent, NSST, { 0 } };
    memcpy(m.val, v, sizeof m.val);
    if (pwrite(l->fd_out, &m, sizeof m, (off_t)l->sent * (off_t)sizeof m) != (ssize_t)sizeof m
        || send(l->fd_in, &m, sizeof m, 0) != (ssize_t)sizeof m) {
        perror("link_send");
        exit(1);
    }
    l->sent++;
}

static void link_receive(Link *l, double *v)
{
    Message m;
    if (recv(l->fd_in, &m, sizeof m, MSG_WAITALL) != (ssize_t)sizeof m)
        exit(1);
    memcpy(v, m.val, sizeof m.val);
    l->received++;
}

static void link_close(Link *l)
{
    close(l->fd_out);
    close(l->fd_in);
}

/* implicit vertical diffusion of NSST columns, n sub-steps */
static void diffuse(double t[NSST][NLEV], const double *bottom, double kappa, int n)
{
    double cp[NLEV], dp[NLEV];
    for (int s = 0; s < n; s++)
        for (int c = 0; c < NSST; c++) {
            double *x = t[c];
            x[0] += 0.01 * (bottom[c] - x[0]);
            cp[0] = -kappa / (1 + kappa);
            dp[0] = x[0] / (1 + kappa);
            for (int k = 1; k < NLEV; k++) {
                double b = (k == NLEV - 1 ? 1 + kappa : 1 + 2 * kappa) + kappa * cp[k - 1];
                cp[k] = -kappa / b;
                dp[k] = (x[k] + kappa * dp[k - 1]) / b;
            }
            x[NLEV - 1] = dp[NLEV - 1];
            for (int k = NLEV - 2; k >= 0; k--)
                x[k] = dp[k] - cp[k] * x[k + 1];
        }
}

static double run_atmosphere(Link *l, int steps, int sub)
{
    static double t[NSST][NLEV];
    double sst[NSST], flux[NSST], sum = 0.0;
    for (int c = 0; c < NSST; c++)
        for (int k = 0; k < NLEV; k++)
            t[c][k] = 290.0 - 0.8 * k;
    for (int s = 0; s < steps; s++) {
        link_receive(l, sst);
        diffuse(t, sst, 0.35, sub);
        for (int c = 0; c < NSST; c++) {
            double wind = 6.0 + 2.0 * sin(0.1 * s + c);
            flux[c] = 1.2 * wind * (sst[c] - t[c][0]);
            sum += flux[c] / NSST;
        }
        link_send(l, flux);
    }
    return sum / steps;
}

static double run_ocean(Link *l, int steps, int sub)
{
    static double t[NSST][NLEV];
    double sst[NSST], flux[NSST], target[NSST];
    for (int c = 0; c < NSST; c++)
        for (int k = 0; k < NLEV; k++)
            t[c][k] = 295.0 + 0.05 * c - 0.1 * k;
    for (int s = 0; s < steps; s++) {
        for (int c = 0; c < NSST; c++)
            sst[c] = t[c][0];
        link_send(l, sst);
        link_receive(l, flux);
        for (int c = 0; c < NSST; c++)
            target[c] = t[c][0] - 0.02 * flux[c];
        diffuse(t, target, 0.12, sub);
    }
    double mean = 0.0;
    for (int c = 0; c < NSST; c++)
        mean += t[c][0] / NSST;
    return mean;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 200;
    int sub = argc > 2 ? atoi(argv[2]) : 40;
    Link l;
    unlink("o2a.exc");
    unlink("a2o.exc");
    int sv[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sv) != 0)
        return 1;
    pid_t pid = fork();
    if (pid == 0) {
        link_open(&l, sv[1], "a2o.exc");
        double f = run_atmosphere(&l, steps, sub);
        link_close(&l);
        printf("mean heat flux %.6f\n", f);
        exit(0);
    }
    link_open(&l, sv[0], "o2a.exc");
    double mean = run_ocean(&l, steps, sub);
    link_close(&l);
    int status = 0;
    waitpid(pid, &status, 0);
    printf("mean surface temperature %.6f\n", mean);
    return status != 0;
}
