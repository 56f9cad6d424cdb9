/* Langevin dynamics of a particle in a double well; every position is kept. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <unistd.h>

struct sample {
    float time;
    float position;
    float velocity;
    float energy;
};

static uint64_t rng_state = 88172645463325252ULL;

static double uniform(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (double)(rng_state >> 11) / 9007199254740992.0;
}

static double noise(void)
{
    return uniform() + uniform() + uniform() - 1.5;
}

static double force(double x)
{
    return -4.0 * x * (x * x - 1.0);
}

static double potential(double x)
{
    double s = x * x - 1.0;
    return s * s;
}

static int record_sample(int fd, const struct sample *s)
{
    ssize_t n = write(fd, s, sizeof *s);
    return n == (ssize_t)sizeof *s ? 0 : -1;
}

int main(int argc, char **argv)
{
    long steps = argc > 1 ? atol(argv[1]) : 1000000;
    double dt = 0.005, gamma = 0.7, temperature = 0.4;
    double amp = sqrt(2.0 * gamma * temperature * dt) * 2.0;
    double x = -1.0, v = 0.0, mean_energy = 0.0;
    long crossings = 0;

    int fd = open("trajectory.bin", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) {
        perror("trajectory.bin");
        return 1;
    }
    for (long i = 0; i < steps; i++) {
        double old = x;
        v += dt * (force(x) - gamma * v) + amp * noise();
        x += dt * v;
        if (old * x < 0.0)
            crossings++;
        struct sample s;
        s.time = (float)(i * dt);
        s.position = (float)x;
        s.velocity = (float)v;
        s.energy = (float)(0.5 * v * v + potential(x));
        mean_energy += s.energy;
        if (record_sample(fd, &s) != 0) {
            perror("record");
            return 1;
        }
    }
    close(fd);
    printf("crossings %ld, mean energy %.6f\n", crossings, mean_energy / steps);
    return 0;
}
