/* lanes: run the k-mer counter on every lane of a job list and add up the tables
 * usage: lanes JOBLIST TOTALS       job list: "output : command words..." per line */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAXJOBS 64
#define MAXWORDS 32

struct job {
    char text[512];
    char *out;
    char *argv[MAXWORDS];
    pid_t pid;
};

static struct job jobs[MAXJOBS];
static long totals[1 << 12];

static int read_jobs(const char *path)
{
    FILE *in = fopen(path, "r");
    char line[512];
    int n = 0;
    if (!in) { fprintf(stderr, "lanes: %s: %s\n", path, strerror(errno)); exit(1); }
    while (n < MAXJOBS && fgets(line, sizeof line, in)) {
        struct job *j = &jobs[n];
        int w = 0;
        if (line[0] == '#' || line[0] == '\n') continue;
        strcpy(j->text, line);
        j->out = strtok(j->text, " \n");
        strtok(NULL, " \n");
        for (char *word; w < MAXWORDS - 1 && (word = strtok(NULL, " \n")); ) j->argv[w++] = word;
        if (!w) { fprintf(stderr, "lanes: no command for %s\n", j->out); exit(1); }
        n++;
    }
    fclose(in);
    return n;
}

static void start(struct job *j)
{
    j->pid = fork();
    if (j->pid < 0) { perror("lanes: fork"); exit(1); }
    if (j->pid == 0) {
        int fd = open(j->out, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (fd < 0) _exit(126);
        dup2(fd, STDOUT_FILENO);
        close(fd);
        execvp(j->argv[0], j->argv);
        _exit(127);
    }
}

static void finish(struct job *j)
{
    int status;
    while (waitpid(j->pid, &status, 0) < 0)
        if (errno != EINTR) { perror("lanes: waitpid"); exit(1); }
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        fprintf(stderr, "lanes: job for %s failed (%d)\n", j->out, status);
        exit(1);
    }
}

static long add_table(const char *path)
{
    FILE *in = fopen(path, "r");
    char word[64];
    long count, rows = 0;
    if (!in) { perror(path); exit(1); }
    while (fscanf(in, "%63s %ld", word, &count) == 2) {
        unsigned code = 0;
        for (char *p = word; *p; p++) code = code << 2 | (*p == 'C' ? 1 : *p == 'G' ? 2 : *p == 'T' ? 3 : 0);
        totals[code & 0xfff] += count;
        rows++;
    }
    fclose(in);
    return rows;
}

int main(int argc, char **argv)
{
    if (argc != 3) { fprintf(stderr, "usage: lanes JOBLIST TOTALS\n"); return 2; }
    int n = read_jobs(argv[1]);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 0; i < n + cores; i++) {   /* at most one running job per core */
        if (i >= cores && i - cores < n) finish(&jobs[i - cores]);
        if (i < n) start(&jobs[i]);
    }
    long sum = 0;
    for (int i = 0; i < n; i++) printf("%s %ld rows\n", jobs[i].out, add_table(jobs[i].out));
    FILE *out = fopen(argv[2], "w");
    if (!out) { perror(argv[2]); return 1; }
    for (unsigned c = 0; c < 1 << 12; c++) {
        if (!totals[c]) continue;
        for (int s = 10; s >= 0; s -= 2) putc("ACGT"[c >> s & 3], out);
        fprintf(out, " %ld\n", totals[c]);
        sum += totals[c];
    }
    if (fclose(out)) { perror(argv[2]); return 1; }
    printf("total %ld\n", sum);
    return 0;
}
