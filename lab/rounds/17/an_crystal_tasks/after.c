/* Powder diffraction of small crystallites by the Debye sum.
 *
 * The scattered intensity is wanted for many pairs of crystallite and angle.  The
 * crystallites differ in size, so the ranks draw the pairs from a common list: the number
 * of the next pair stands in the file `next.task` of the run folder.
 *
 * usage: mpirun -n 3 debye crystallites angles
 */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SHELLS 8
#define WAVELENGTH 0.15406   /* nm, copper K alpha */
#define LATTICE 0.3615       /* nm, copper */
#define PORTION 512          /* pairs drawn at a time */

typedef struct {
    int shells;                /* distances that occur in the crystallite */
    double distance[SHELLS];   /* nm */
    double pairs[SHELLS];      /* pairs of atoms at that distance */
    double atoms;
} Crystallite;

static Crystallite *make_crystallites(int n)
{
    static const double coordination[SHELLS] = {12, 6, 24, 12, 24, 8, 48, 6};
    Crystallite *list = malloc(n * sizeof(Crystallite));

    for (int i = 0; i < n; i++) {
        Crystallite *c = &list[i];
        double radius = 0.4 + 1.6 * i / n;
        c->shells = 3 + i % (SHELLS - 2);
        c->atoms = 4.0 * 4.18879 * pow(radius / LATTICE, 3);
        for (int s = 0; s < c->shells; s++) {
            double x;
            c->distance[s] = LATTICE * sqrt(0.5 * (s + 1));
            x = c->distance[s] / (2.0 * radius);
            c->pairs[s] = x < 1.0 ? c->atoms * coordination[s] * (1 - 1.5 * x + 0.5 * x * x * x) : 0;
        }
    }
    return list;
}

static double intensity(const Crystallite *c, double theta)
{
    double q = 4.0 * 3.14159265358979 * sin(theta) / WAVELENGTH;
    double f = 29.0 * exp(-0.0055 * q * q / (16.0 * 9.8696));
    double sum = c->atoms;

    for (int s = 0; s < c->shells; s++)
        sum += c->pairs[s] * sin(q * c->distance[s]) / (q * c->distance[s]);
    return f * f * sum;
}

/* ---- the common list of pairs ---------------------------------------------------- */

static void list_lock(int fd, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = sizeof(long)};

    if (fcntl(fd, F_SETLKW, &lock) != 0) {
        perror("next.task");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Number of the first pair of the next portion. */
static long draw(int fd)
{
    long task = 0, next;

    list_lock(fd, F_WRLCK);
    if (pread(fd, &task, sizeof task, 0) != sizeof task)
        task = 0;
    next = task + PORTION;
    if (pwrite(fd, &next, sizeof next, 0) != sizeof next)
        MPI_Abort(MPI_COMM_WORLD, 1);
    list_lock(fd, F_UNLCK);
    return task;
}

int main(int argc, char **argv)
{
    int rank, n = argc > 1 ? atoi(argv[1]) : 400, nangles = argc > 2 ? atoi(argv[2]) : 500;
    int fd;
    long ntasks = (long)n * nangles, first, task;
    double *part, *full = NULL;
    Crystallite *list;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        first = 0;
        fd = open("next.task", O_RDWR | O_CREAT | O_TRUNC, 0644);
        if (fd < 0 || pwrite(fd, &first, sizeof first, 0) != sizeof first)
            MPI_Abort(MPI_COMM_WORLD, 1);
        close(fd);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    fd = open("next.task", O_RDWR);
    list = make_crystallites(n);
    part = calloc(ntasks, sizeof(double));

    while ((first = draw(fd)) < ntasks) {
        for (task = first; task < first + PORTION && task < ntasks; task++) {
            double theta = 0.17 + 0.9 * (task % nangles) / nangles;
            part[task] = intensity(&list[task / nangles], theta);
        }
    }
    close(fd);

    if (rank == 0)
        full = malloc(ntasks * sizeof(double));
    MPI_Reduce(part, full, (int)ntasks, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *out = fopen("pattern.bin", "wb");
        double total = 0.0;
        unlink("next.task");
        fwrite(full, sizeof(double), ntasks, out);
        fclose(out);
        for (long t = 0; t < ntasks; t++)
            total += full[t] / ntasks;
        printf("%ld intensities, mean %.6e\n", ntasks, total);
        free(full);
    }
    free(part);
    free(list);
    MPI_Finalize();
    return 0;
}
