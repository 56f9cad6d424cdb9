/* Texts of results, and arithmetic that does not wrap. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *blockio_status_text(blockio_status status)
{
    switch (status) {
    case BLOCKIO_OK:
        return "success";
    case BLOCKIO_BAD_ARGUMENT:
        return "bad argument";
    case BLOCKIO_BAD_SHAPE:
        return "impossible shape";
    case BLOCKIO_OVERFLOW:
        return "size beyond 2^63 - 1 bytes";
    case BLOCKIO_OUT_OF_BOUNDS:
        return "outside the array";
    case BLOCKIO_OVERLAP:
        return "blocks of a write overlap";
    case BLOCKIO_SHORT_FILE:
        return "short file";
    case BLOCKIO_BYTE_ORDER:
        return "byte order";
    case BLOCKIO_WRONG_MODE:
        return "file is open for reading only";
    case BLOCKIO_NO_MEMORY:
        return "not enough memory";
    case BLOCKIO_SYSTEM:
        return "error of the system";
    case BLOCKIO_MPI:
        return "error of MPI";
    case BLOCKIO_RANKS_DIFFER:
        return "ranks gave different arguments";
    }
    return "unknown status";
}

blockio_status fail(blockio_error *error, blockio_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        error->status = status;
    }
    return status;
}

void clear_error(blockio_error *error)
{
    if (error != NULL) {
        error->status = BLOCKIO_OK;
        error->text[0] = '\0';
    }
}

bool multiply(int64_t a, int64_t b, int64_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

bool add(int64_t a, int64_t b, int64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

/* Never NULL for nothing; NULL for what does not fit in memory. */
void *allocate(size_t count, size_t size_bytes)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size_bytes, &bytes))
        return NULL;
    return malloc(bytes == 0 ? 1 : bytes);
}
