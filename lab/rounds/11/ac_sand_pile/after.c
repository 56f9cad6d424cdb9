/* Bak-Tang-Wiesenfeld sand pile: avalanche sizes on an open square lattice.
 * The height field is kept in a file so that a run can be continued. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define L 256
#define CRITICAL 4
#define SIZES 40              /* logarithmic size classes */

typedef struct {
    int64_t grains, lost, topplings;
    uint64_t random;
    int32_t height[L][L];
} pile_t;

static pile_t pile;
static long histogram[SIZES];
static int stack[4 * L * L];

static double uniform(void)
{
    pile.random ^= pile.random << 13;
    pile.random ^= pile.random >> 7;
    pile.random ^= pile.random << 17;
    return (pile.random >> 11) * (1.0 / 9007199254740992.0);
}

static void start_pile(uint64_t seed)
{
    pile.random = seed;
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++)
            pile.height[i][j] = 2 + (int)(2 * uniform() + 0.12);
}

/* drop one grain at (i, j), relax, and return the number of topplings */
static long drop(int i, int j)
{
    int top = 0;
    long size = 0;
    pile.grains++;
    if (++pile.height[i][j] >= CRITICAL)
        stack[top++] = i * L + j;
    while (top > 0) {
        int s = stack[--top], a = s / L, b = s % L;
        if (pile.height[a][b] < CRITICAL)
            continue;
        pile.height[a][b] -= CRITICAL;
        if (pile.height[a][b] >= CRITICAL)
            stack[top++] = s;
        size++;
        const int da[4] = {1, -1, 0, 0}, db[4] = {0, 0, 1, -1};
        for (int k = 0; k < 4; k++) {
            int p = a + da[k], q = b + db[k];
            if (p < 0 || p >= L || q < 0 || q >= L)
                pile.lost++;
            else if (++pile.height[p][q] == CRITICAL)
                stack[top++] = p * L + q;
        }
    }
    pile.topplings += size;
    return size;
}

static void classify(long size)
{
    int c = size > 0 ? (int)(2.0 * log2((double)size)) + 1 : 0;
    histogram[c < SIZES ? c : SIZES - 1]++;
}

static void keep_state(void)
{
    FILE *f = fopen("pile.state", "wb");
    if (!f || fwrite(&pile, sizeof pile, 1, f) != 1) {
        perror("pile.state");
        exit(1);
    }
    fclose(f);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1000;
    int grains = argc > 2 ? atoi(argv[2]) : 100;    /* per round */

    start_pile(88172645463325252ULL);
    for (int r = 1; r <= rounds; r++) {
        for (int g = 0; g < grains; g++) {
            int i = (int)(L * uniform()), j = (int)(L * uniform());
            classify(drop(i, j));
        }
        if (r % 100 == 0 || r == rounds)
            keep_state();
    }

    FILE *out = fopen("avalanches.txt", "w");
    for (int c = 0; c < SIZES; c++)
        fprintf(out, "%12.1f %ld\n", c ? pow(2.0, (c - 1) / 2.0) : 0.0, histogram[c]);
    fclose(out);
    printf("%lld grains, %lld lost, %.3f topplings per grain\n", (long long)pile.grains,
           (long long)pile.lost, (double)pile.topplings / pile.grains);
    return 0;
}
