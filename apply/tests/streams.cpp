// C++ file streams: they open a C stream, but write to its descriptor.
#include <fstream>
#include <iostream>
#include <sys/stat.h>

static long size_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? static_cast<long>(status.st_size) : -1;
}

int main()
{
    std::ofstream first("a.txt"), second("b.txt", std::ios::app);
    for (int i = 0; i < 100000; i++) {
        first << "line " << i << '\n';
        second << i << std::endl;
        if (i % 10000 == 0)
            std::cout << size_of("a.txt") << ' ' << size_of("b.txt") << ' ' << first.tellp() << '\n';
    }
    std::fstream both("c.txt", std::ios::in | std::ios::out | std::ios::trunc);
    both << "one two three\n";
    both.seekg(0);
    std::string word;
    both >> word;
    std::cout << word << ' ' << size_of("c.txt") << '\n';
    first.close();
    std::cout << size_of("a.txt") << '\n';
    return 0;
}
