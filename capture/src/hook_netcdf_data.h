/* Argument lists of the data calls of NetCDF-C and PnetCDF.
 *
 * One function name is verb_shape_type: P_ is the list of parameters of a
 * shape, A_ the arguments handed on, R_ the region of the variable it means.
 */
#ifndef DIYA_HOOK_NETCDF_DATA_H
#define DIYA_HOOK_NETCDF_DATA_H

#include "hook_netcdf.h"

#define P_VAR int ncid, int varid
#define P_VAR1 P_VAR, const int64_t *start
#define P_VARA P_VAR1, const int64_t *count
#define P_VARS P_VARA, const int64_t *stride
#define P_VARM P_VARS, const int64_t *map
#define P_VARN P_VAR, int blocks, const int64_t *const *starts, const int64_t *const *counts
#define P_VARD P_VAR, uintptr_t file_type

#define A_VAR ncid, varid
#define A_VAR1 A_VAR, start
#define A_VARA A_VAR1, count
#define A_VARS A_VARA, stride
#define A_VARM A_VARS, map
#define A_VARN A_VAR, blocks, starts, counts
#define A_VARD A_VAR, file_type

#define R_VAR {.kind = DIYA_WHOLE}
#define R_VAR1 {.kind = DIYA_ELEMENT}
#define R_VARA {.kind = DIYA_BLOCK, .count = count}
#define R_VARS R_VARA
#define R_VARM R_VARA
#define R_VARN {.kind = DIYA_BLOCKS, .blocks = blocks, .counts = counts}
#define R_VARD {.kind = DIYA_FILE_TYPE, .file_type = file_type}

/* One hook. `parameters`, `arguments` and `region` come in parentheses, or
 * braces, from the lists above. */
#define DIYA_NETCDF_HOOK(symbol, library, KEY, parameters, arguments, ...)                                             \
    DIYA_EXPORT int symbol parameters                                                                                  \
    {                                                                                                                  \
        __typeof__(&symbol) real = DIYA_LAYER_REAL(symbol, DIYA_CALLER);                                               \
        struct diya_netcdf_call nc;                                                                                    \
        if (!diya_netcdf_begin(&nc, library, DIYA_F_##KEY, ncid, varid, DIYA_CALLER))                                  \
            return real arguments;                                                                                     \
        int status = real arguments;                                                                                   \
        const struct diya_netcdf_region region = __VA_ARGS__;                                                          \
        diya_netcdf_end_data(&nc, status, &region);                                                                    \
        return status;                                                                                                 \
    }

#endif
