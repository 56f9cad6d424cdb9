/* Moored buoys in a drifting current: temperature and speed at every buoy, hourly;
 * a rank serves a region of its own and keeps a netCDF-4 file for it. */
#include <mpi.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define CHECK(e) do { int rc_ = (e); if (rc_ != NC_NOERR) { \
    fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, nc_strerror(rc_)); \
    MPI_Abort(MPI_COMM_WORLD, 4); } } while (0)

struct region {
    int nbuoy, nhour, rank;
    int nc, v_temp, v_speed, v_time;
    float *temp, *speed;
};

static void create_file(struct region *r)
{
    char name[32];
    int d[2];
    size_t chunk[2] = { 64, r->nbuoy };
    snprintf(name, sizeof name, "region%02d.nc", r->rank);
    CHECK(nc_create(name, NC_NETCDF4 | NC_CLOBBER, &r->nc));
    CHECK(nc_def_dim(r->nc, "time", r->nhour, &d[0]));
    CHECK(nc_def_dim(r->nc, "buoy", r->nbuoy, &d[1]));
    CHECK(nc_def_var(r->nc, "time", NC_DOUBLE, 1, d, &r->v_time));
    CHECK(nc_def_var(r->nc, "temp", NC_FLOAT, 2, d, &r->v_temp));
    CHECK(nc_def_var(r->nc, "speed", NC_FLOAT, 2, d, &r->v_speed));
    CHECK(nc_def_var_chunking(r->nc, r->v_temp, NC_CHUNKED, chunk));
    CHECK(nc_def_var_chunking(r->nc, r->v_speed, NC_CHUNKED, chunk));
    CHECK(nc_put_att_text(r->nc, r->v_temp, "units", 4, "degC"));
    CHECK(nc_put_att_text(r->nc, r->v_speed, "units", 5, "m s-1"));
    CHECK(nc_enddef(r->nc));
}

static void simulate(struct region *r, int hour)
{
    for (int b = 0; b < r->nbuoy; b++) {
        double ph = 0.2618 * hour + 0.1 * b + r->rank;
        r->temp[b] = (float)(12.0 + 3.0 * sin(ph / 24.0) + 0.3 * sin(ph));
        r->speed[b] = (float)fabs(0.4 * cos(0.506 * hour + 0.05 * b) + 0.1);
    }
}

static void record(const struct region *r, int hour)
{
    double t = hour;
    size_t h = hour;
    CHECK(nc_put_var1_double(r->nc, r->v_time, &h, &t));
    for (int b = 0; b < r->nbuoy; b++) {
        size_t at[2] = { hour, b };
        CHECK(nc_put_var1_float(r->nc, r->v_temp, at, &r->temp[b]));
        CHECK(nc_put_var1_float(r->nc, r->v_speed, at, &r->speed[b]));
    }
}

static double verify(const struct region *r)
{
    size_t n = (size_t)r->nhour * r->nbuoy;
    float *all = malloc(n * sizeof *all);
    double sum = 0;
    CHECK(nc_get_var_float(r->nc, r->v_temp, all));
    for (size_t i = 0; i < n; i++) sum += all[i];
    CHECK(nc_get_var_float(r->nc, r->v_speed, all));
    for (size_t i = 0; i < n; i++) sum += 10.0 * all[i];
    free(all);
    return sum;
}

int main(int argc, char **argv)
{
    struct region r;
    int nproc;
    double s, total;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    r.nbuoy = argc > 1 ? atoi(argv[1]) : 100;
    r.nhour = argc > 2 ? atoi(argv[2]) : 720;
    r.temp = malloc(r.nbuoy * sizeof(float));
    r.speed = malloc(r.nbuoy * sizeof(float));
    create_file(&r);
    for (int h = 0; h < r.nhour; h++) {
        simulate(&r, h);
        record(&r, h);
    }
    s = verify(&r);
    CHECK(nc_close(r.nc));
    MPI_Reduce(&s, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (r.rank == 0) {
        FILE *f = fopen("regions.txt", "w");
        fprintf(f, "regions %d buoys %d hours %d\n", nproc, r.nbuoy, r.nhour);
        fclose(f);
        printf("regions %d checksum %.6e\n", nproc, total);
    }
    free(r.temp); free(r.speed);
    MPI_Finalize();
    return 0;
}
