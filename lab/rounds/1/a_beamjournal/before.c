/* Scan of a beam line: every finished working point goes to a journal so that
 * an interrupted scan can be taken up again. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NCELL 24

struct point {
    int index;
    double kf, kd;
    double beta_max;
    double trace;
};

static void multiply(double a[4], const double b[4])
{
    double r[4] = {
        a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]
    };
    memcpy(a, r, sizeof r);
}

static void evaluate(struct point *p)
{
    double m[4] = {1, 0, 0, 1};
    double drift[4] = {1, 1.2, 0, 1};
    double qf[4] = {1, 0, -p->kf, 1};
    double qd[4] = {1, 0, p->kd, 1};
    p->beta_max = 0.0;
    for (int c = 0; c < NCELL; c++) {
        multiply(m, drift);
        multiply(m, qf);
        multiply(m, drift);
        multiply(m, qd);
        double b = m[0] * m[0] + m[1] * m[1];
        if (b > p->beta_max)
            p->beta_max = b;
    }
    p->trace = m[0] + m[3];
}

static int journal_append(int fd, const struct point *p)
{
    char line[160];
    int len = snprintf(line, sizeof line, "%d %.10g %.10g %.10g %.10g\n",
                       p->index, p->kf, p->kd, p->beta_max, p->trace);
    if (write(fd, line, (size_t)len) != len)
        return -1;
    return fsync(fd);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 400;
    int stable = 0;
    double best = 1e300;
    int fd = open("scan.journal", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
    if (fd < 0) {
        perror("scan.journal");
        return 1;
    }
    for (int i = 0; i < n; i++) {
        struct point p = { .index = i };
        p.kf = 0.2 + 0.9 * (i % 20) / 20.0;
        p.kd = 0.2 + 0.9 * (i / 20) / (n / 20.0);
        evaluate(&p);
        if (fabs(p.trace) < 2.0) {
            stable++;
            if (p.beta_max < best)
                best = p.beta_max;
        }
        if (journal_append(fd, &p) != 0) {
            perror("journal");
            return 1;
        }
    }
    close(fd);
    printf("%d of %d points stable, best beta %.5f\n", stable, n, best);
    return 0;
}
