/* The program of stacks.diya: two writers and a reader, called from main.
 *
 *   cc -g -o stacks stacks.c && diya run --stacks --force -o stacks.diya -- ./stacks
 */
#include <fcntl.h>
#include <unistd.h>

static char block[65536];

static void save_header(int file) {
    for (int n = 0; n < 20; n++) pwrite(file, block, 64, n * 64);
}

static void save_state(int file) {
    save_header(file);
    for (int n = 1; n < 30; n++) pwrite(file, block, sizeof block, n * (off_t)sizeof block);
    fsync(file);
}

static void load(int file) {
    for (int n = 1; n < 30; n++) pread(file, block, sizeof block, n * (off_t)sizeof block);
}

int main(void) {
    int file = open("state.bin", O_CREAT | O_RDWR | O_TRUNC, 0644);
    save_state(file);
    load(file);
    return close(file);
}
