/* Completion of non-blocking MPI-IO from Fortran. */
#include "fortran_mpi.h"

/* Waits differ in what follows the requests; all of it is handed on. */
typedef void (*one_function)(void *, void *, void *, void *);
typedef void (*many_function)(int32_t *, void *, void *, void *, void *, void *);

static bool begin_wait(struct diya_mpi_wait *wait, uint16_t function, const void *requests, int count,
                       const void *caller)
{
    if (!diya_mpi_begin_wait(wait, function, requests, count, true, caller))
        return false;
    diya_mpi_inside++;
    return true;
}

static void end_wait(struct diya_mpi_wait *wait, const int32_t *error)
{
    diya_mpi_end_wait(wait, fortran_returned(&wait->mpi, error));
}

/* wait(request, status, error), test(request, flag, status, error) */
#define ONE(symbol, KEY, error)                                                                                        \
    DIYA_EXPORT void symbol(void *request, void *second, void *third, void *fourth)                                    \
    {                                                                                                                  \
        one_function real = (one_function)DIYA_LAYER_REAL(symbol, DIYA_CALLER);                                        \
        struct diya_mpi_wait wait;                                                                                     \
        bool is_recorded = begin_wait(&wait, DIYA_F_##KEY, request, 1, DIYA_CALLER);                                   \
        real(request, second, third, fourth);                                                                          \
        if (is_recorded)                                                                                               \
            end_wait(&wait, error);                                                                                    \
    }

/* waitall(count, requests, statuses, error), testall and waitany have one
 * argument more, waitsome, testany and testsome two */
#define MANY(symbol, KEY, error)                                                                                       \
    DIYA_EXPORT void symbol(int32_t *count, void *requests, void *third, void *fourth, void *fifth, void *sixth)       \
    {                                                                                                                  \
        many_function real = (many_function)DIYA_LAYER_REAL(symbol, DIYA_CALLER);                                      \
        struct diya_mpi_wait wait;                                                                                     \
        bool is_recorded = begin_wait(&wait, DIYA_F_##KEY, requests, *count, DIYA_CALLER);                             \
        real(count, requests, third, fourth, fifth, sixth);                                                            \
        if (is_recorded)                                                                                               \
            end_wait(&wait, error);                                                                                    \
    }

FORTRAN_NAMES(ONE, mpi_wait, MPI_WAIT, third)
FORTRAN_NAMES(ONE, mpi_test, MPI_TEST, fourth)
FORTRAN_NAMES(MANY, mpi_waitall, MPI_WAITALL, fourth)
FORTRAN_NAMES(MANY, mpi_testall, MPI_TESTALL, fifth)
FORTRAN_NAMES(MANY, mpi_waitany, MPI_WAITANY, fifth)
FORTRAN_NAMES(MANY, mpi_waitsome, MPI_WAITSOME, sixth)
FORTRAN_NAMES(MANY, mpi_testany, MPI_TESTANY, sixth)
FORTRAN_NAMES(MANY, mpi_testsome, MPI_TESTSOME, sixth)
