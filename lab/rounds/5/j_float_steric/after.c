/* Steric height anomaly of every profile in a packed float archive,
 * averaged over latitude bands (profiles are ordered by band). */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NLEV 24
#define NBAND 36

typedef struct {
    float temp[NLEV];
    float salt[NLEV];
} Profile;

typedef struct {
    int fd;
    long nprofiles;
    const Profile *profiles;
} Archive;

static int archive_open(Archive *a, const char *path)
{
    struct stat st;
    a->fd = open(path, O_RDONLY);
    if (a->fd < 0 || fstat(a->fd, &st) != 0)
        return -1;
    a->nprofiles = st.st_size / (long)sizeof(Profile);
    a->profiles = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, a->fd, 0);
    if (a->profiles == MAP_FAILED)
        return -1;
    madvise((void *)a->profiles, st.st_size, MADV_SEQUENTIAL);
    return 0;
}

static double specific_volume_anomaly(double t, double s, double p)
{
    double alpha = 1.0e-4 * (0.5 + 0.11 * t) + 2.0e-8 * p;
    double beta = 7.6e-4;
    return (alpha * (t - 0.0) - beta * (s - 35.0)) / 1028.0;
}

static double steric_height(const Profile *p)
{
    double h = 0.0;
    for (int k = 0; k + 1 < NLEV; k++) {
        double dz = 20.0 + 4.0 * k;
        double tm = 0.5 * (p->temp[k] + p->temp[k + 1]);
        double sm = 0.5 * (p->salt[k] + p->salt[k + 1]);
        h += 1028.0 * specific_volume_anomaly(tm, sm, 10.0 * k) * dz;
    }
    return h;
}

static double profile_height(const Archive *a, long index)
{
    double h = steric_height(a->profiles + index);
    return h;
}

int main(int argc, char **argv)
{
    Archive arc;
    double sum[NBAND] = {0}, sq[NBAND] = {0};
    long count[NBAND] = {0};
    if (archive_open(&arc, "argo_profiles.bin") != 0) {
        perror("argo_profiles.bin");
        return 1;
    }
    long n = arc.nprofiles;
    if (argc > 1 && atol(argv[1]) < n)
        n = atol(argv[1]);
    for (long i = 0; i < n; i++) {
        int band = (int)(i * NBAND / n);
        double h = profile_height(&arc, i);
        sum[band] += h;
        sq[band] += h * h;
        count[band]++;
    }
    for (int b = 0; b < NBAND; b++) {
        double mean = sum[b] / (count[b] ? count[b] : 1);
        double var = sq[b] / (count[b] ? count[b] : 1) - mean * mean;
        printf("%5.1f %8ld %10.5f %10.5f\n", -87.5 + 5.0 * b, count[b], mean, sqrt(fabs(var)));
    }
    close(arc.fd);
    return 0;
}
