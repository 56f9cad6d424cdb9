/* Programs that close what they did not open, and that use up what there is. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int open_file(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
    if (fd < 0)
        abort();
    return fd;
}

static int write_times(int fd, int times)
{
    for (int i = 0; i < times; i++)
        if (write(fd, "8 bytes\n", 8) != 8)
            return errno;
    return 0;
}

static int close_all(const char *path)
{
    write_times(open_file(path), 3);
    for (int fd = 3; fd < 65536; fd++)
        close(fd);
    write_times(open_file(path), 3);
    closefrom(3);
    write_times(open_file(path), 3);
    return 0;
}

static int dup_over(const char *path)
{
    int fd = open_file(path);
    for (int other = 3; other < 200; other++)
        if (other != fd)
            dup2(fd, other);
    write_times(150, 2);
    close(fd);
    return write_times(151, 2);
}

/* Nothing left for the recorder either. */
static int no_descriptors(const char *path)
{
    int fd = open_file(path);
    write_times(fd, 10);
    struct rlimit limit = {16, 16};
    setrlimit(RLIMIT_NOFILE, &limit);
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
    int failed = write_times(fd, 40000);
    close(9);
    return failed != 0 ? failed : write_times(fd, 1000);
}

/* From the start: not even the segment can be made at once. */
static int no_descriptors_at_start(const char *path)
{
    struct rlimit before, limit;
    getrlimit(RLIMIT_NOFILE, &before);
    limit = before;
    limit.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < 5; i++)
        if (open(path, O_RDONLY) >= 0)
            return 1;
    limit.rlim_cur = before.rlim_cur;
    setrlimit(RLIMIT_NOFILE, &limit);
    return write_times(open_file(path), 20);
}

/* The segment cannot be reached any more. */
static int out_of_reach(const char *path, int is_chroot)
{
    int fd = open_file(path);
    write_times(fd, 10);
    if (is_chroot ? chroot("/proc") != 0 : seteuid(65534) != 0)
        return 77; /* not permitted here */
    return write_times(fd, 40000);
}

static void size_exceeded(int number)
{
    (void)number;
    _exit(99);
}

static int small_files(const char *path, long most)
{
    signal(SIGXFSZ, size_exceeded);
    struct rlimit limit = {(rlim_t)most, (rlim_t)most};
    setrlimit(RLIMIT_FSIZE, &limit);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 50000; i++) {
        if (pwrite(fd, "8 bytes\n", 8, 8 * (i % 100)) != 8)
            return 1;
        if (lseek(fd, i * 7919 % 700, SEEK_SET) < 0)
            return 2;
    }
    return 0;
}

/* One file through a plain descriptor, one that waits for the disk, and a copy of that. */
static int two_kinds(const char *path)
{
    int plain = open(path, O_RDWR | O_CREAT, 0600), waiting = open(path, O_RDWR | O_DSYNC), copy = dup(waiting);
    int is_wrong = pwrite(plain, "8 bytes\n", 8, 0) != 8;
    is_wrong += pwrite(waiting, "8 bytes\n", 8, 8) != 8;
    is_wrong += write(copy, "8 bytes\n", 8) != 8;
    is_wrong += pread(waiting, (char[8]){0}, 8, 0) != 8;
    return is_wrong + (write(plain, "8 bytes\n", 8) != 8);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const char *mode = argv[1];
    return strcmp(mode, "close_all") == 0                 ? close_all(argv[2])
           : strcmp(mode, "dup_over") == 0                ? dup_over(argv[2])
           : strcmp(mode, "no_descriptors") == 0          ? no_descriptors(argv[2])
           : strcmp(mode, "no_descriptors_at_start") == 0 ? no_descriptors_at_start(argv[2])
           : strcmp(mode, "chroot") == 0                  ? out_of_reach(argv[2], 1)
           : strcmp(mode, "seteuid") == 0                 ? out_of_reach(argv[2], 0)
           : strcmp(mode, "small_files") == 0             ? small_files(argv[2], 200000)
           : strcmp(mode, "two_kinds") == 0               ? two_kinds(argv[2])
           : strcmp(mode, "tiny_files") == 0              ? small_files(argv[2], 4096)
                                                          : 3;
}
