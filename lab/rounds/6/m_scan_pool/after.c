/* Parameter scan of the logistic map with worker processes: each worker asks the
 * scan register for the next parameter and stores the Lyapunov exponent. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 3
#define ITERATIONS 40

static void register_lock(int fd, short type)
{
    struct flock fl;
    memset(&fl, 0, sizeof fl);
    fl.l_type = type;
    fl.l_whence = SEEK_SET;
    fl.l_start = 0;
    fl.l_len = sizeof(long);
    if (fcntl(fd, F_SETLKW, &fl) != 0) {
        perror("scan.register");
        exit(1);
    }
}

static long next_parameter(int fd, long count)
{
    long first, after;
    register_lock(fd, F_WRLCK);
    if (pread(fd, &first, sizeof first, 0) != (ssize_t)sizeof first)
        exit(1);
    after = first + count;
    if (pwrite(fd, &after, sizeof after, 0) != (ssize_t)sizeof after)
        exit(1);
    register_lock(fd, F_UNLCK);
    return first;
}

static double lyapunov(double r)
{
    double x = 0.3, sum = 0.0;
    for (int i = 0; i < ITERATIONS; i++) {
        x = r * x * (1.0 - x);
        sum += log(fabs(r * (1.0 - 2.0 * x)) + 1e-12);
    }
    return sum / ITERATIONS;
}

static void worker(long nparam, double *exponent)
{
    int fd = open("scan.register", O_RDWR);
    if (fd < 0) {
        perror("scan.register");
        exit(1);
    }
    for (;;) {
        long first = next_parameter(fd, 500);
        if (first >= nparam)
            break;
        long end = first + 500 < nparam ? first + 500 : nparam;
        for (long i = first; i < end; i++)
            exponent[i] = lyapunov(3.4 + 0.6 * i / nparam);
    }
    close(fd);
}

int main(int argc, char **argv)
{
    long nparam = argc > 1 ? atol(argv[1]) : 300000, zero = 0;
    double *exponent = mmap(NULL, nparam * sizeof(double), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int fd = open("scan.register", O_CREAT | O_TRUNC | O_RDWR, 0644);
    if (exponent == MAP_FAILED || fd < 0 || write(fd, &zero, sizeof zero) != sizeof zero) {
        perror("scan.register");
        return 1;
    }
    close(fd);

    for (int w = 0; w < WORKERS; w++) {
        pid_t pid = fork();
        if (pid == 0) {
            worker(nparam, exponent);
            _exit(0);
        }
        if (pid < 0) {
            perror("fork");
            return 1;
        }
    }
    int status, bad = 0;
    while (wait(&status) > 0)
        bad += status != 0;

    double sum = 0.0;
    long chaotic = 0;
    for (long i = 0; i < nparam; i++) {
        sum += exponent[i];
        chaotic += exponent[i] > 0.0;
    }
    FILE *out = fopen("lyapunov.dat", "wb");
    fwrite(exponent, sizeof(double), nparam, out);
    fclose(out);
    printf("parameters %ld chaotic %ld mean exponent %.8f failed workers %d\n", nparam, chaotic,
           sum / nparam, bad);
    return bad != 0;
}
