/* Makes the calls that the traces in this folder hold; ../traces.toml counts them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(int holds) {
    if (!holds) _exit(1);
}

static void *read_in_a_thread(void *path) {
    char bytes[100];
    int fd = open(path, O_RDONLY);
    must(pread(fd, bytes, 100, 4096) == 100);
    close(fd);
    return NULL;
}

int main(void) {
    char block[4096] = {0}, path[] = "data.bin";
    int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0644);
    for (int i = 0; i < 8; i++) must(write(fd, block, 4096) == 4096);
    lseek(fd, 4096, SEEK_SET);
    must(read(fd, block, 100) == 100);
    must(pwrite(fd, block, 512, 8192) == 512);
    struct iovec two[2] = {{block, 10}, {block, 20}};
    must(writev(fd, two, 2) == 30);
    int second = dup(fd);
    must(write(second, block, 7) == 7);
    must(fsync(fd) == 0);
    close(second);
    open("absent.txt", O_RDONLY);
    struct stat about;
    must(stat(path, &about) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, read_in_a_thread, path);
    pthread_join(thread, NULL);
    if (fork() == 0) {
        int log = open("log.txt", O_CREAT | O_WRONLY | O_APPEND, 0644);
        must(write(log, "child\n", 6) == 6);
        _exit(3);
    }
    wait(NULL);
    close(fd);
    must(rename("log.txt", "log.old") == 0);
    must(unlink("log.old") == 0);
    return 0;
}
