/* What a program of MPI-IO sees of the settings.
 *
 *   mpi_program hints FILE KEY...   the hints of a file, which the program opens with one of its own
 *   mpi_program errors FILE         which calls fail
 *   mpi_program strided FILE N      each rank writes N small pieces between those of the others
 *   mpi_program unclosed FILE       ends without MPI_File_close
 *   mpi_program unfinished FILE     ends without MPI_Finalize, after a child that was forked has ended
 *   mpi_program sizes FILE          sizes and positions between calls
 *   mpi_program sparse FILE         many collective calls with little to write between them
 *   mpi_program threads FILE        two threads of rank 0 use a file; the others wait for the second one
 *   mpi_program view FILE           independent writes through a view with holes, of data with holes
 *   mpi_program turns FILE HOW      each rank reads at a place that the rank before it has read and sent: HOW is
 *                                   alone, readonly (alone, of a file opened so) or together (by a collective read)
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECE = 512 };

static int rank, ranks;

static MPI_File opened(const char *path, MPI_Info info)
{
    MPI_File file = MPI_FILE_NULL;
    int error = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
    if (error != MPI_SUCCESS)
        printf("open failed\n");
    return file;
}

static void show_hints(const char *when, MPI_File file, char **keys)
{
    MPI_Info info;
    MPI_File_get_info(file, &info);
    for (; rank == 0 && *keys != NULL; keys++) {
        char value[257];
        int is_there = 0;
        MPI_Info_get(info, *keys, 256, value, &is_there);
        printf("%s %s %s\n", when, *keys, is_there ? value : "none");
    }
    MPI_Info_free(&info);
}

static void hints(const char *path, char **keys)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_nodes", "1");
    MPI_File file = opened(path, info);
    int count;
    MPI_Info_get_nkeys(info, &count);
    if (rank == 0)
        printf("own %d\n", count); /* the program's info is as it was */
    show_hints("open", file, keys);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    show_hints("view", file, keys);
    MPI_Info_set(info, "cb_buffer_size", "65536");
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", info);
    show_hints("again", file, keys);
    MPI_Info_free(&info);
    MPI_File_close(&file);
}

static void errors(const char *path)
{
    char bytes[PIECE] = "x";
    MPI_File file = opened(path, MPI_INFO_NULL);
    MPI_Status status;
    int failed[3] = {0, 0, 0};
    for (int i = 0; i < 8; i++)
        failed[0] |= MPI_File_write_at(file, (MPI_Offset)PIECE * (i * ranks + rank), bytes, PIECE, MPI_BYTE, &status);
    /* Not MPI_File_sync: OMPIO leaves it early on a rank where fsync fails, and the others wait. */
    failed[1] = MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    int negative = MPI_File_write_at(file, -PIECE, bytes, PIECE, MPI_BYTE, &status);
    failed[2] = MPI_File_close(&file);
    if (rank == 0)
        printf("write %d view %d negative %d close %d\n", failed[0] != 0, failed[1] != 0, negative != 0,
               failed[2] != 0);
}

