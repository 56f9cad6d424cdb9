/* Brownian polymers, atoms dealt out to the ranks like cards (replicated force field, cyclic atoms).
 * Trajectory: one shared file, every frame in global atom order through an MPI-IO view
 * (structure of ROMIO's test/noncontig_coll and of the old NAMD-style DCD frames, float xyz). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>

typedef struct { int magic, natoms, nframes, every; } Header;

static uint64_t lcg(uint64_t *s) { return *s = *s * 6364136223846793005ULL + 1442695040888963407ULL; }
/* uniform noise of unit variance is enough for Brownian steps (Duenweg & Paul) */
static float noise(uint64_t *s) { return 3.4641016f * ((lcg(s) >> 40) * 5.9604645e-8f - 0.5f); }

static void check(int rc, const char *what)
{
    if (rc == MPI_SUCCESS) return;
    char s[MPI_MAX_ERROR_STRING]; int n;
    MPI_Error_string(rc, s, &n);
    fprintf(stderr, "%s: %s\n", what, s);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_frame(MPI_File fh, const float *x, int nloc)
{
    check(MPI_File_write(fh, x, 3 * nloc, MPI_FLOAT, MPI_STATUS_IGNORE), "write frame");
}

int main(int argc, char **argv)
{
    int rank, size, n = 100000, frames = 10, every = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1) n = atoi(argv[1]);
    if (argc > 2) frames = atoi(argv[2]);
    if (argc > 3) every = atoi(argv[3]);
    int nloc = n / size;
    n = nloc * size;
    float *x = malloc(3 * sizeof(float) * nloc);
    uint64_t seed = 99 + rank;
    for (int i = 0; i < 3 * nloc; i++) x[i] = 10 * noise(&seed);

    MPI_File fh;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_ds_write", "disable");   /* no read-modify-write in the holes of the view */
    MPI_File_delete("polymer.trj", MPI_INFO_NULL);
    check(MPI_File_open(MPI_COMM_WORLD, "polymer.trj", MPI_MODE_CREATE | MPI_MODE_RDWR, info, &fh), "open");
    Header h = { 0x44434431, n, frames, every };
    if (rank == 0) check(MPI_File_write_at(fh, 0, &h, sizeof h, MPI_BYTE, MPI_STATUS_IGNORE), "header");

    MPI_Datatype atom, view;
    MPI_Type_contiguous(3, MPI_FLOAT, &atom);
    MPI_Type_create_resized(atom, 0, (MPI_Aint)size * 3 * sizeof(float), &view);
    MPI_Type_commit(&view);
    check(MPI_File_set_view(fh, sizeof h + (MPI_Offset)rank * 3 * sizeof(float), MPI_FLOAT, view, "native", info), "view");

    double rg = 0, grg;
    for (int f = 0; f < frames; f++) {
        for (int s = 0; s < every; s++)
            for (int i = 0; i < 3 * nloc; i++) {
                x[i] += 0.05f * noise(&seed) - 0.001f * x[i];
            }
        write_frame(fh, x, nloc);
    }
    for (int i = 0; i < 3 * nloc; i++) rg += (double)x[i] * x[i];
    MPI_Reduce(&rg, &grg, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    check(MPI_File_close(&fh), "close");
    if (rank == 0) printf("atoms %d frames %d rg2 %.6f\n", n, frames, grg / n);
    MPI_Type_free(&view);
    MPI_Type_free(&atom);
    MPI_Info_free(&info);
    free(x);
    MPI_Finalize();
    return 0;
}
