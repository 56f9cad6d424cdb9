// lane_sheet: the lanes of each sample of a sequencing run, with reads and Q30
// from the .stats files that bcl2fastq leaves next to the FASTQ files.
//
//   lane_sheet RUNDIR samples.txt sheet.tsv
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Lane {
    std::string file;
    int lane = 0, read = 0;
    long reads = 0;
    double q30 = 0;
};

class Run {
public:
    explicit Run(fs::path dir) : dir_(std::move(dir))
    {
        for (const auto &entry : fs::directory_iterator(dir_))
            names_.push_back(entry.path().filename().string());
        std::sort(names_.begin(), names_.end());
    }

    // files of one sample, by name: SAMPLE_Sn_L00x_Ry_001.stats
    std::vector<std::string> files_of(const std::string &sample) const
    {
        std::vector<std::string> found;
        const std::string prefix = sample + "_S";
        auto it = std::lower_bound(names_.begin(), names_.end(), prefix);
        for (; it != names_.end() && it->compare(0, prefix.size(), prefix) == 0; ++it)
            found.push_back(*it);
        return found;
    }

    Lane load(const std::string &name) const
    {
        Lane l;
        l.file = name;
        const auto at = name.find("_L00");
        if (at != std::string::npos) l.lane = name[at + 4] - '0';
        const auto r = name.find("_R", at);
        if (r != std::string::npos) l.read = name[r + 2] - '0';
        std::ifstream in(dir_ / name);
        std::string key;
        while (in >> key) {
            if (key == "reads") in >> l.reads;
            else if (key == "q30") in >> l.q30;
        }
        return l;
    }

private:
    fs::path dir_;
    std::vector<std::string> names_;
};

int main(int argc, char **argv)
{
    if (argc != 4) {
        std::cerr << "usage: lane_sheet RUNDIR samples.txt sheet.tsv\n";
        return 2;
    }
    const Run run(argv[1]);
    std::ifstream list(argv[2]);
    std::ofstream sheet(argv[3]);
    if (!list || !sheet) {
        std::cerr << "cannot open the lists\n";
        return 1;
    }

    long samples = 0, files = 0, reads = 0;
    double weighted = 0;
    std::string sample, deepest;
    long most = 0;
    while (std::getline(list, sample)) {
        long mine = 0;
        for (const auto &name : run.files_of(sample)) {
            const Lane l = run.load(name);
            sheet << sample << '\t' << l.lane << '\t' << l.read << '\t' << l.reads << '\t' << l.q30 << '\t' << l.file << '\n';
            mine += l.reads;
            weighted += l.q30 * l.reads;
            files++;
        }
        if (mine > most) {
            most = mine;
            deepest = sample;
        }
        reads += mine;
        samples++;
    }
    std::printf("samples %ld files %ld reads %ld\n", samples, files, reads);
    std::printf("mean Q30 %.5f deepest %s (%ld)\n", weighted / reads, deepest.c_str(), most);
    return 0;
}
