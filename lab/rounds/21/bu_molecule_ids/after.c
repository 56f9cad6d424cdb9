/* molecule_ids: give every UMI of the shards a number that is unique over the
 * whole run. The workers (one per shard) take the numbers from a sequence file,
 * as several of these jobs may run on one sample directory.
 *
 *   molecule_ids seqno shard0.umi shard1.umi ...
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int lock_reg(int fd, int type)
{
    struct flock fl;
    memset(&fl, 0, sizeof fl);
    fl.l_type = type;
    fl.l_whence = SEEK_SET;
    while (fcntl(fd, F_SETLKW, &fl) < 0)
        if (type == F_UNLCK) return -1;
    return 0;
}

#define BLOCK 1000

/* next number; a block of numbers is taken from the sequence file at once */
static long next_id(int fd)
{
    static long next, left;
    if (left > 0) {
        left--;
        return next++;
    }
    char buf[32];
    lock_reg(fd, F_WRLCK);
    ssize_t n = pread(fd, buf, sizeof buf - 1, 0);
    buf[n > 0 ? n : 0] = 0;
    long id = atol(buf);
    n = snprintf(buf, sizeof buf, "%ld\n", id + BLOCK);
    if (pwrite(fd, buf, n, 0) != n) {
        perror("seqno");
        exit(1);
    }
    lock_reg(fd, F_UNLCK);
    next = id + 1;
    left = BLOCK - 1;
    return id;
}

static int worker(const char *seqno, const char *shard)
{
    char out[512], umi[64];
    int fd = open(seqno, O_RDWR);
    FILE *in = fopen(shard, "r");
    snprintf(out, sizeof out, "%s.ids", shard);
    FILE *o = fopen(out, "w");
    if (fd < 0 || !in || !o) {
        perror(shard);
        return 1;
    }
    while (fgets(umi, sizeof umi, in)) {
        umi[strcspn(umi, "\n")] = 0;
        fprintf(o, "%ld\t%s\n", next_id(fd), umi);
    }
    fclose(in);
    fclose(o);
    close(fd);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: molecule_ids seqno shard...\n");
        return 2;
    }
    int fd = open(argv[1], O_CREAT | O_TRUNC | O_RDWR, 0644);
    if (fd < 0 || write(fd, "0\n", 2) != 2) {
        perror(argv[1]);
        return 1;
    }
    close(fd);

    for (int i = 2; i < argc; i++) {
        pid_t p = fork();
        if (p == 0) _exit(worker(argv[1], argv[i]));
        if (p < 0) {
            perror("fork");
            return 1;
        }
    }
    int st, bad = 0;
    while (wait(&st) > 0) bad += st != 0;

    /* every number once: count and sum */
    long n = 0, max = -1;
    double sum = 0;
    for (int i = 2; i < argc; i++) {
        char path[512], line[128];
        snprintf(path, sizeof path, "%s.ids", argv[i]);
        FILE *f = fopen(path, "r");
        while (f && fgets(line, sizeof line, f)) {
            long id = atol(line);
            n++;
            sum += id;
            if (id > max) max = id;
        }
        if (f) fclose(f);
    }
    printf("failed workers %d molecules %ld last %ld\n", bad, n, max);
    printf("numbers %s\n", sum == (double)n * (n - 1) / 2 && max == n - 1 ? "unique" : "broken");
    return 0;
}
