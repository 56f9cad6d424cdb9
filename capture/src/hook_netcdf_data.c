/* Reads and writes of NetCDF-C: 150 functions. */
#include "hook_netcdf_data.h"

#define ONE(verb, VERB, shape, SHAPE, type)                                                                            \
    DIYA_NETCDF_HOOK(nc_##verb##_##shape##type, DIYA_API_NETCDF, NC_##VERB##_##SHAPE, (P_##SHAPE, void *buffer),       \
                     (A_##SHAPE, buffer), R_##SHAPE)

#define ALL_TYPES(verb, VERB, shape, SHAPE)                                                                            \
    ONE(verb, VERB, shape, SHAPE, )                                                                                    \
    ONE(verb, VERB, shape, SHAPE, _text)                                                                               \
    ONE(verb, VERB, shape, SHAPE, _schar)                                                                              \
    ONE(verb, VERB, shape, SHAPE, _uchar)                                                                              \
    ONE(verb, VERB, shape, SHAPE, _short)                                                                              \
    ONE(verb, VERB, shape, SHAPE, _ushort)                                                                             \
    ONE(verb, VERB, shape, SHAPE, _int)                                                                                \
    ONE(verb, VERB, shape, SHAPE, _uint)                                                                               \
    ONE(verb, VERB, shape, SHAPE, _long)                                                                               \
    ONE(verb, VERB, shape, SHAPE, _float)                                                                              \
    ONE(verb, VERB, shape, SHAPE, _double)                                                                             \
    ONE(verb, VERB, shape, SHAPE, _longlong)                                                                           \
    ONE(verb, VERB, shape, SHAPE, _ulonglong)                                                                          \
    ONE(verb, VERB, shape, SHAPE, _ubyte)                                                                              \
    ONE(verb, VERB, shape, SHAPE, _string)

#define ALL_SHAPES(verb, VERB)                                                                                         \
    ALL_TYPES(verb, VERB, var, VAR)                                                                                    \
    ALL_TYPES(verb, VERB, var1, VAR1)                                                                                  \
    ALL_TYPES(verb, VERB, vara, VARA)                                                                                  \
    ALL_TYPES(verb, VERB, vars, VARS)                                                                                  \
    ALL_TYPES(verb, VERB, varm, VARM)

ALL_SHAPES(put, PUT)
ALL_SHAPES(get, GET)
