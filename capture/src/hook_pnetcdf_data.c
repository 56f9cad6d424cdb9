/* Reads and writes of PnetCDF: 800 functions.
 *
 * Those of a C type take a buffer; the flexible ones also take how many of
 * which MPI datatype it holds. Non-blocking ones end with a request. */
#include "hook_netcdf_data.h"

#define TYPED void *buffer
#define FLEXIBLE void *buffer, int64_t buffer_count, uintptr_t buffer_type
#define TYPED_ARGUMENTS buffer
#define FLEXIBLE_ARGUMENTS buffer, buffer_count, buffer_type

#define HOOK(name, KEY, parameters, arguments, ...)                                                                    \
    DIYA_NETCDF_HOOK(ncmpi_##name, DIYA_API_PNETCDF, NCMPI_##KEY, parameters, arguments, __VA_ARGS__)

/* ncmpi_put_vara_double, or ncmpi_put_vara_double_all */
#define BLOCKING(verb, shape, SHAPE, type, all, KEY)                                                                   \
    HOOK(verb##_##shape##type##all, KEY, (P_##SHAPE, TYPED), (A_##SHAPE, TYPED_ARGUMENTS), R_##SHAPE)
#define BLOCKING_FLEXIBLE(verb, shape, SHAPE, all, KEY)                                                                \
    HOOK(verb##_##shape##all, KEY, (P_##SHAPE, FLEXIBLE), (A_##SHAPE, FLEXIBLE_ARGUMENTS), R_##SHAPE)

/* ncmpi_iput_vara_double; `all` is empty */
#define NONBLOCKING(verb, shape, SHAPE, type, all, KEY)                                                                \
    HOOK(verb##_##shape##type##all, KEY, (P_##SHAPE, TYPED, int *request), (A_##SHAPE, TYPED_ARGUMENTS, request),      \
         R_##SHAPE)
#define NONBLOCKING_FLEXIBLE(verb, shape, SHAPE, all, KEY)                                                             \
    HOOK(verb##_##shape##all, KEY, (P_##SHAPE, FLEXIBLE, int *request), (A_##SHAPE, FLEXIBLE_ARGUMENTS, request),      \
         R_##SHAPE)

#define ALL_TYPES(MODE, verb, shape, SHAPE, all, KEY)                                                                  \
    MODE##_FLEXIBLE(verb, shape, SHAPE, all, KEY) MODE(verb, shape, SHAPE, _text, all, KEY)                            \
        MODE(verb, shape, SHAPE, _schar, all, KEY) MODE(verb, shape, SHAPE, _uchar, all, KEY)                          \
            MODE(verb, shape, SHAPE, _short, all, KEY) MODE(verb, shape, SHAPE, _ushort, all, KEY)                     \
                MODE(verb, shape, SHAPE, _int, all, KEY) MODE(verb, shape, SHAPE, _uint, all, KEY)                     \
                    MODE(verb, shape, SHAPE, _long, all, KEY) MODE(verb, shape, SHAPE, _float, all, KEY)               \
                        MODE(verb, shape, SHAPE, _double, all, KEY) MODE(verb, shape, SHAPE, _longlong, all, KEY)      \
                            MODE(verb, shape, SHAPE, _ulonglong, all, KEY)

#define BLOCKING_SHAPE(verb, VERB, shape, SHAPE)                                                                       \
    ALL_TYPES(BLOCKING, verb, shape, SHAPE, , VERB##_##SHAPE)                                                          \
    ALL_TYPES(BLOCKING, verb, shape, SHAPE, _all, VERB##_##SHAPE##_ALL)

#define BLOCKING_SHAPES(verb, VERB)                                                                                    \
    BLOCKING_SHAPE(verb, VERB, var, VAR)                                                                               \
    BLOCKING_SHAPE(verb, VERB, var1, VAR1)                                                                             \
    BLOCKING_SHAPE(verb, VERB, vara, VARA)                                                                             \
    BLOCKING_SHAPE(verb, VERB, vars, VARS)                                                                             \
    BLOCKING_SHAPE(verb, VERB, varm, VARM)                                                                             \
    BLOCKING_SHAPE(verb, VERB, varn, VARN)                                                                             \
    BLOCKING_FLEXIBLE(verb, vard, VARD, , VERB##_VARD)                                                                 \
    BLOCKING_FLEXIBLE(verb, vard, VARD, _all, VERB##_VARD_ALL)

#define NONBLOCKING_SHAPES(verb, VERB)                                                                                 \
    ALL_TYPES(NONBLOCKING, verb, var, VAR, , VERB##_VAR)                                                               \
    ALL_TYPES(NONBLOCKING, verb, var1, VAR1, , VERB##_VAR1)                                                            \
    ALL_TYPES(NONBLOCKING, verb, vara, VARA, , VERB##_VARA)                                                            \
    ALL_TYPES(NONBLOCKING, verb, vars, VARS, , VERB##_VARS)                                                            \
    ALL_TYPES(NONBLOCKING, verb, varm, VARM, , VERB##_VARM)                                                            \
    ALL_TYPES(NONBLOCKING, verb, varn, VARN, , VERB##_VARN)

BLOCKING_SHAPES(put, PUT)
BLOCKING_SHAPES(get, GET)
NONBLOCKING_SHAPES(iput, IPUT)
NONBLOCKING_SHAPES(iget, IGET)
NONBLOCKING_SHAPES(bput, BPUT)
