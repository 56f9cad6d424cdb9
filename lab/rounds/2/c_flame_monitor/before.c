/* One-dimensional flame with one-step chemistry.  The monitor file can be
 * watched with tail -f while the run goes on. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define N 2000

static double temp[N], fuel[N], tnew[N], fnew[N];

static void start(void)
{
    for (int i = 0; i < N; i++) {
        double x = (double)i / N;
        temp[i] = x < 0.1 ? 1.0 : 0.0;
        fuel[i] = x < 0.1 ? 0.0 : 1.0;
    }
}

static double advance(double dt, double dx)
{
    const double lewis = 1.1, zel = 8.0, diff = 1.0e-4;
    double rate_sum = 0.0;
    for (int i = 1; i < N - 1; i++) {
        double w = 0.5 * zel * zel / lewis * fuel[i] * exp(-zel * (1.0 - temp[i]) /
                   (1.0 - 0.8 * (1.0 - temp[i])));
        tnew[i] = temp[i] + dt * (diff * (temp[i + 1] - 2 * temp[i] + temp[i - 1]) / (dx * dx) + w);
        fnew[i] = fuel[i] + dt * (diff / lewis * (fuel[i + 1] - 2 * fuel[i] + fuel[i - 1]) /
                  (dx * dx) - w);
        if (fnew[i] < 0.0)
            fnew[i] = 0.0;
        rate_sum += w;
    }
    tnew[0] = tnew[1];
    tnew[N - 1] = tnew[N - 2];
    fnew[0] = fnew[1];
    fnew[N - 1] = fnew[N - 2];
    for (int i = 0; i < N; i++) {
        temp[i] = tnew[i];
        fuel[i] = fnew[i];
    }
    return rate_sum * dx;
}

static int front(void)
{
    for (int i = N - 1; i >= 0; i--)
        if (temp[i] > 0.5)
            return i;
    return 0;
}

int main(int argc, char **argv)
{
    int nstep = argc > 1 ? atoi(argv[1]) : 40000;
    double dx = 1.0 / N, dt = 1.0e-3, burnt = 0.0;
    FILE *mon = fopen("flame.mon", "w");
    if (!mon) {
        perror("flame.mon");
        return 1;
    }
    setvbuf(mon, NULL, _IONBF, 0);
    fprintf(mon, "# step time front rate burnt\n");
    start();
    for (int s = 1; s <= nstep; s++) {
        double r = advance(dt, dx);
        burnt += dt * r;
        if (s % 100 == 0)
            fprintf(mon, "%8d %12.5e %6d %14.6e %14.6e\n", s, s * dt, front(), r, burnt);
    }
    fclose(mon);
    printf("front at cell %d, burnt %.8f\n", front(), burnt);
    return 0;
}
