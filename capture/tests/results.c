/* Prints what calls return and what errno is: the same with the recorder. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void show(const char *what, long returned)
{
    printf("%s %ld %d\n", what, returned, errno);
    errno = 77; /* must be left alone by calls that succeed */
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    char bytes[100] = "some text";
    const char *path = argv[1];
    errno = 77;
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    show("open", fd);
    show("open null", open(NULL, O_RDONLY));
    show("open bad pointer", open((char *)8, O_RDONLY));
    show("open missing", open("/nonexistent/x", O_RDONLY));
    show("stat bad pointer", stat((char *)8, (struct stat *)bytes));
    show("rename bad pointers", rename((char *)8, (char *)9));
    show("write", write(fd, bytes, 9));
    show("write nothing", write(fd, bytes, 0));
    show("write bad pointer", write(fd, (void *)8, 5));
    show("writev bad vector", writev(fd, (struct iovec *)8, 2));
    show("writev too many", writev(fd, (struct iovec *)bytes, 100000));
    show("read at end", read(fd, bytes, 50));
    show("lseek", lseek(fd, 2, SEEK_SET));
    show("lseek before", lseek(fd, -5, SEEK_SET));
    show("read", read(fd, bytes, 50));
    show("pread negative", pread(fd, bytes, 50, -1));
    show("read no descriptor", read(-1, bytes, 5));
    show("read far descriptor", read(1 << 30, bytes, 5));
    show("fcntl", fcntl(fd, F_GETFL) & O_ACCMODE);
    show("ftruncate", ftruncate(fd, 4));
    show("mkdir exists", mkdir("/", 0755));
    show("unlink directory", unlink("/tmp"));
    show("rmdir missing", rmdir("/nonexistent"));
    show("readlink not a link", readlink(path, bytes, 10));
    show("mmap", mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED);
    show("mmap no descriptor", mmap(NULL, 4096, PROT_READ, MAP_SHARED, 1 << 30, 0) != MAP_FAILED);
    show("close", close(fd));
    show("close again", close(fd));
    FILE *stream = fopen(path, "w+");
    show("fopen", stream != NULL);
    show("fopen missing", fopen("/nonexistent/y", "r") != NULL);
    show("fprintf", fprintf(stream, "%d %s\n", 5, "five"));
    show("fflush", fflush(stream));
    rewind(stream);
    show("fgetc", fgetc(stream));
    show("ungetc", ungetc('z', stream));
    show("fgets", fgets(bytes, 100, stream) != NULL);
    printf("%s", bytes);
    show("fgetc at end", fgetc(stream));
    show("feof", feof(stream) != 0);
    show("fseek", fseek(stream, -2, SEEK_END));
    show("ftell", ftell(stream));
    show("fclose", fclose(stream));
    return 0;
}
