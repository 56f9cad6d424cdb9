/* Writes of 64 bytes at offsets of its own, by so many threads:
 *
 *     writes FILE THREADS CALLS
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int file;
static long calls;

static void *work(void *unused)
{
    static const char bytes[64];
    for (long i = 0; i < calls; i++)
        if (pwrite(file, bytes, sizeof bytes, i % 100000 * 64) != sizeof bytes)
            exit(1);
    return unused;
}

int main(int count, char **arguments)
{
    int threads = count == 4 ? atoi(arguments[2]) : 0;
    if (threads < 1 || (file = open(arguments[1], O_RDWR | O_CREAT, 0600)) < 0)
        return 2;
    calls = atol(arguments[3]) / threads;
    pthread_t others[1024];
    for (int i = 1; i < threads && i < 1024; i++)
        if (pthread_create(&others[i], NULL, work, NULL) != 0)
            return 3;
    work(NULL);
    for (int i = 1; i < threads && i < 1024; i++)
        pthread_join(others[i], NULL);
    return 0;
}
