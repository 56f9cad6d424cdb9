/* Threads share a file and a plan each way: for ThreadSanitizer.
 *
 *   threads FILE
 */
#include "blockio.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, SIDE = 24, ROUNDS = 20 };

static blockio_file *file;
static const blockio_array array = {.dims = 2, .shape = {SIDE, SIDE}, .byte_order = BLOCKIO_BIG};

static void *work(void *argument)
{
    int64_t own = *(int64_t *)argument, *wrong = argument;
    blockio_block block = {.start = {0, own * SIDE / THREADS}, .count = {SIDE, SIDE / THREADS}};
    double values[SIDE * SIDE / THREADS], read[SIDE * SIDE / THREADS];
    blockio_plan *plan;
    *wrong = blockio_plan_blocks(file, &array, &block, 1, &plan, NULL);
    for (int round = 0; round < ROUNDS && *wrong == 0; round++) {
        for (int i = 0; i < SIDE * SIDE / THREADS; i++)
            values[i] = (double)(own * 1000000 + round * 1000 + i);
        *wrong += blockio_write(file, plan, values, NULL) + blockio_read(file, plan, read, NULL);
        for (int i = 0; i < SIDE * SIDE / THREADS; i++)
            *wrong += read[i] != values[i];
    }
    blockio_plan_free(&plan);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    int64_t number[THREADS], wrong = argc != 2 || blockio_open(argv[1], BLOCKIO_CREATE, NULL, &file, NULL);
    for (int i = 0; i < THREADS && wrong == 0; i++) {
        number[i] = i;
        if (pthread_create(&thread[i], NULL, work, &number[i]) != 0)
            return 1;
    }
    for (int i = 0; i < THREADS && wrong == 0; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++)
        wrong += number[i];
    wrong += blockio_close(&file, NULL);
    printf("threads: %lld wrong\n", (long long)wrong);
    return wrong != 0;
}
