// Theoretical isotopic envelopes of tryptic peptides -> reference library (HDF5)
//
// Peptide compositions are drawn from averagine; the envelope is the
// convolution of the elemental distributions, truncated to NPEAK peaks.

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NPEAK = 16, NELEM = 5 };

typedef struct {
  const char *sym;
  int niso;
  double mass, shift[4], frac[4];
  double per_residue;              // averagine
} element;

static const element TABLE[NELEM] = {
    {"C", 2, 12.0, {0, 1.003355}, {0.9893, 0.0107}, 4.9384},
    {"H", 2, 1.00782503, {0, 1.006277}, {0.999885, 0.000115}, 7.7583},
    {"N", 2, 14.0030740, {0, 0.997035}, {0.99636, 0.00364}, 1.3577},
    {"O", 3, 15.9949146, {0, 1.004217, 2.004246}, {0.99757, 0.00038, 0.00205}, 1.4773},
    {"S", 3, 31.9720707, {0, 0.999388, 1.995796}, {0.9499, 0.0075, 0.0425}, 0.0417},
};

typedef struct {
  int n[NELEM];
  double mono;
  double peak[NPEAK][2];           // mass, relative abundance
} peptide;

static unsigned lcg = 20011;
static double uniform(void) {
  lcg = lcg * 1664525u + 1013904223u;
  return lcg / 4294967296.0;
}

static void compose(peptide *p) {
  int residues = 6 + (int)(24 * uniform());
  p->mono = 18.0105647;
  for (int e = 0; e < NELEM; e++) {
    p->n[e] = (int)(residues * TABLE[e].per_residue * (0.9 + 0.2 * uniform()) + 0.5);
    p->mono += p->n[e] * TABLE[e].mass;
  }
}

static void convolve(double *a, const double *b) {
  double c[NPEAK] = {0};
  for (int i = 0; i < NPEAK; i++)
    for (int j = 0; i + j < NPEAK; j++) c[i + j] += a[i] * b[j];
  memcpy(a, c, sizeof c);
}

static void envelope(peptide *p) {
  double total[NPEAK] = {1.0};
  for (int e = 0; e < NELEM; e++) {
    double base[NPEAK] = {0};
    for (int k = 0; k < TABLE[e].niso; k++) base[k] = TABLE[e].frac[k];
    for (int m = p->n[e]; m > 0; m >>= 1) { // binary powers
      if (m & 1) convolve(total, base);
      convolve(base, base);
    }
  }
  double top = 0;
  for (int i = 0; i < NPEAK; i++) top = fmax(top, total[i]);
  for (int i = 0; i < NPEAK; i++) {
    p->peak[i][0] = p->mono + 1.00286864 * i;
    p->peak[i][1] = total[i] / top;
  }
}

// all envelopes as one table [peptide][peak][mass, abundance]
static void deposit_all(hid_t grp, hsize_t count, const double *table) {
  hsize_t dims[3] = {count, NPEAK, 2};
  hid_t space = H5Screate_simple(3, dims, NULL);
  hid_t set = H5Dcreate2(grp, "peptides", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, table);
  H5Dclose(set);
  H5Sclose(space);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 80000;
  hid_t file = H5Fcreate("library.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t grp = H5Gcreate2(file, "envelopes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  double heaviest = 0;
  double *table = malloc(sizeof(double) * 2 * NPEAK * count);
  for (int id = 0; id < count; id++) {
    peptide p;
    compose(&p);
    envelope(&p);
    memcpy(table + (size_t)id * 2 * NPEAK, p.peak, sizeof p.peak);
    heaviest = fmax(heaviest, p.mono);
  }
  deposit_all(grp, count, table);
  free(table);
  H5Gclose(grp);
  H5Fclose(file);
  printf("%d peptides, heaviest %.4f Da\n", count, heaviest);
  return 0;
}
