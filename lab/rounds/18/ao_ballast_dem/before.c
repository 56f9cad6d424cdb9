/* Settlement of railway ballast under passing axles: discrete grains in two dimensions.
 *
 * Each rank computes one sleeper bay, a box of discs with linear contact springs and
 * dashpots; the bays are apart, only the axle that loads the sleepers runs over all of
 * them. The frames of all bays go into one trajectory.
 *
 * usage: ballast grains frames substeps
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double x, y, vx, vy, radius; } Grain;

static const double kStiff = 4.0e5, kDamp = 60.0, kDensity = 2600.0, kGravity = 9.81;
static const double kWidth = 0.6, kStep = 4.0e-5;

static unsigned long long state;
static double uniform(void) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void pour(Grain *g, int n) {
    const int across = 16;
    for (int i = 0; i < n; i++) {
        g[i].radius = 0.012 + 0.006 * uniform();
        g[i].x = (i % across + 0.5) * kWidth / across + 0.002 * (uniform() - 0.5);
        g[i].y = 0.02 + (i / across) * 0.037;
        g[i].vx = 0.02 * (uniform() - 0.5);
        g[i].vy = 0;
    }
}

/* Contact forces of all pairs; the grains are kept in order of height, roughly. */
static void forces(const Grain *g, int n, double *fx, double *fy) {
    memset(fx, 0, n * sizeof *fx);
    memset(fy, 0, n * sizeof *fy);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const double dx = g[j].x - g[i].x, dy = g[j].y - g[i].y;
            const double reach = g[i].radius + g[j].radius, d2 = dx * dx + dy * dy;
            if (d2 >= reach * reach || d2 == 0) continue;
            const double d = sqrt(d2), nx = dx / d, ny = dy / d;
            const double closing = (g[j].vx - g[i].vx) * nx + (g[j].vy - g[i].vy) * ny;
            double f = kStiff * (reach - d) - kDamp * closing;
            if (f < 0) f = 0;
            fx[i] -= f * nx, fy[i] -= f * ny;
            fx[j] += f * nx, fy[j] += f * ny;
        }
}

static double wall(double gap, double speed) {
    if (gap >= 0) return 0;
    const double f = -kStiff * gap - kDamp * speed;
    return f > 0 ? f : 0;
}

static void advance(Grain *g, int n, double load, double *fx, double *fy) {
    forces(g, n, fx, fy);
    double top = 0;
    for (int i = 0; i < n; i++)
        if (g[i].y > top) top = g[i].y;
    for (int i = 0; i < n; i++) {
        const double mass = kDensity * M_PI * g[i].radius * g[i].radius;
        fx[i] += wall(g[i].x - g[i].radius, g[i].vx);
        fx[i] -= wall(kWidth - g[i].x - g[i].radius, -g[i].vx);
        fy[i] += wall(g[i].y - g[i].radius, g[i].vy) - mass * kGravity;
        if (g[i].y > top - 0.02) fy[i] -= load;           /* under the sleeper */
        g[i].vx += kStep * fx[i] / mass;
        g[i].vy += kStep * fy[i] / mass;
        g[i].x += kStep * g[i].vx;
        g[i].y += kStep * g[i].vy;
    }
}

/* Puts one frame of all bays into the trajectory. */
static void put_frame(MPI_File file, int frame, int rank, int ranks, const Grain *g, int n) {
    const MPI_Offset bytes = (MPI_Offset)n * sizeof(Grain);
    const MPI_Offset at = ((MPI_Offset)frame * ranks + rank) * bytes;
    MPI_File_write_at(file, at, g, (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int n = argc > 1 ? atoi(argv[1]) : 96;
    const int frames = argc > 2 ? atoi(argv[2]) : 6000;
    const int substeps = argc > 3 ? atoi(argv[3]) : 12;

    state = 77 + 1000 * rank;
    Grain *g = malloc(n * sizeof *g);
    double *fx = malloc(n * sizeof *fx), *fy = malloc(n * sizeof *fy);
    pour(g, n);

    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, "ballast.traj", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                      MPI_INFO_NULL, &file) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int frame = 0; frame < frames; frame++) {
        const double axle = 8.0 * frame / frames - 1.0;   /* position in bays */
        const double away = axle - rank;
        const double load = 60.0 * exp(-4 * away * away);
        for (int s = 0; s < substeps; s++) advance(g, n, load, fx, fy);
        put_frame(file, frame, rank, ranks, g, n);
    }
    MPI_File_close(&file);

    double top = 0, highest;
    for (int i = 0; i < n; i++)
        if (g[i].y > top) top = g[i].y;
    MPI_Reduce(&top, &highest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("height of the bed %.5f m\n", highest);
    free(g), free(fx), free(fy);
    MPI_Finalize();
    return 0;
}
