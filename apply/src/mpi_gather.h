/* Written pieces of a file in memory, until they are written together. No MPI here. */
#ifndef APPLY_MPI_GATHER_H
#define APPLY_MPI_GATHER_H

#include "settings.h"

#include <stddef.h>

struct piece {
    int64_t offset;   /* in the file */
    size_t bytes, at; /* at: where they are in the memory */
};

struct gathered {
    bool keeps_calls; /* pieces that follow each other stay what the program wrote in one call */
    size_t room, used;
    char *memory;
    size_t count, piece_room;
    struct piece *pieces;
    int64_t low, high; /* of all pieces */
    bool is_sorted;    /* they came in the order of the file, without overlap */
};

/* false: there is no room, or no memory. */
APPLY_HIDDEN bool apply_gathered_add(struct gathered *gathered, int64_t offset, const void *bytes, size_t count);
APPLY_HIDDEN bool apply_gathered_touches(const struct gathered *gathered, int64_t offset, size_t count);
/* Puts the pieces in the order of the file: of bytes written twice the last ones count, pieces
 * that overlap become one, neighbours too unless calls are kept, and the memory has all of it
 * one after another. false: there is no memory for that; then the pieces are as they came. */
APPLY_HIDDEN bool apply_gathered_sort(struct gathered *gathered);
/* After the sort: pieces that would remain if neighbours became one; and does that. */
APPLY_HIDDEN size_t apply_gathered_runs(const struct gathered *gathered);
APPLY_HIDDEN void apply_gathered_join(struct gathered *gathered);
APPLY_HIDDEN void apply_gathered_clear(struct gathered *gathered);
APPLY_HIDDEN void apply_gathered_free(struct gathered *gathered);

#endif
