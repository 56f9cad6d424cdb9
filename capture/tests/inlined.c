/* Writes a stream by fwrite and by putc that the compiler inlined, which calls nothing
 * while there is room in the buffer:  inlined FILE */
#include <stdio.h>

static void put(char character, FILE *stream)
{
    __putc_unlocked_body(character, stream);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (file == NULL)
        return 2;
    for (int line = 0; line < 1000; line++) {
        fwrite("seven..", 1, 7, file);
        put('\n', file);
        if (line % 300 == 0)
            fflush(file);
    }
    fseek(file, 100, SEEK_SET);
    put('x', file);
    put('y', file);
    fclose(file);
    for (int i = 0; i < 50; i++)
        put('z', stdout);
    return 0;
}
