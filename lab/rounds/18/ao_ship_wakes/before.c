/* Wave pattern behind a ship in deep water, by the integral of Kelvin over wave directions
 * with the amplitudes of Michell's thin ship.
 *
 * The rows of the map are dealt to the ranks in turn, as the rows near the track need more
 * directions than those far from it. A row is stored as soon as it is done.
 *
 * usage: wakes hull.txt knots nx ny
 */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int stations, lines;
static double length, draught, beam;
static double *hull;

static void read_hull(const char *name, int rank) {
    double head[5];
    FILE *f = NULL;
    if (rank == 0) {
        f = fopen(name, "r");
        if (!f) MPI_Abort(MPI_COMM_WORLD, 1);
        for (int k = 0; k < 5; k++)
            if (fscanf(f, "%lf", &head[k]) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Bcast(head, 5, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    stations = (int)head[0], lines = (int)head[1];
    length = head[2], draught = head[3], beam = head[4];
    hull = malloc(stations * lines * sizeof *hull);
    if (rank == 0) {
        for (int k = 0; k < stations * lines; k++)
            if (fscanf(f, "%lf", &hull[k]) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
        fclose(f);
    }
    MPI_Bcast(hull, stations * lines, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* Amplitude of the free waves in a direction: the slope of the hull against its waves. */
static double complex amplitude(double theta, double k0) {
    const double k = k0 / (cos(theta) * cos(theta)), step = length / (stations - 1);
    const double deep = draught / (lines - 1);
    double complex sum = 0;
    for (int s = 1; s < stations; s++) {
        const double x = (s - 0.5) * step - 0.5 * length;
        double slope = 0;
        for (int w = 0; w < lines; w++)
            slope += (hull[s * lines + w] - hull[(s - 1) * lines + w]) * exp(-k * w * deep) * deep;
        sum += 0.5 * beam * slope * cexp(I * k * x * cos(theta));
    }
    return sum * 2 * k0 / M_PI / (cos(theta) * cos(theta) * cos(theta));
}

/* Elevation along a row at distance y from the track. */
static void row_of_map(double y, int nx, double k0, int directions, const double complex *amp, float *row) {
    const double spread = 1.35, dt = 2 * spread / directions, dx = 12.0 * length / nx;
    for (int i = 0; i < nx; i++) row[i] = 0;
    for (int d = 0; d < directions; d++) {
        const double t = -spread + (d + 0.5) * dt, c = cos(t), k = k0 / (c * c);
        /* the waves of a direction advance by a fixed phase from point to point */
        double complex wave = amp[d] * dt * cexp(I * k * (0.55 * length * c + y * sin(t)));
        const double complex turn = cexp(I * k * dx * c);
        const double fade = exp(-0.002 * k * fabs(y));
        for (int i = 0; i < nx; i++) {
            row[i] += (float)(fade * creal(wave));
            wave *= turn;
        }
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    read_hull(argc > 1 ? argv[1] : "hull.txt", rank);
    const double speed = (argc > 2 ? atof(argv[2]) : 18) * 0.5144;
    const int nx = argc > 3 ? atoi(argv[3]) : 1600, ny = argc > 4 ? atoi(argv[4]) : 1500;
    const double k0 = 9.81 / (speed * speed), dy = 6.0 * length / ny;

    const int most = 720;
    double complex *amp = malloc(2 * most * sizeof *amp), *coarse = amp + most;
    for (int d = 0; d < most; d++) amp[d] = amplitude(-1.35 + (d + 0.5) * 2.7 / most, k0);
    for (int d = 0; d < most / 2; d++) coarse[d] = amplitude(-1.35 + (d + 0.5) * 5.4 / most, k0);

    MPI_File map;
    if (MPI_File_open(MPI_COMM_WORLD, "wake.map", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                      MPI_INFO_NULL, &map) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    FILE *log = rank == 0 ? fopen("wake.log", "w") : NULL;
    float *row = malloc(nx * sizeof *row);
    double energy = 0, highest = 0;
    for (int j = rank; j < ny; j += ranks) {
        const double y = (j - ny / 2 + 0.5) * dy;
        const int fine = fabs(y) < 1.5 * length;
        row_of_map(y, nx, k0, fine ? most : most / 2, fine ? amp : coarse, row);
        for (int i = 0; i < nx; i++) {
            energy += (double)row[i] * row[i];
            if (fabs(row[i]) > highest) highest = fabs(row[i]);
        }
        MPI_File_write_at(map, (MPI_Offset)j * nx * sizeof(float), row, nx, MPI_FLOAT, MPI_STATUS_IGNORE);
        if (log) {
            fprintf(log, "row %5d of %d, highest wave so far %.3f m\n", j, ny, highest);
            fflush(log);
        }
    }
    MPI_File_close(&map);

    double sum = 0, top = 0;
    MPI_Reduce(&energy, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&highest, &top, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        fprintf(log, "# mean square %.6e m2, highest %.4f m\n", sum / nx / ny, top);
        fclose(log);
    }
    free(row), free(amp), free(hull);
    MPI_Finalize();
    return 0;
}
