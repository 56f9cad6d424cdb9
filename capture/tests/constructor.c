/* A library whose constructor does I/O before the recorder's ran. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor(101))) static void early(void)
{
    const char *path = getenv("EARLY_FILE");
    int fd = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0 && write(fd, "8 bytes\n", 8) == 8)
        close(fd);
}
