/* Bouguer reduction of a marine gravity survey.
 * The survey file holds a header, the table of fixes (time, lat, lon) and,
 * behind it, the table of gravimeter readings (counts, spring, beam). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char magic[8]; long nfix; long off_fix; long off_grav; } Header;
typedef struct { double time; float lat, lon; } Fix;
typedef struct { float counts, spring, beam, depth; } Reading;
typedef struct { FILE *fp; Header hdr; } Survey;

static unsigned long long state = 88172645463325252ULL;
static double uniform(void)
{
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void make_survey(const char *path, long n)
{
    FILE *fp = fopen(path, "wb");
    Header h = { "GRAV002", n, sizeof(Header), 0 };
    h.off_grav = h.off_fix + n * (long)sizeof(Fix);
    fwrite(&h, sizeof h, 1, fp);
    for (long i = 0; i < n; i++) {
        Fix f = { i * 10.0, 43.0f + 1e-5f * i, -9.0f + 0.3f * (float)sin(i * 1e-3) };
        fwrite(&f, sizeof f, 1, fp);
    }
    for (long i = 0; i < n; i++) {
        Reading r;
        r.counts = (float)(9200.0 + 40.0 * sin(i * 4e-4) + uniform());
        r.spring = (float)(1.0 + 1e-4 * uniform());
        r.beam = (float)(0.2 * (uniform() - 0.5));
        r.depth = (float)(2500.0 + 900.0 * cos(i * 7e-4));
        fwrite(&r, sizeof r, 1, fp);
    }
    fclose(fp);
}

static int survey_open(Survey *s, const char *path)
{
    s->fp = fopen(path, "rb");
    if (!s->fp) return -1;
    if (fread(&s->hdr, sizeof s->hdr, 1, s->fp) != 1) return -1;
    return strcmp(s->hdr.magic, "GRAV002");
}

/* one observation = position and reading of the same epoch */
static int survey_get(Survey *s, long i, Fix *f, Reading *r)
{
    fseek(s->fp, s->hdr.off_fix + i * (long)sizeof(Fix), SEEK_SET);
    if (fread(f, sizeof *f, 1, s->fp) != 1) return -1;
    fseek(s->fp, s->hdr.off_grav + i * (long)sizeof(Reading), SEEK_SET);
    if (fread(r, sizeof *r, 1, s->fp) != 1) return -1;
    return 0;
}

static void survey_close(Survey *s)
{
    fclose(s->fp);
}

static double normal_gravity(double lat)
{
    double s2 = pow(sin(lat * M_PI / 180.0), 2);
    return 978032.53359 * (1 + 0.00193185265 * s2) / sqrt(1 - 0.00669437999 * s2);
}

static double eotvos(const Fix *a, const Fix *b)
{
    double dt = b->time - a->time;
    if (dt <= 0) return 0;
    double ve = (b->lon - a->lon) * 60.0 * cos(b->lat * M_PI / 180.0) / (dt / 3600.0);
    double vn = (b->lat - a->lat) * 60.0 / (dt / 3600.0);
    return 7.503 * ve * cos(b->lat * M_PI / 180.0) + 0.004154 * (ve * ve + vn * vn);
}

static double anomaly(const Fix *last, const Fix *f, const Reading *r)
{
    double g = 970000.0 + r->counts * r->spring + 3.2 * r->beam;
    return g + eotvos(last, f) - normal_gravity(f->lat) + 0.0687 * r->depth;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 100000;
    make_survey("survey.grv", n);
    Survey s;
    if (survey_open(&s, "survey.grv")) { fprintf(stderr, "bad survey\n"); return 1; }
    Fix f, last = {0};
    Reading r;
    double mean = 0, m2 = 0, smooth = 0;
    for (long i = 0; i < n; i++) {
        if (survey_get(&s, i, &f, &r)) { fprintf(stderr, "short file\n"); return 1; }
        if (i == 0) last = f;
        double a = anomaly(&last, &f, &r);
        smooth += 0.05 * (a - smooth);
        double d = smooth - mean;
        mean += d / (i + 1);
        m2 += d * (smooth - mean);
        last = f;
    }
    survey_close(&s);
    printf("epochs %ld mean %.4f mGal sd %.4f\n", n, mean, sqrt(m2 / n));
    return 0;
}
