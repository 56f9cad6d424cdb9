// Harmonic tide prediction at a network of buoys, stored as netCDF.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <netcdf.h>
#include <string>
#include <vector>

struct Constituent {
    double period_hours;
    double amplitude;
    double phase;
};

struct Buoy {
    double lat, lon;
    std::vector<Constituent> tide;
};

static void check(int status, const char *what)
{
    if (status != NC_NOERR) {
        std::fprintf(stderr, "%s: %s\n", what, nc_strerror(status));
        std::exit(1);
    }
}

static std::vector<Buoy> make_network(int n)
{
    const double periods[] = {12.4206, 12.0, 12.6583, 23.9345, 25.8193, 6.2103};
    std::vector<Buoy> net(n);
    for (int b = 0; b < n; b++) {
        net[b].lat = 30 + 20.0 * b / n;
        net[b].lon = -10 - 15.0 * std::fabs(std::sin(0.3 * b));
        for (int k = 0; k < 6; k++)
            net[b].tide.push_back({periods[k], 1.2 / (k + 1) * (1 + 0.1 * std::sin(b + k)),
                                   0.05 * b * (k + 1)});
    }
    return net;
}

struct Prediction {
    double level, rate;
};

static Prediction predict(const Buoy &b, double hours)
{
    Prediction p = {0, 0};
    for (const auto &c : b.tide) {
        double w = 6.283185307179586 / c.period_hours;
        p.level += c.amplitude * std::cos(w * hours - c.phase);
        p.rate -= c.amplitude * w * std::sin(w * hours - c.phase);
    }
    return p;
}

class TideFile {
public:
    TideFile(const char *path, size_t buoys, size_t hours)
    {
        int dims[2];
        check(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &id_), "create");
        check(nc_def_dim(id_, "time", hours, &dims[0]), "dim");
        check(nc_def_dim(id_, "buoy", buoys, &dims[1]), "dim");
        check(nc_def_var(id_, "level", NC_DOUBLE, 2, dims, &level_), "var");
        check(nc_def_var(id_, "rate", NC_DOUBLE, 2, dims, &rate_), "var");
        check(nc_def_var(id_, "lat", NC_DOUBLE, 1, &dims[1], &lat_), "var");
        check(nc_put_att_text(id_, level_, "units", 1, "m"), "att");
        check(nc_enddef(id_), "enddef");
    }

    void stations(const std::vector<double> &lat) { check(nc_put_var_double(id_, lat_, lat.data()), "lat"); }

    void record(const std::vector<double> &level, const std::vector<double> &rate)
    {
        check(nc_put_var_double(id_, level_, level.data()), "level");
        check(nc_put_var_double(id_, rate_, rate.data()), "rate");
    }

    void close() { check(nc_close(id_), "close"); }

private:
    int id_, level_, rate_, lat_;
};

int main(int argc, char **argv)
{
    int nbuoys = argc > 1 ? std::atoi(argv[1]) : 100;
    int nhours = argc > 2 ? std::atoi(argv[2]) : 500;
    auto net = make_network(nbuoys);
    TideFile out("tides.nc", nbuoys, nhours);
    double highest = 0;
    std::vector<double> lat(nbuoys), level((size_t)nhours * nbuoys), rate(level.size());
    for (int b = 0; b < nbuoys; b++)
        lat[b] = net[b].lat;
    out.stations(lat);
    for (int h = 0; h < nhours; h++) {
        for (int b = 0; b < nbuoys; b++) {
            Prediction p = predict(net[b], h);
            level[(size_t)h * nbuoys + b] = p.level;
            rate[(size_t)h * nbuoys + b] = p.rate;
            highest = std::fmax(highest, p.level);
        }
    }
    out.record(level, rate);
    out.close();
    std::printf("buoys %d  highest %.4f m\n", nbuoys, highest);
    return 0;
}
