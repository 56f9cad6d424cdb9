// Phase-fold the epochs of a variable star survey and print the binned light curve.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

struct Epoch {
    double jd;
    double mag;
    float err;
    int32_t band;
    int32_t detector;
    int32_t quality;
};

struct SurveyHeader {
    char magic[4];
    int32_t count;
    int32_t record_bytes;
    int32_t reserved;
};

class EpochReader {
public:
    explicit EpochReader(const std::string &path) : in_(path, std::ios::binary)
    {
        if (!in_) {
            std::cerr << "cannot open " << path << "\n";
            std::exit(1);
        }
        in_.read(reinterpret_cast<char *>(&head_), sizeof head_);
        if (std::memcmp(head_.magic, "LCV2", 4) != 0) {
            std::cerr << path << ": not a survey file\n";
            std::exit(1);
        }
        block_.resize(8192u * head_.record_bytes);
    }

    int size() const { return head_.count; }

    bool next(Epoch &e)
    {
        if (at_ == filled_) {
            in_.read(block_.data(), block_.size());
            filled_ = in_.gcount() / head_.record_bytes;
            at_ = 0;
            if (filled_ == 0)
                return false;
        }
        std::memcpy(&e, block_.data() + at_++ * head_.record_bytes, sizeof e);
        return true;
    }

private:
    std::ifstream in_;
    SurveyHeader head_{};
    std::vector<char> block_;
    std::size_t at_ = 0, filled_ = 0;
};

struct PhaseBin {
    double sum = 0, weight = 0;
    long n = 0;
};

int main(int argc, char **argv)
{
    double period = argc > 1 ? std::atof(argv[1]) : 0.5668;
    const int nbin = 40;
    std::vector<PhaseBin> curve(nbin * 5);
    EpochReader reader("survey_epochs.bin");

    Epoch e;
    long used = 0;
    while (reader.next(e)) {
        if (e.quality != 0 || e.band < 0 || e.band > 4)
            continue;
        double phase = (e.jd - 2459000.0) / period;
        phase -= std::floor(phase);
        PhaseBin &b = curve[e.band * nbin + static_cast<int>(phase * nbin) % nbin];
        double w = 1.0 / (e.err * e.err);
        b.sum += w * e.mag;
        b.weight += w;
        b.n++;
        used++;
    }
    std::printf("%ld of %d epochs used\n", used, reader.size());
    for (int band = 0; band < 5; band++)
        for (int k = 0; k < nbin; k += 8) {
            const PhaseBin &b = curve[band * nbin + k];
            std::printf("%d %.3f %.5f %ld\n", band, (k + 0.5) / nbin, b.sum / b.weight, b.n);
        }
    return 0;
}
