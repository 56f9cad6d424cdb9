/* Two-element radio interferometer: FX correlator.
 *
 * The sampled voltages of both antennas are read block by block, Fourier
 * transformed, multiplied and integrated for a set of trial delays; the fringe
 * peak gives the residual delay of the baseline.
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK (1 << 20)
#define NFFT 4096

static double complex twiddle[NFFT / 2];

static void fft(double complex *a)
{
    for (int i = 1, j = 0; i < NFFT; i++) {
        int bit = NFFT >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
    for (int len = 2; len <= NFFT; len <<= 1)
        for (int i = 0; i < NFFT; i += len)
            for (int k = 0; k < len / 2; k++) {
                double complex u = a[i + k];
                double complex w = twiddle[k * (NFFT / len)];
                double complex v = a[i + k + len / 2];
                double complex p = CMPLX(creal(v) * creal(w) - cimag(v) * cimag(w),
                                         creal(v) * cimag(w) + cimag(v) * creal(w));
                a[i + k] = u + p;
                a[i + k + len / 2] = u - p;
            }
}

static void load(const unsigned char *raw, double complex *out)
{
    for (int i = 0; i < NFFT; i++) {
        double w = 0.5 - 0.5 * cos(2 * M_PI * i / NFFT);
        out[i] = w * (raw[i] - 127.5);
    }
}

static size_t next_block(FILE *f, unsigned char *buf)
{
    return fread(buf, 1, BLOCK, f);
}

int main(int argc, char **argv)
{
    int hop = argc > 1 ? atoi(argv[1]) : 1024;
    FILE *f1 = fopen("ant1.raw", "rb"), *f2 = fopen("ant2.raw", "rb");
    unsigned char *b1 = malloc(BLOCK), *b2 = malloc(BLOCK);
    double complex *s1 = malloc(NFFT * sizeof *s1), *s2 = malloc(NFFT * sizeof *s2);
    double complex *acc = calloc(NFFT, sizeof *acc);
    long spectra = 0, blocks = 0;
    if (!f1 || !f2) {
        perror("antenna file");
        return 1;
    }
    for (int k = 0; k < NFFT / 2; k++)
        twiddle[k] = cexp(-2 * M_PI * I * k / NFFT);
    FILE *log = fopen("fringe.log", "w");
    while (next_block(f1, b1) == BLOCK && next_block(f2, b2) == BLOCK) {
        for (int off = 0; off + NFFT <= BLOCK; off += hop) {
            load(b1 + off, s1);
            load(b2 + off, s2);
            fft(s1);
            fft(s2);
            for (int k = 0; k < NFFT; k++)
                acc[k] += s1[k] * conj(s2[k]);
            spectra++;
        }
        blocks++;
        fprintf(log, "block %ld  band power %.6e\n", blocks, cabs(acc[NFFT / 8]) / spectra);
        fflush(log);
    }
    fclose(log);
    fclose(f1);
    fclose(f2);
    /* lag spectrum: transform of the conjugate cross spectrum */
    for (int k = 0; k < NFFT; k++)
        acc[k] = conj(acc[k]);
    fft(acc);
    int best = 0;
    for (int k = 1; k < NFFT; k++)
        if (cabs(acc[k]) > cabs(acc[best]))
            best = k;
    f1 = fopen("lags.bin", "wb");
    fwrite(acc, sizeof *acc, NFFT, f1);
    fclose(f1);
    printf("blocks %ld  spectra %ld  delay %d samples\n", blocks, spectra,
           best > NFFT / 2 ? best - NFFT : best);
    return 0;
}
