/* Screening of triple branch outages (N-3) in a transmission network.
 *
 * The DC load flow gives the flows of the intact network; outage distribution factors give
 * the flows after three branches are lost, for some hours of a day. The cases take unequal
 * times, as islanding ones are left out early, so the ranks draw them one after another.
 *
 * usage: outages network.txt hours
 */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int nbus, nbranch;
static int *from, *to;
static double *reactance, *rating, *injection, *flow, *ptdf;

static void read_network(const char *name) {
    FILE *f = fopen(name, "r");
    if (!f || fscanf(f, "%d %d", &nbus, &nbranch) != 2) MPI_Abort(MPI_COMM_WORLD, 1);
    from = malloc(nbranch * sizeof *from), to = malloc(nbranch * sizeof *to);
    reactance = malloc(nbranch * sizeof(double)), rating = malloc(nbranch * sizeof(double));
    injection = malloc(nbus * sizeof(double)), flow = calloc(nbranch, sizeof(double));
    for (int i = 0; i < nbus; i++)
        if (fscanf(f, "%lf", &injection[i]) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int k = 0; k < nbranch; k++)
        if (fscanf(f, "%d %d %lf %lf", &from[k], &to[k], &reactance[k], &rating[k]) != 4)
            MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(f);
}

/* Inverse of the reduced susceptance matrix (bus 0 is the slack), by Gauss-Jordan. */
static double *angles_per_injection(void) {
    const int n = nbus;
    double *a = calloc(n * n, sizeof(double)), *inv = calloc(n * n, sizeof(double));
    for (int k = 0; k < nbranch; k++) {
        const double b = 1 / reactance[k];
        a[from[k] * n + from[k]] += b, a[to[k] * n + to[k]] += b;
        a[from[k] * n + to[k]] -= b, a[to[k] * n + from[k]] -= b;
    }
    for (int i = 0; i < n; i++) a[i] = a[i * n] = 0, inv[i * n + i] = 1;
    a[0] = 1;
    for (int c = 0; c < n; c++) {
        const double d = 1 / a[c * n + c];
        for (int j = 0; j < n; j++) a[c * n + j] *= d, inv[c * n + j] *= d;
        for (int r = 0; r < n; r++) {
            const double m = a[r * n + c];
            if (r == c || m == 0) continue;
            for (int j = 0; j < n; j++)
                a[r * n + j] -= m * a[c * n + j], inv[r * n + j] -= m * inv[c * n + j];
        }
    }
    return free(a), inv;
}

/* ptdf[k][m]: flow on k per unit sent from one end of branch m to the other. */
static void distribution_factors(void) {
    double *x = angles_per_injection();
    ptdf = malloc((size_t)nbranch * nbranch * sizeof(double));
    for (int m = 0; m < nbranch; m++)
        for (int k = 0; k < nbranch; k++)
            ptdf[(size_t)m * nbranch + k] =
                (x[from[k] * nbus + from[m]] - x[to[k] * nbus + from[m]] -
                 x[from[k] * nbus + to[m]] + x[to[k] * nbus + to[m]]) / reactance[k];
    for (int k = 0; k < nbranch; k++)
        for (int i = 0; i < nbus; i++)
            flow[k] += (x[from[k] * nbus + i] - x[to[k] * nbus + i]) / reactance[k] * injection[i];
    free(x);
}

static double det3(const double m[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Branch-hours above the rating when three branches are out; -1 if the net is split. */
static int overloads(const int out[3], int hours, long *tally) {
    const double *p[3];
    double m[3][3], sent[3];
    for (int c = 0; c < 3; c++) p[c] = ptdf + (size_t)out[c] * nbranch;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) m[r][c] = (r == c) - p[c][out[r]];
    const double det = det3(m);
    if (fabs(det) < 1e-6) return -1;
    for (int c = 0; c < 3; c++) {                      /* Cramer's rule */
        double w[3][3];
        for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++) w[r][q] = q == c ? flow[out[r]] : m[r][q];
        sent[c] = det3(w) / det;
    }
    int count = 0;
    for (int k = 0; k < nbranch; k++) {
        if (k == out[0] || k == out[1] || k == out[2]) continue;
        const double after = fabs(flow[k] + sent[0] * p[0][k] + sent[1] * p[1][k] + sent[2] * p[2][k]);
        if (after <= rating[k]) continue;
        for (int h = 0; h < hours; h++)
            if (after * (0.7 + 0.3 * ((h * 7) % 24) / 23.0) > rating[k]) count++, tally[k]++;
    }
    return count;
}

/* The three branches of a case, by its number. */
static void branches_of(long number, int out[3]) {
    int a = (int)cbrt(6.0 * number) + 2, b;
    while ((long)a * (a - 1) / 2 * (a - 2) / 3 > number) a--;
    number -= (long)a * (a - 1) / 2 * (a - 2) / 3;
    b = (int)((1 + sqrt(1 + 8.0 * number)) / 2) + 1;
    while ((long)b * (b - 1) / 2 > number) b--;
    out[0] = a, out[1] = b, out[2] = (int)(number - (long)b * (b - 1) / 2);
}

/* The next outage that no rank has worked on. */
static long next_case(int fd) {
    long next = 0;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = sizeof next};
    fcntl(fd, F_SETLKW, &lock);
    if (pread(fd, &next, sizeof next, 0) != sizeof next) next = 0;
    const long following = next + 1;
    if (pwrite(fd, &following, sizeof following, 0) != sizeof following) perror("cases.next");
    lock.l_type = F_UNLCK;
    fcntl(fd, F_SETLK, &lock);
    return next;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int hours = argc > 2 ? atoi(argv[2]) : 8;
    read_network(argc > 1 ? argv[1] : "network.txt");
    distribution_factors();
    if (rank == 0) close(open("cases.next", O_CREAT | O_TRUNC | O_RDWR, 0644));
    MPI_Barrier(MPI_COMM_WORLD);

    const int fd = open("cases.next", O_RDWR);
    const long all = (long)nbranch * (nbranch - 1) / 2 * (nbranch - 2) / 3;
    long *tally = calloc(nbranch + 2, sizeof *tally);
    for (long number = next_case(fd); number < all; number = next_case(fd)) {
        int out[3];
        branches_of(number, out);
        const int count = overloads(out, hours, tally);
        tally[nbranch] += count < 0;
        tally[nbranch + 1] += count > 0;
    }
    close(fd);

    long *sum = calloc(nbranch + 2, sizeof *sum);
    MPI_Reduce(tally, sum, nbranch + 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *out = fopen("overloads.txt", "w");
        fprintf(out, "# %ld cases, %ld islanding, %ld with overloads\n", all, sum[nbranch], sum[nbranch + 1]);
        for (int k = 0; k < nbranch; k++) fprintf(out, "%d %d %ld\n", from[k], to[k], sum[k]);
        fclose(out);
    }
    MPI_Finalize();
    return 0;
}
