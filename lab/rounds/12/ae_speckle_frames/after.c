/* Laser speckle imaging of blood flow: raw frames (a speckle pattern that
 * decorrelates faster where the blood flows) are turned into a flow index by
 * their temporal contrast and stored in one file, with a check sum of each
 * frame in the index of the measurement. Every rank takes each n-th frame. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N 512
#define NPIX (N * N)
#define MEMORY 0.2f

typedef struct {
    float *grain, *flow, *mean, *square;
} scope;

typedef struct {
    int rank, nranks, nframes;
    MPI_File out;
    uint32_t *sum, table[256];
} store;

static uint32_t crc(const store *s, const void *data, size_t n)
{
    const unsigned char *p = data;
    uint32_t c = ~0u;
    while (n--)
        c = s->table[(c ^ *p++) & 255] ^ (c >> 8);
    return ~c;
}

static void store_open(store *s, const char *path, int nframes)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s->nranks);
    s->nframes = nframes;
    s->sum = calloc(nframes, sizeof *s->sum);
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        s->table[i] = c;
    }
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &s->out);
}

/* round k: frames k * nranks ... of all ranks */
static void store_add(store *s, int k, const float *frame)
{
    int number = k * s->nranks + s->rank;
    s->sum[number] = crc(s, frame, NPIX * sizeof(float));
    MPI_File_write_at(s->out, (MPI_Offset)number * NPIX * sizeof(float), frame, NPIX, MPI_FLOAT,
                      MPI_STATUS_IGNORE);
}

static void store_close(store *s)
{
    MPI_File_close(&s->out);
    MPI_Reduce(s->rank ? s->sum : MPI_IN_PLACE, s->sum, s->nframes, MPI_UINT32_T, MPI_BOR, 0,
               MPI_COMM_WORLD);
    if (s->rank == 0) {
        FILE *idx = fopen("flow.idx", "wb");
        fwrite(s->sum, sizeof *s->sum, s->nframes, idx);
        fclose(idx);
    }
    free(s->sum);
}

static void scope_init(scope *c)
{
    uint32_t seed = 12345;
    c->grain = malloc(4 * NPIX * sizeof(float));
    c->flow = malloc(NPIX * sizeof(float));
    c->mean = malloc(NPIX * sizeof(float));
    c->square = malloc(NPIX * sizeof(float));
    for (int i = 0; i < 4 * NPIX; i++) {
        seed = seed * 1664525u + 1013904223u;
        c->grain[i] = -logf(((seed >> 8) + 1) / 16777217.0f);
    }
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            float d = (y / (float)N - 0.5f - 0.2f * sinf(5.0f * x / N)) / 0.05f;
            c->flow[y * N + x] = 0.2f + 0.8f * expf(-d * d);
            c->mean[y * N + x] = 1;
            c->square[y * N + x] = 2;
        }
}

/* flow index of frame f: inverse squared contrast */
static double flow_index(scope *c, int f, float *idx)
{
    int sy = 37 * f % N, sx = 91 * f % N;
    double total = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int i = y * N + x;
            float raw = (1 - c->flow[i]) * c->grain[y * 2 * N + x] +
                        c->flow[i] * c->grain[(y + sy) * 2 * N + x + sx];
            c->mean[i] += MEMORY * (raw - c->mean[i]);
            c->square[i] += MEMORY * (raw * raw - c->square[i]);
            float m2 = c->mean[i] * c->mean[i];
            float var = c->square[i] - m2;
            idx[i] = m2 / (var > 0.01f ? var : 0.01f);
            total += idx[i];
        }
    return total / NPIX;
}

int main(int argc, char **argv)
{
    int nframes = argc > 1 ? atoi(argv[1]) : 280;
    double mean = 0, all;
    scope cam;
    store st;
    MPI_Init(&argc, &argv);
    float *idx = malloc(NPIX * sizeof(float));
    scope_init(&cam);
    store_open(&st, "flow.frames", nframes);
    for (int k = 0; k < nframes / st.nranks; k++) {
        mean += flow_index(&cam, k * st.nranks + st.rank, idx);
        store_add(&st, k, idx);
    }
    store_close(&st);
    MPI_Reduce(&mean, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (st.rank == 0)
        printf("%d frames, mean flow index %.5f\n", nframes, all / nframes);
    MPI_Finalize();
    return 0;
}
