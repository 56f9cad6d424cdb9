/* A library that only forwards: what preloading by itself costs. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define FORWARD(name)                                                                                                  \
    static __typeof__(&name) real;                                                                                     \
    if (__builtin_expect(real == NULL, 0))                                                                             \
    real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *buffer, size_t bytes)
{
    FORWARD(write);
    ssize_t returned = real(fd, buffer, bytes);
    return returned;
}

ssize_t pread(int fd, void *buffer, size_t bytes, off_t offset)
{
    FORWARD(pread);
    ssize_t returned = real(fd, buffer, bytes, offset);
    return returned;
}

ssize_t pwrite(int fd, const void *buffer, size_t bytes, off_t offset)
{
    FORWARD(pwrite);
    ssize_t returned = real(fd, buffer, bytes, offset);
    return returned;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    FORWARD(open);
    int returned = real(path, flags, mode);
    return returned;
}

int close(int fd)
{
    FORWARD(close);
    int returned = real(fd);
    return returned;
}

size_t fwrite(const void *buffer, size_t bytes, size_t count, FILE *stream)
{
    FORWARD(fwrite);
    size_t returned = real(buffer, bytes, count, stream);
    return returned;
}

int fputc(int character, FILE *stream)
{
    FORWARD(fputc);
    int returned = real(character, stream);
    return returned;
}

int fprintf(FILE *stream, const char *format, ...)
{
    FORWARD(vfprintf);
    va_list arguments;
    va_start(arguments, format);
    int returned = real(stream, format, arguments);
    va_end(arguments);
    return returned;
}
