#include "decoder.h"

void decode(const uint64_t *packed, uint64_t *picture, uint64_t words, int passes)
{
    for (uint64_t i = 0; i < words; i++)
        picture[i] = packed[i];
    for (int pass = 0; pass < passes; pass++)
        for (uint64_t i = 1; i < words; i++)
            picture[i] = (picture[i] ^ picture[i - 1] >> 7) * 0x9e3779b97f4a7c15u;
}
