/* Receive 512-byte data packets of a digitiser over a local socket, check their
 * sequence and keep them in a ring file. The digitiser is simulated by a child. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PACKET 512

struct packet {
    uint32_t seq;
    uint16_t channel;
    uint16_t count;
    int32_t data[(PACKET - 8) / 4];
};

struct ring {
    FILE *fp;
    long slots;
    long next;
};

static void pause_us(long us)
{
    struct timespec t = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&t, NULL);
}

static int send_all(int fd, const void *p, size_t n)
{
    const char *c = p;
    while (n > 0) {
        ssize_t k = send(fd, c, n, MSG_NOSIGNAL);
        if (k <= 0)
            return -1;
        c += k;
        n -= (size_t)k;
    }
    return 0;
}

static int recv_all(int fd, void *p, size_t n)
{
    char *c = p;
    size_t got = 0;
    while (got < n) {
        ssize_t k = recv(fd, c + got, n - got, 0);
        if (k <= 0)
            return got == 0 && k == 0 ? 0 : -1;
        got += (size_t)k;
    }
    return 1;
}

static void digitiser(int fd, int packets, long interval)
{
    uint32_t r = 12345;
    struct packet p;
    memset(&p, 0, sizeof p);
    for (int i = 0; i < packets; i++) {
        p.seq = (uint32_t)i;
        p.channel = (uint16_t)(i % 3);
        p.count = (PACKET - 8) / 4;
        for (int k = 0; k < p.count; k++) {
            r = r * 1664525u + 1013904223u;
            p.data[k] = (int32_t)(r >> 18) - 8192;
        }
        pause_us(interval);
        if (send_all(fd, &p, sizeof p) < 0)
            break;
    }
    close(fd);
    _exit(0);
}

static void ring_put(struct ring *r, const struct packet *p)
{
    if (r->next == r->slots) {
        r->next = 0;
        rewind(r->fp);
    }
    fwrite(p, sizeof *p, 1, r->fp);
    r->next++;
}

int main(int argc, char **argv)
{
    int packets = argc > 1 ? atoi(argv[1]) : 600;
    long interval = argc > 2 ? atol(argv[2]) : 2000;
    int sv[2];
    struct ring ring = {fopen("ring.bin", "w+b"), 256, 0};
    if (!ring.fp || socketpair(AF_UNIX, SOCK_STREAM, 0, sv) < 0) {
        perror("set-up");
        return 1;
    }
    pid_t child = fork();
    if (child == 0) {
        close(sv[0]);
        digitiser(sv[1], packets, interval);
    }
    close(sv[1]);

    struct packet p;
    uint32_t expect = 0;
    long gaps = 0, n = 0;
    double sum[3] = {0}, sq[3] = {0};
    long count[3] = {0};
    while (recv_all(sv[0], &p, sizeof p) > 0) {
        if (p.seq != expect)
            gaps++;
        expect = p.seq + 1;
        int c = p.channel % 3;
        for (int k = 0; k < p.count; k++) {
            sum[c] += p.data[k];
            sq[c] += (double)p.data[k] * p.data[k];
        }
        count[c] += p.count;
        ring_put(&ring, &p);
        n++;
    }
    fclose(ring.fp);
    waitpid(child, NULL, 0);
    printf("packets %ld gaps %ld\n", n, gaps);
    for (int c = 0; c < 3; c++)
        printf("channel %d mean %.4f power %.1f\n", c, count[c] ? sum[c] / count[c] : 0.0,
               count[c] ? sq[c] / count[c] : 0.0);
    return 0;
}
