/* Writes from several lines of one function, through the same function with the same
 * frame:  paths FILE */
#include <fcntl.h>
#include <unistd.h>

static int file;

__attribute__((noinline)) static long put(const char *text)
{
    long done = write(file, text, 1);
    __asm__ volatile("" : "+r"(done));
    return done;
}

int main(int argc, char **argv)
{
    file = argc == 2 ? open(argv[1], O_CREAT | O_WRONLY, 0600) : -1;
    if (file < 0)
        return 2;
    long done = put("h");
    for (int i = 0; i < 100; i++) {
        done += put("a");
        done += put("b");
    }
    return done == 201 ? 0 : 3;
}
