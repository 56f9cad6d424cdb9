/* A stand-in for a library of pictures: built as libjpeg_stand_in.so, so that samples of
 * the processor find it by its name. */
#ifndef DECODER_H
#define DECODER_H

#include <stdint.h>

/* Changes the words of a picture as often as it has passes; decoding twice gives the same. */
void decode(const uint64_t *packed, uint64_t *picture, uint64_t words, int passes);

#endif
