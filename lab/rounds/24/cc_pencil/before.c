/* Pseudo-spectral 2-D decaying field: slab-decomposed FFT with an all-to-all transpose
 * between the two directions (same plan as the FFTW-MPI / P3DFFT tutorials).
 * usage: spectral N STEPS */
#include <mpi.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double complex cplx;
static int n, rank, size, nl;
static cplx *tw, *sbuf, *rbuf;

static void fft(cplx *a, int sign)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) { cplx t = a[i]; a[i] = a[j]; a[j] = t; }
    }
    for (int len = 2; len <= n; len <<= 1)
        for (int i = 0; i < n; i += len)
            for (int k = 0; k < len / 2; k++) {
                cplx w = tw[k * (n / len)];
                if (sign < 0) w = conj(w);
                double ur = creal(a[i + k]), ui = cimag(a[i + k]);
                double br = creal(a[i + k + len / 2]), bi = cimag(a[i + k + len / 2]);
                double vr = br * creal(w) - bi * cimag(w), vi = br * cimag(w) + bi * creal(w);
                a[i + k] = (ur + vr) + I * (ui + vi);
                a[i + k + len / 2] = (ur - vr) + I * (ui - vi);
            }
}

static void transpose(cplx *a)
{
    for (int p = 0; p < size; p++)
        for (int i = 0; i < nl; i++)
            for (int j = 0; j < nl; j++)
                sbuf[((size_t)p * nl + j) * nl + i] = a[(size_t)i * n + p * nl + j];
    MPI_Alltoall(sbuf, 2 * nl * nl, MPI_DOUBLE, rbuf, 2 * nl * nl, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int p = 0; p < size; p++)
        for (int j = 0; j < nl; j++)
            for (int i = 0; i < nl; i++)
                a[(size_t)j * n + p * nl + i] = rbuf[((size_t)p * nl + j) * nl + i];
}

static void fft2(cplx *a, int sign)
{
    for (int j = 0; j < nl; j++) fft(a + (size_t)j * n, sign);
    transpose(a);
    for (int j = 0; j < nl; j++) fft(a + (size_t)j * n, sign);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 1024;
    int steps = argc > 2 ? atoi(argv[2]) : 8;
    if (n & (n - 1) || n % size) {
        if (!rank) fprintf(stderr, "N must be a power of two divisible by the ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    nl = n / size;
    size_t len = (size_t)nl * n;
    cplx *a = malloc(len * sizeof *a);
    sbuf = malloc(len * sizeof *a); rbuf = malloc(len * sizeof *a); tw = malloc(n * sizeof *a);
    if (!a || !sbuf || !rbuf || !tw) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int k = 0; k < n; k++) tw[k] = cexp(-2 * M_PI * I * k / n);
    for (int j = 0; j < nl; j++)
        for (int i = 0; i < n; i++)
            a[(size_t)j * n + i] = sin(0.02 * i) * cos(0.05 * (rank * nl + j)) + 0.1 * sin(0.9 * i * (rank * nl + j));
    for (int s = 0; s < steps; s++) {
        fft2(a, 1);                             /* now transposed, in wave space */
        for (int j = 0; j < nl; j++)
            for (int i = 0; i < n; i++) {
                int kx = i < n / 2 ? i : i - n, ky = rank * nl + j; if (ky >= n / 2) ky -= n;
                a[(size_t)j * n + i] *= exp(-1e-5 * ((double)kx * kx + (double)ky * ky)) / ((double)n * n);
            }
        fft2(a, -1);
        double e = 0, g;
        for (size_t i = 0; i < len; i++) e += creal(a[i]) * creal(a[i]);
        MPI_Allreduce(&e, &g, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (!rank) printf("step %d  energy %.9f\n", s, g / ((double)n * n));
    }
    free(a); free(sbuf); free(rbuf); free(tw);
    MPI_Finalize();
    return 0;
}
