/* A program with a library in its own file, as a static HDF5 is: its calls pass no hook.
 *
 *     static_library FILE
 */
#include <fcntl.h>
#include <unistd.h>

__attribute__((noinline)) long H5Fopen(const char *name, unsigned flags, long access)
{
    (void)flags;
    (void)access;
    return open(name, O_CREAT | O_RDWR, 0600);
}

int main(int count, char **arguments)
{
    long file = count == 2 ? H5Fopen(arguments[1], 0, 0) : -1;
    return file >= 0 && write((int)file, "12345678", 8) == 8 ? 0 : 1;
}
