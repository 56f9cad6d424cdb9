/* Functions that are only passed through, after something was done before (passing.def). */
#ifndef APPLY_PASSING_H
#define APPLY_PASSING_H

enum {
    APPLY_PASS_TELLS = 0, /* what is gathered is issued */
    APPLY_PASS_READS,     /* reads the stream that is argument `argument`; 9: stdin */
    APPLY_PASS_CHILD,
    APPLY_PASS_FORK,
    APPLY_PASS_EXEC,
    APPLY_PASS_END,
    APPLY_PASS_MOVES, /* bytes of the descriptors that are arguments 0 and `argument` */
    APPLY_PASS_MAP,
    APPLY_PASS_SHARES, /* memory, or descriptors that the kernel writes to by itself */
    APPLY_PASS_RECEIVES,
    APPLY_PASS_LIMITS, /* what is true of a descriptor that gathers may change */
    APPLY_PASS_MPI_START,
    APPLY_PASS_SYSCALL,
    APPLY_PASS_PRCTL,
    APPLY_PASS_VFORK,
};

#endif
