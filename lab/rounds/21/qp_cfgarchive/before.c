/* Archive gauge configurations: big-endian, with a SciDAC-style checksum
 * (crc32 of each site, rotated by the site's number and xor-ed). */
#include <mpi.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SITE 72                 /* 4 links x 9 complex */
#define LX 16
#define LY 16
#define LZ 16
#define LT 40
#define NCFG 3

static uint32_t tab[256];

static void crc_init(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        tab[i] = c;
    }
}

static uint32_t crc(const unsigned char *p, size_t n)
{
    uint32_t c = ~0u;
    while (n--) c = tab[(c ^ *p++) & 255] ^ (c >> 8);
    return ~c;
}

static uint32_t rotl(uint32_t v, unsigned r) { return r ? v << r | v >> (32 - r) : v; }

/* swap to big-endian and add the sites to the checksum */
static uint32_t pack_sites(double *u, long n, long first)
{
    uint32_t sum = 0;
    for (long s = 0; s < n; s++) {
        uint64_t *w = (uint64_t *)(u + s * SITE);
        for (int k = 0; k < SITE; k++) w[k] = __builtin_bswap64(w[k]);
        sum ^= rotl(crc((unsigned char *)w, SITE * 8), (first + s) % 29);
    }
    return sum;
}

static void update(double *u, long n, int cfg, int me)
{
    uint64_t x = 88172645463325252ull + 977 * cfg + 31 * me;
    for (long i = 0; i < n * SITE; i++) {
        x ^= x << 13; x ^= x >> 7; x ^= x << 17;
        u[i] = (double)(int64_t)x * 1e-19;
    }
}

int main(int argc, char **argv)
{
    int me, np;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    crc_init();
    long vol = (long)LX * LY * LZ * LT, mine = vol / np;
    double *u = malloc(mine * SITE * sizeof *u);
    double *all = me == 0 ? malloc(vol * SITE * sizeof *all) : NULL;

    for (int cfg = 0; cfg < NCFG; cfg++) {
        update(u, mine, cfg, me);
        MPI_Gather(u, mine * SITE, MPI_DOUBLE, all, mine * SITE, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (me == 0) {
            uint32_t sum = pack_sites(all, vol, 0);
            FILE *f = fopen("lat.cfg", "wb");
            if (!f) MPI_Abort(MPI_COMM_WORLD, 1);
            fwrite(all, SITE * sizeof *all, vol, f);
            fclose(f);
            printf("cfg %d checksum %08x\n", cfg, sum);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(u);
    free(all);
    MPI_Finalize();
    return 0;
}
