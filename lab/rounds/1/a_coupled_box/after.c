/* Two box models of a coupled climate run in their own threads and exchange
 * their boundary values through two exchange files, step by step. */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LEVELS 256

struct boundary {
    double flux[LEVELS];
    long step;
};

struct model {
    const char *name;
    int in, out;
    int leads;
    long steps;
    double state[LEVELS];
};

static pthread_mutex_t exchange_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t exchange_news = PTHREAD_COND_INITIALIZER;
static long published[64];

static void put_boundary(int fd, long step, const struct boundary *b)
{
    if (pwrite(fd, b, sizeof *b, (off_t)step * (off_t)sizeof *b) != (ssize_t)sizeof *b)
        perror("exchange file");
    pthread_mutex_lock(&exchange_lock);
    published[fd] = step + 1;
    pthread_cond_broadcast(&exchange_news);
    pthread_mutex_unlock(&exchange_lock);
}

static void get_boundary(int fd, long step, struct boundary *b)
{
    pthread_mutex_lock(&exchange_lock);
    while (published[fd] <= step)
        pthread_cond_wait(&exchange_news, &exchange_lock);
    pthread_mutex_unlock(&exchange_lock);
    if (pread(fd, b, sizeof *b, (off_t)step * (off_t)sizeof *b) != (ssize_t)sizeof *b)
        perror("exchange file");
}

static void advance(struct model *m, const struct boundary *other)
{
    for (int sweep = 0; sweep < 20; sweep++)
        for (int k = 1; k < LEVELS - 1; k++)
            m->state[k] += 0.2 * (m->state[k - 1] - 2 * m->state[k] + m->state[k + 1])
                         + 1e-4 * (other->flux[k] - m->state[k]);
}

static void *integrate(void *arg)
{
    struct model *m = arg;
    struct boundary mine, other;
    for (long s = 0; s < m->steps; s++) {
        if (!m->leads) {
            get_boundary(m->in, s, &other);
            advance(m, &other);
        }
        for (int k = 0; k < LEVELS; k++)
            mine.flux[k] = m->state[k];
        mine.step = s;
        put_boundary(m->out, s, &mine);
        if (m->leads) {
            get_boundary(m->in, s, &other);
            advance(m, &other);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    long steps = argc > 1 ? atol(argv[1]) : 300;
    int a2o = open("atm2oce.xch", O_RDWR | O_CREAT | O_TRUNC, 0644);
    int o2a = open("oce2atm.xch", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (a2o < 0 || o2a < 0) {
        perror("exchange files");
        return 1;
    }
    static struct model atm, oce;
    atm = (struct model){ .name = "atmosphere", .in = o2a, .out = a2o, .leads = 1, .steps = steps };
    oce = (struct model){ .name = "ocean", .in = a2o, .out = o2a, .leads = 0, .steps = steps };
    for (int k = 0; k < LEVELS; k++) {
        atm.state[k] = 15.0 * sin(0.01 * k);
        oce.state[k] = 4.0 + 0.02 * k;
    }
    pthread_t ta, to;
    pthread_create(&ta, NULL, integrate, &atm);
    pthread_create(&to, NULL, integrate, &oce);
    pthread_join(ta, NULL);
    pthread_join(to, NULL);
    printf("%s %.8f  %s %.8f\n", atm.name, atm.state[LEVELS / 2], oce.name, oce.state[LEVELS / 2]);
    close(a2o);
    close(o2a);
    return 0;
}
