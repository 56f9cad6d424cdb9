/* Flat field the amplifier sums of a night of CCD frames.  A calibration may
 * be overridden for the night, the run, the semester ...; the first file
 * found on the search path counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMP 16

static const char *const search_path[] = {
    "calib/night", "calib/run", "calib/semester", "calib/campaign",
    "calib/observatory", "calib/legacy", "calib/vendor", "calib/default",
};
static const char *const suffixes[] = { ".cal2", ".cal" };

struct flat {
    char filter;
    int ccd;
    double gain[NAMP];
};

static FILE *open_calibration(const char *stem)
{
    char path[256];
    for (size_t d = 0; d < sizeof search_path / sizeof *search_path; d++)
        for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes; s++) {
            snprintf(path, sizeof path, "%s/%s%s", search_path[d], stem, suffixes[s]);
            FILE *fp = fopen(path, "rb");
            if (fp)
                return fp;
        }
    return NULL;
}

static void load_flat(struct flat *f, char filter, int ccd)
{
    char stem[32];
    int tag[2];
    snprintf(stem, sizeof stem, "flat_%c_%02d", filter, ccd);
    FILE *fp = open_calibration(stem);
    if (!fp) {
        fprintf(stderr, "no calibration %s\n", stem);
        exit(1);
    }
    if (fread(tag, sizeof tag, 1, fp) != 1 || fread(f->gain, sizeof f->gain, 1, fp) != 1
        || tag[0] != filter || tag[1] != ccd) {
        fprintf(stderr, "bad calibration %s\n", stem);
        exit(1);
    }
    fclose(fp);
    f->filter = filter;
    f->ccd = ccd;
}

static void observe(double *amp, int exposure, int ccd)
{
    for (int a = 0; a < NAMP; a++)
        amp[a] = 1.0e4 + 300.0 * sin(0.37 * exposure + ccd) + 11.0 * a;
}

int main(int argc, char **argv)
{
    int nexp = argc > 1 ? atoi(argv[1]) : 3000;
    const char filters[] = "ugrizy";
    double total[6] = { 0 };
    long frames = 0;
    for (int e = 0; e < nexp; e++) {
        int k = e % 6;
        for (int ccd = 0; ccd < 12; ccd++) {
            double amp[NAMP];
            struct flat flat;
            load_flat(&flat, filters[k], ccd);
            observe(amp, e, ccd);
            for (int a = 0; a < NAMP; a++)
                total[k] += amp[a] / flat.gain[a];
            frames++;
        }
    }
    printf("%ld frames\n", frames);
    for (int k = 0; k < 6; k++)
        printf("%c %.6e\n", filters[k], total[k]);
    return 0;
}
