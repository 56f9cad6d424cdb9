/* Shallow water on a periodic grid, columns dealt to ranks in stripes. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define STRIPE 2

typedef struct {
    int ny, nx, nstripes, width;
    double *h, *hn;
} Field;

static int global_column(const Field *f, int local, int rank, int size)
{
    int s = local / STRIPE;
    return (s * size + rank) * STRIPE + local % STRIPE;
}

static void init_field(Field *f, int ny, int nx, int rank, int size)
{
    f->ny = ny;
    f->nx = nx;
    f->nstripes = nx / (STRIPE * size);
    f->width = f->nstripes * STRIPE;
    f->h = malloc((size_t)ny * f->width * sizeof(double));
    f->hn = malloc((size_t)ny * f->width * sizeof(double));
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < f->width; i++) {
            double x = (double)global_column(f, i, rank, size) / nx - 0.5;
            double y = (double)j / ny - 0.5;
            f->h[(size_t)j * f->width + i] = 10 + exp(-60 * (x * x + y * y));
        }
    }
}

static void relax(Field *f)
{
    int w = f->width;
    for (int j = 0; j < f->ny; j++) {
        const double *row = f->h + (size_t)j * w;
        const double *up = f->h + (size_t)((j + 1) % f->ny) * w;
        const double *down = f->h + (size_t)((j + f->ny - 1) % f->ny) * w;
        for (int i = 0; i < w; i++)
            f->hn[(size_t)j * w + i] = row[i] + 0.2 * (up[i] + down[i] - 2 * row[i]);
    }
    double *t = f->h;
    f->h = f->hn;
    f->hn = t;
}

static void set_frame_view(MPI_File fh, const Field *f, int rank, int size)
{
    MPI_Datatype stripes;
    MPI_Type_vector(f->ny * f->nstripes, STRIPE, STRIPE * size, MPI_DOUBLE, &stripes);
    MPI_Datatype frame;
    MPI_Type_create_resized(stripes, 0, (MPI_Aint)f->ny * f->nx * (MPI_Aint)sizeof(double), &frame);
    MPI_Type_commit(&frame);
    MPI_File_set_view(fh, (MPI_Offset)rank * STRIPE * (MPI_Offset)sizeof(double), MPI_DOUBLE, frame,
                      "native", MPI_INFO_NULL);
    MPI_Type_free(&frame);
    MPI_Type_free(&stripes);
}

static void write_frame(MPI_File fh, const Field *f, int frame)
{
    MPI_Offset cells = (MPI_Offset)f->ny * f->width;
    MPI_File_write_at_all(fh, frame * cells, f->h, (int)cells, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = argc > 1 ? atoi(argv[1]) : 512;
    int frames = argc > 2 ? atoi(argv[2]) : 10;

    Field field;
    init_field(&field, n, n, rank, size);
    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "height.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &fh);
    set_frame_view(fh, &field, rank, size);
    for (int frame = 0; frame < frames; frame++) {
        for (int k = 0; k < 5; k++)
            relax(&field);
        write_frame(fh, &field, frame);
    }
    MPI_File_close(&fh);

    double sum = 0, total = 0;
    for (long i = 0; i < (long)field.ny * field.width; i++)
        sum += field.h[i];
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("frames %d  volume %.6f\n", frames, total);
    free(field.h);
    free(field.hn);
    MPI_Finalize();
    return 0;
}