static void strided(const char *path, int pieces)
{
    char bytes[PIECE];
    memset(bytes, 'a' + rank, sizeof bytes);
    MPI_File file = opened(path, MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < pieces; i++)
        MPI_File_write_at(file, (MPI_Offset)PIECE * ((MPI_Offset)i * ranks + rank), bytes, PIECE, MPI_BYTE,
                          MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    double taken = MPI_Wtime() - start;
    if (rank == 0)
        printf("%.6f\n", taken);
}

static void unclosed(const char *path)
{
    MPI_File file = opened(path, MPI_INFO_NULL);
    for (int i = 0; i < 10; i++)
        MPI_File_write_at(file, 8 * (i * ranks + rank), "eight by", 8, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void sizes(const char *path)
{
    MPI_File file = opened(path, MPI_INFO_NULL);
    MPI_Offset size = -1, position = -1, end = -1;
    int values[4] = {1, 2, 3, 4};
    MPI_File_set_size(file, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == ranks - 1) {
        MPI_File_write_at(file, 1000, values, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_get_size(file, &size);
        MPI_File_seek(file, -16, MPI_SEEK_END);
        MPI_File_get_position(file, &end);
        MPI_File_write(file, values, 2, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_get_position(file, &position);
        MPI_File_read(file, values, 2, MPI_INT, MPI_STATUS_IGNORE);
        printf("size %lld end %lld position %lld read %d\n", (long long)size, (long long)end, (long long)position,
               values[0]);
    }
    MPI_File_close(&file);
}

/* The launcher kills the others when one rank ends so: only that one writes. */
static void unfinished(const char *path)
{
    MPI_File file = opened(path, MPI_INFO_NULL);
    for (int i = 0; rank == 0 && i < 10; i++)
        MPI_File_write_at(file, 16 * i, "eight by", 8, MPI_BYTE, MPI_STATUS_IGNORE);
    if (rank != 0)
        sleep(60);
    pid_t child = fork();
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
    exit(1);
}

static void sparse(const char *path)
{
    MPI_File file = opened(path, MPI_INFO_NULL);
    for (int i = 0; i < 40; i++) {
        MPI_File_write_at(file, 8 * (i * ranks + rank), "eight by", 8, MPI_BYTE, MPI_STATUS_IGNORE);
        if (i >= 10)
            MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    }
    MPI_File_close(&file);
}

enum { THREAD_PIECES = 200 };

/* Writes and reads back pieces, then tells the others. */
static void *second_thread(void *handle)
{
    MPI_File file = *(MPI_File *)handle;
    char bytes[8], found[8];
    int wrong = 0;
    for (int i = 0; i < THREAD_PIECES; i++) {
        snprintf(bytes, sizeof bytes, "t%06d", i);
        MPI_File_write_at(file, 8 * ((MPI_Offset)ranks * THREAD_PIECES + i), bytes, 8, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_read_at(file, 8 * ((MPI_Offset)ranks * THREAD_PIECES + i), found, 8, MPI_BYTE, MPI_STATUS_IGNORE);
        wrong += memcmp(bytes, found, 8) != 0;
    }
    for (int other = 1; other < ranks; other++)
        MPI_Send(&wrong, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    return NULL;
}

static void threads(const char *path)
{
    MPI_File file = opened(path, MPI_INFO_NULL);
    pthread_t second;
    int wrong = 0;
    if (rank == 0)
        pthread_create(&second, NULL, second_thread, &file);
    for (int i = 0; i < THREAD_PIECES; i++)
        MPI_File_write_at(file, 8 * ((MPI_Offset)i * ranks + rank), "eight by", 8, MPI_BYTE, MPI_STATUS_IGNORE);
    if (rank != 0)
        MPI_Recv(&wrong, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_File_sync(file); /* rank 0 is there before its second thread has told the others */
    if (rank == 0)
        pthread_join(second, NULL);
    else if (wrong > 0)
        printf("wrong %d\n", wrong);
    MPI_File_close(&file);
}

/* Each rank has every fourth int of its data, and every ranks-th of the file. */
static void view(const char *path)
{
    enum { CALLS = 30, INTS = 10 };
    int data[4 * INTS];
    MPI_File file = opened(path, MPI_INFO_NULL);
    MPI_Datatype spread, turns;
    MPI_Type_vector(INTS, 1, 4, MPI_INT, &spread);
    MPI_Type_vector(CALLS * INTS, 1, ranks, MPI_INT, &turns);
    MPI_Type_commit(&spread);
    MPI_Type_commit(&turns);
    MPI_File_set_view(file, 4 * (MPI_Offset)rank, MPI_INT, turns, "native", MPI_INFO_NULL);
    for (int call = 0; call < CALLS; call++) {
        for (int i = 0; i < 4 * INTS; i++)
            data[i] = i % 4 == 0 ? (call * INTS + i / 4) * ranks + rank : -1;
        MPI_File_write(file, data, 1, spread, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&spread);
    MPI_Type_free(&turns);
    MPI_File_close(&file);
}

/* No rank can read before the one before it has: a read that waits for the reads of others never ends. The
 * program is right by MPI, and no rank can know that it is such a program. */
static void turns(const char *path, const char *how)
{
    int place = 0, amode = strcmp(how, "readonly") == 0 ? MPI_MODE_RDONLY : MPI_MODE_RDWR;
    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, path, amode, MPI_INFO_NULL, &file) != MPI_SUCCESS)
        printf("open failed\n");
    alarm(strcmp(how, "together") == 0 ? 3 : 0);
    if (rank > 0)
        MPI_Recv(&place, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(how, "together") == 0)
        MPI_File_read_at_all(file, place, &place, 1, MPI_INT, MPI_STATUS_IGNORE);
    else
        MPI_File_read_at(file, place, &place, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (rank + 1 < ranks)
        MPI_Send(&place, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    else
        printf("last %d\n", place);
    MPI_File_close(&file);
}

int main(int count, char **arguments)
{
    const char *what = arguments[1], *path = arguments[2];
    int level;
    MPI_Init_thread(&count, &arguments, strcmp(what, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(what, "hints") == 0)
        hints(path, arguments + 3);
    else if (strcmp(what, "errors") == 0)
        errors(path);
    else if (strcmp(what, "strided") == 0)
        strided(path, atoi(arguments[3]));
    else if (strcmp(what, "threads") == 0)
        threads(path);
    else if (strcmp(what, "view") == 0)
        view(path);
    else if (strcmp(what, "turns") == 0)
        turns(path, arguments[3]);
    else if (strcmp(what, "sparse") == 0)
        sparse(path);
    else if (strcmp(what, "unclosed") == 0)
        unclosed(path);
    else if (strcmp(what, "unfinished") == 0)
        unfinished(path);
    else
        sizes(path);
    MPI_Finalize();
    return 0;
}
