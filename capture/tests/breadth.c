/* One call of every family, with known sizes and offsets, in the directory
 * given as argument. */
#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <wchar.h>

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static void data_calls(void)
{
    char bytes[1000] = {1};
    struct iovec vector[2] = {{bytes, 100}, {bytes, 50}};
    int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
    EXPECT(write(fd, bytes, 1000) == 1000);
    EXPECT(writev(fd, vector, 2) == 150);
    EXPECT(pwritev(fd, vector, 2, 3000) == 150);
    EXPECT(preadv(fd, vector, 2, 3000) == 150);
    EXPECT(preadv2(fd, vector, 2, -1, 0) == 150);
    EXPECT(lseek(fd, 10, SEEK_SET) == 10);
    EXPECT(readv(fd, vector, 2) == 150);
    int same = dup(fd);
    EXPECT(read(same, bytes, 40) == 40);
    EXPECT(read(fd, bytes, 5) == 5);
    int other = openat(AT_FDCWD, "./x/../other", O_RDWR | O_CREAT | O_TRUNC, 0600);
    EXPECT(sendfile(other, fd, &(off_t){500}, 300) == 300);
    EXPECT(copy_file_range(fd, &(off64_t){0}, other, NULL, 200, 0) == 200);
    EXPECT(dprintf(other, "%d\n", 12345) == 6);
    EXPECT(fsync(fd) == 0 && fdatasync(other) == 0);
    EXPECT(ftruncate(other, 100) == 0 && truncate("other", 90) == 0);
    EXPECT(posix_fallocate(fd, 0, 8192) == 0);
    EXPECT(posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL) == 0);
    EXPECT(flock(fd, LOCK_EX) == 0);
    EXPECT(fcntl(fd, F_SETFL, O_APPEND) == 0);
    EXPECT(write(fd, bytes, 7) == 7);
    char *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    EXPECT(msync(map, 8192, MS_SYNC) == 0 && munmap(map, 8192) == 0);
    struct aiocb request = {.aio_fildes = other, .aio_buf = bytes, .aio_nbytes = 60, .aio_offset = 20};
    const struct aiocb *list[] = {&request};
    EXPECT(aio_read(&request) == 0 && aio_suspend(list, 1, NULL) == 0 && aio_return(&request) == 60);
    close(same);
    close(other);
    close(fd);
}

static void tree_calls(void)
{
    struct stat status;
    struct statvfs system;
    char target[100];
    EXPECT(mkdir("dir", 0700) == 0);
    EXPECT(rename("data", "dir/renamed") == 0);
    EXPECT(link("dir/renamed", "hard") == 0 && symlink("hard", "soft") == 0);
    EXPECT(readlink("soft", target, sizeof target) == 4);
    EXPECT(stat("hard", &status) == 0 && lstat("soft", &status) == 0 && access("hard", R_OK) == 0);
    EXPECT(statvfs(".", &system) == 0);
    int directory = open("dir", O_RDONLY | O_DIRECTORY);
    EXPECT(fstatat(directory, "renamed", &status, 0) == 0);
    EXPECT(faccessat(directory, "missing", F_OK, 0) == -1 && errno == ENOENT);
    close(directory);
    DIR *stream = opendir("dir");
    int entries = 0;
    while (readdir(stream) != NULL)
        entries++;
    EXPECT(entries == 3 && closedir(stream) == 0);
    EXPECT(chmod("hard", 0644) == 0 && chdir("dir") == 0);
    EXPECT(unlink("renamed") == 0 && chdir("..") == 0 && rmdir("dir") == 0);
    char name[] = "tempXXXXXX";
    int fd = mkstemp(name);
    EXPECT(write(fd, name, 10) == 10 && close(fd) == 0 && unlink(name) == 0);
}

static void stream_calls(void)
{
    char line[100], *grown = NULL;
    size_t room = 0;
    int number;
    FILE *stream = fopen("stream", "w+");
    EXPECT(fprintf(stream, "%d\n", 42) == 3);
    EXPECT(fputs("second line\n", stream) >= 0);
    EXPECT(fwrite(line, 10, 10, stream) == 10);
    EXPECT(fflush(stream) == 0);
    rewind(stream);
    EXPECT(fscanf(stream, "%d", &number) == 1 && number == 42);
    EXPECT(fgetc(stream) == '\n' && ungetc('z', stream) == 'z' && fgetc(stream) == 'z');
    EXPECT(getline(&grown, &room, stream) == 12);
    EXPECT(fseek(stream, -50, SEEK_END) == 0 && ftell(stream) == 65);
    EXPECT(fread(line, 1, 100, stream) == 50);
    EXPECT(fclose(stream) == 0);
    stream = fopen("stream", "a");
    EXPECT(fputs("more\n", stream) >= 0 && fclose(stream) == 0);
    stream = popen("cat > /dev/null", "w");
    EXPECT(fputs("to a pipe", stream) >= 0 && pclose(stream) == 0);
    stream = fopen("wide", "w");
    EXPECT(fwprintf(stream, L"%d wide\n", 7) == 7 && fclose(stream) == 0);
    free(grown);
}

int main(int argc, char **argv)
{
    if (argc < 2 || chdir(argv[1]) != 0)
        return 2;
    mkdir("x", 0700);
    data_calls();
    tree_calls();
    stream_calls();
    return 0;
}
