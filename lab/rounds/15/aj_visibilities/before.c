/*
 * simvis - visibilities of a radio interferometer (earth rotation synthesis)
 *
 * Frequency channels are dealt out to the ranks.  Every rank predicts the
 * visibilities of its channels for a sky of point sources and leaves them in
 * vis_RANK.c64 for the imager; rank 0 adds the list of channels.
 *
 *   simvis ANTENNAS TIMES CHANNELS_PER_RANK
 */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define C0   299792458.0
#define NSRC 24

typedef struct { double x, y, z; } vec_t;
typedef struct { double flux, l, m, n, index; } source_t;
typedef void (*source_fn)(source_t *s, int k);

static double noise(int k, int which)
{
    unsigned h = (unsigned)k * 2654435761u ^ (unsigned)which * 40503u * 65537u;
    h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; h *= 3266489917u; h ^= h >> 16;
    return (h + 0.5) / 4294967296.0;
}

static double gauss(int k, int which)
{
    return sqrt(-2.0 * log(noise(k, which))) * cos(2.0 * M_PI * noise(k, which + 50));
}

static void field_source(source_t *s, int k)
{
    s->flux  = 0.1 * (pow(noise(k, 1), -1.0 / 1.6) - 1.0);
    s->l     = 4e-3 * gauss(k, 2);
    s->m     = 4e-3 * gauss(k, 3);
    s->n     = sqrt(1.0 - s->l * s->l - s->m * s->m) - 1.0;
    s->index = -0.7 + 0.15 * gauss(k, 4);
}

static void make_sky(source_t *sky, source_fn fn)
{
    for (int k = 0; k < NSRC; k++)
        fn(&sky[k], k);
}

/* three arms of antennas, metres, equatorial frame */
static void place_antennas(vec_t *ant, int n, double latitude)
{
    for (int k = 0; k < n; k++) {
        double arm = 2.0 * M_PI * (k % 3) / 3.0, r = 40.0 * pow(1 + k / 3, 1.4);
        double east = r * sin(arm), north = r * cos(arm);
        ant[k] = (vec_t){ -sin(latitude) * north, east, cos(latitude) * north };
    }
}

static vec_t uvw(vec_t b, double ha, double dec)
{
    double sh = sin(ha), ch = cos(ha), sd = sin(dec), cd = cos(dec);
    return (vec_t){ sh * b.x + ch * b.y,
                    -sd * ch * b.x + sd * sh * b.y + cd * b.z,
                    cd * ch * b.x - cd * sh * b.y + sd * b.z };
}

static float complex predict(const source_t *sky, vec_t w, double freq)
{
    double re = 0.0, im = 0.0, k = -2.0 * M_PI * freq / C0;
    for (int s = 0; s < NSRC; s++) {
        double phase = k * (w.x * sky[s].l + w.y * sky[s].m + w.z * sky[s].n);
        re += sky[s].flux * cos(phase);
        im += sky[s].flux * sin(phase);
    }
    return (float)re + (float)im * I;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nant  = argc > 1 ? atoi(argv[1]) : 24;
    int ntime = argc > 2 ? atoi(argv[2]) : 160;
    int nchan = argc > 3 ? atoi(argv[3]) : 12;

    source_t sky[NSRC], now[NSRC];
    vec_t *ant = malloc((size_t)nant * sizeof *ant);
    size_t nvis = (size_t)nchan * ntime * nant * (nant - 1) / 2, v = 0;
    float complex *vis = malloc(nvis * sizeof *vis);
    double power = 0.0, all;
    make_sky(sky, field_source);
    place_antennas(ant, nant, 0.92);

    for (int c = 0; c < nchan; c++) {
        double freq = 1.3e9 + 2e6 * (c * size + rank);
        for (int s = 0; s < NSRC; s++) {
            now[s] = sky[s];
            now[s].flux *= pow(freq / 1.4e9, sky[s].index);
        }
        for (int t = 0; t < ntime; t++)
            for (int i = 0; i < nant; i++)
                for (int j = i + 1; j < nant; j++) {
                    vec_t b = { ant[j].x - ant[i].x, ant[j].y - ant[i].y, ant[j].z - ant[i].z };
                    vis[v] = predict(now, uvw(b, -0.9 + 1.8 * t / ntime, 0.6), freq);
                    power += crealf(vis[v]) * crealf(vis[v]) + cimagf(vis[v]) * cimagf(vis[v]);
                    v++;
                }
    }

    char name[32];
    snprintf(name, sizeof name, "vis_%d.c64", rank);
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(vis, sizeof *vis, nvis, f) != nvis || fclose(f) != 0) {
        perror(name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    power /= (double)nvis * size;
    MPI_Reduce(&power, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        f = fopen("channels.txt", "w");
        for (int r = 0; r < size; r++)
            fprintf(f, "vis_%d.c64 first channel %d step %d count %d\n", r, r, size, nchan);
        fclose(f);
        printf("%zu visibilities per rank, rms %.4f Jy\n", nvis, sqrt(all));
    }
    free(vis);
    free(ant);
    MPI_Finalize();
    return 0;
}
