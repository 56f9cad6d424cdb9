/* Associate phase picks into events by time and keep the event journal. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pick {
    double t;
    char sta[8];
    char phase;
    double weight;
};

struct event {
    double origin;
    int picks, p, s;
    double weight;
    unsigned long long stations;
};

struct journal {
    int fd;
    long entries;
    unsigned sum;
};

static int by_time(const void *a, const void *b)
{
    double x = ((const struct pick *)a)->t, y = ((const struct pick *)b)->t;
    return (x > y) - (x < y);
}

static struct pick *load_picks(const char *path, size_t *count)
{
    FILE *fp = fopen(path, "r");
    size_t n = 0, cap = 1024;
    struct pick *v = malloc(cap * sizeof *v);
    if (!fp) {
        perror(path);
        exit(1);
    }
    while (fscanf(fp, "%lf %7s %c %lf", &v[n].t, v[n].sta, &v[n].phase, &v[n].weight) == 4)
        if (++n == cap) {
            cap *= 2;
            v = realloc(v, cap * sizeof *v);
        }
    fclose(fp);
    *count = n;
    return v;
}

static void journal_open(struct journal *j, const char *path)
{
    memset(j, 0, sizeof *j);
    j->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (j->fd < 0) {
        perror(path);
        exit(1);
    }
}

static void journal_add(struct journal *j, const struct event *e)
{
    char line[160];
    int n = snprintf(line, sizeof line, "EV %06ld %.3f n=%d P=%d S=%d w=%.3f sta=%010llx\n",
                     j->entries, e->origin, e->picks, e->p, e->s, e->weight, e->stations);
    for (int i = 0; i < n; i++)
        j->sum = j->sum * 31 + (unsigned char)line[i];
    if (write(j->fd, line, (size_t)n) != n) {
        perror("journal");
        exit(1);
    }
    fsync(j->fd);
    j->entries++;
}

static void journal_close(struct journal *j)
{
    fsync(j->fd);
    close(j->fd);
}

static int station_number(const char *s)
{
    return atoi(s + 2) & 63;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "picks.txt";
    double gap = argc > 2 ? atof(argv[2]) : 20.0;
    int least = argc > 3 ? atoi(argv[3]) : 3;
    size_t n, i = 0;
    long weak = 0;
    int largest = 0;
    struct journal j;
    struct pick *v = load_picks(path, &n);

    qsort(v, n, sizeof *v, by_time);
    journal_open(&j, "events.journal");
    while (i < n) {
        struct event e = {.origin = v[i].t};
        size_t k = i;
        while (k < n && v[k].t - v[i].t <= gap) {
            e.picks++;
            if (v[k].phase == 'P')
                e.p++;
            else
                e.s++;
            e.weight += v[k].weight;
            e.stations |= 1ull << station_number(v[k].sta);
            k++;
        }
        i = k;
        if (e.picks < least) {
            weak++;
            continue;
        }
        if (e.picks > largest)
            largest = e.picks;
        journal_add(&j, &e);
    }
    journal_close(&j);
    free(v);
    printf("picks %zu events %ld weak %ld largest %d journal %08x\n", n, j.entries, weak, largest, j.sum);
    return 0;
}
