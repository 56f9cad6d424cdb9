/* Random calls of MPI-IO by all ranks: files and what the calls answer are the same with and
 * without gathering.
 *
 *   mpi_random DIR SEEDS [all]    writes DIR/{small,medium,large}-SEED and DIR/answers.RANK
 *
 * Ranks write to blocks of their own, which change hands only after MPI_File_sync, so that
 * MPI defines every byte. "all" adds writes whose holes OMPIO 4.1 reads and writes back, over
 * what other ranks write meanwhile: collective ones, and those through a view with holes.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64, BLOCKS = 96, FILE_BYTES = BLOCK * BLOCKS, ROUNDS = 12, ORDERED_AT = FILE_BYTES };

static int rank, ranks, turn, has_holes;
static uint64_t common, own; /* random numbers of all ranks, and of this one */
static MPI_File file;
static FILE *answers;
static MPI_Datatype spread, ints;
static enum { BYTES, INTS, CONTIGUOUS, STRIPES } view;
static MPI_Offset displacement;

static unsigned pick(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

static void answer(const char *call, int error, MPI_Status *status)
{
    int bytes = -1, elements = -1;
    MPI_Offset position;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    MPI_Get_elements(status, MPI_SHORT, &elements);
    MPI_File_get_position(file, &position);
    fprintf(answers, "%s %d %d %d at %lld\n", call, error != 0, bytes, bytes % 2 == 0 ? elements : -1,
            (long long)position);
}

static void read_answer(const char *call, int error, MPI_Status *status, const unsigned char *bytes, int count)
{
    unsigned sum = 0;
    for (int i = 0; i < count; i++)
        sum = sum * 31 + bytes[i];
    fprintf(answers, "%u ", sum);
    answer(call, error, status);
}

static void set_view(unsigned kind)
{
    static const int etype_bytes[] = {1, 4, 8, 1};
    view = kind;
    displacement = kind == STRIPES ? 0 : 16 * (MPI_Offset)pick(&common, 4);
    MPI_Datatype etype = view == INTS ? MPI_INT : view == CONTIGUOUS ? ints : MPI_BYTE, filetype = etype;
    if (view == STRIPES) {
        MPI_Type_create_resized(MPI_BYTE, 0, ranks, &filetype);
        MPI_Type_commit(&filetype);
        displacement = rank;
    }
    MPI_File_set_view(file, displacement, etype, filetype, "native", MPI_INFO_NULL);
    if (view == STRIPES)
        MPI_Type_free(&filetype);
    MPI_File_get_view(file, &displacement, &etype, &filetype, (char[MPI_MAX_DATAREP_STRING]){0});
    MPI_Offset start;
    MPI_File_get_byte_offset(file, 5, &start);
    fprintf(answers, "view %d %lld %lld\n", etype_bytes[view], (long long)displacement, (long long)start);
}

/* A place of this rank: etypes from the start of the view, and how many bytes fit. */
static MPI_Offset place(int *bytes)
{
    if (view == STRIPES) {
        *bytes = 1 + (int)pick(&own, 30);
        return pick(&own, FILE_BYTES / (unsigned)ranks - 32);
    }
    int unit = view == BYTES ? 1 : view == INTS ? 4 : 8;
    unsigned block = pick(&own, BLOCKS / (unsigned)ranks - 1) + 1;
    int64_t start = (int64_t)BLOCK * (block * (unsigned)ranks + (unsigned)(rank + turn) % (unsigned)ranks);
    int inside = unit * (int)pick(&own, BLOCK / 2 / (unsigned)unit);
    *bytes = unit * (1 + (int)pick(&own, BLOCK / 2 / (unsigned)unit));
    return (start + inside - displacement) / unit;
}

static void independent(void)
{
    unsigned char bytes[2 * BLOCK];
    int count;
    MPI_Status status;
    MPI_Request request;
    memset(&status, 0, sizeof status);
    MPI_Offset at = place(&count);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)pick(&own, 256);
    switch (pick(&own, 60)) {
    case 0:
        MPI_File_iwrite_at(file, at, bytes, count, MPI_BYTE, &request);
        MPI_Wait(&request, &status);
        answer("iwrite_at", 0, &status);
        break;
    case 1 ... 5:
        if (count % 8 == 0)
            answer("spread", MPI_File_write_at(file, at, bytes, count / 4, spread, &status), &status);
        break;
    case 6 ... 15:
        read_answer("read_at", MPI_File_read_at(file, at, bytes, count, MPI_BYTE, &status), &status, bytes, count);
        break;
    case 16 ... 18:
        MPI_File_seek(file, at, MPI_SEEK_SET);
        read_answer("read", MPI_File_read(file, bytes, count, MPI_BYTE, &status), &status, bytes, count);
        break;
    case 19 ... 35:
        MPI_File_seek(file, at, MPI_SEEK_SET);
        answer("write", MPI_File_write(file, bytes, count, MPI_BYTE, &status), &status);
        break;
    case 36:
        answer("ignored", MPI_File_write_at(file, at, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE), &status);
        break;
    case 37 ... 38:
        MPI_File_seek(file, at, MPI_SEEK_SET);
        MPI_File_write(file, bytes, count, MPI_BYTE, &status);
        MPI_File_seek(file, 0, MPI_SEEK_CUR);
        answer("seek", 0, &status);
        break;
    default:
        answer("write_at", MPI_File_write_at(file, at, bytes, count, MPI_BYTE, &status), &status);
    }
}

static void collective(void)
{
    unsigned char bytes[2 * BLOCK];
    int count;
    MPI_Status status;
    memset(&status, 0, sizeof status);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)pick(&own, 256);
    MPI_Offset at = place(&count);
    unsigned call = pick(&common, 24);
    switch (has_holes || call < 12 || call > 16 ? call : 0) {
    case 0 ... 6:
        MPI_File_sync(file);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_sync(file);
        turn++;
        break;
    case 7 ... 11:
        /* Other views give other blocks to the ranks. */
        MPI_File_sync(file);
        MPI_Barrier(MPI_COMM_WORLD);
        set_view(pick(&common, has_holes ? 4 : 3));
        break;
    case 12 ... 14:
        answer("write_at_all", MPI_File_write_at_all(file, at, bytes, count, MPI_BYTE, &status), &status);
        break;
    case 15:
        MPI_File_seek(file, at, MPI_SEEK_SET);
        answer("write_all", MPI_File_write_all(file, bytes, count, MPI_BYTE, &status), &status);
        break;
    case 16:
        MPI_File_write_at_all_begin(file, at, bytes, count, MPI_BYTE);
        MPI_File_write_at_all_end(file, bytes, &status);
        answer("split", 0, &status);
        break;
    case 17 ... 18:
        read_answer("read_at_all", MPI_File_read_at_all(file, at, bytes, count, MPI_BYTE, &status), &status, bytes,
                    count);
        break;
    case 19:
        if (pick(&common, 4) == 0)
            MPI_File_set_atomicity(file, 1);
        break;
    case 20:
        if (view == BYTES && pick(&common, 4) == 0) {
            MPI_File_seek_shared(file, ORDERED_AT, MPI_SEEK_SET);
            answer("ordered", MPI_File_write_ordered(file, bytes, 8, MPI_BYTE, &status), &status);
        }
        break;
    default:
        MPI_File_set_size(file, FILE_BYTES + 2 * BLOCK);
    }
}

static void run(const char *folder, const char *name, unsigned seed)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%u", folder, name, seed);
    common = seed;
    own = seed * 1000u + (unsigned)rank;
    turn = 0;
    view = BYTES;
    displacement = 0;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    fprintf(answers, "%s-%u\n", name, seed);
    MPI_File_set_size(file, FILE_BYTES + 2 * BLOCK);
    for (int round = 0; round < ROUNDS; round++) {
        for (unsigned calls = pick(&own, 25); calls > 0; calls--)
            independent();
        collective();
    }
    MPI_File_close(&file);
}

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_vector(2, 2, 4, MPI_BYTE, &spread);
    MPI_Type_commit(&spread);
    MPI_Type_contiguous(2, MPI_INT, &ints);
    MPI_Type_commit(&ints);
    char path[4096];
    has_holes = count > 3;
    snprintf(path, sizeof path, "%s/answers.%d", arguments[1], rank);
    answers = fopen(path, "w");
    for (int seed = 1; seed <= atoi(arguments[2]); seed++) {
        run(arguments[1], "small", (unsigned)seed);
        run(arguments[1], "medium", (unsigned)seed + 1000);
        run(arguments[1], "large", (unsigned)seed + 2000);
    }
    fclose(answers);
    MPI_Finalize();
    return 0;
}
