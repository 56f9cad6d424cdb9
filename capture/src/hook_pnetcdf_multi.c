/* PnetCDF calls on several variables at once: ncmpi_mput_..., ncmpi_mget_...
 *
 * One record for a call, of the first variable, with the bytes of all and
 * their number: how long each of them took is not known. */
#include "hook_netcdf_data.h"

#define P_MVAR int ncid, int variables, int *varids
#define P_MVAR1 P_MVAR, const int64_t *const *starts
#define P_MVARA P_MVAR1, const int64_t *const *counts
#define P_MVARS P_MVARA, const int64_t *const *strides
#define P_MVARM P_MVARS, const int64_t *const *maps

#define A_MVAR ncid, variables, varids
#define A_MVAR1 A_MVAR, starts
#define A_MVARA A_MVAR1, counts
#define A_MVARS A_MVARA, strides
#define A_MVARM A_MVARS, maps

#define K_MVAR DIYA_WHOLE, NULL
#define K_MVAR1 DIYA_ELEMENT, NULL
#define K_MVARA DIYA_BLOCK, counts
#define K_MVARS DIYA_BLOCK, counts
#define K_MVARM DIYA_BLOCK, counts

static void end_data(struct diya_netcdf_call *nc, int status, int variables, const int *varids,
                     enum diya_netcdf_region_kind kind, const int64_t *const *counts)
{
    struct diya_event event = DIYA_EVENT(nc->function);
    diya_netcdf_returned(nc);
    event.has_aux = true;
    event.aux = variables > 0 ? (uint64_t)variables : 0;
    for (int at = 0; status == 0 && at < variables; at++) {
        nc->varid = varids[at];
        const struct diya_netcdf_variable variable = diya_netcdf_variable(nc);
        const struct diya_netcdf_region region = {.kind = kind, .count = counts != NULL ? counts[at] : NULL};
        event.file = at == 0 ? variable.entry : event.file;
        event.requested += diya_netcdf_bytes(nc, &variable, &region);
    }
    event.done = (int64_t)event.requested;
    diya_netcdf_end(nc, status, &event);
}

#define HOOK(symbol, KEY, parameters, arguments, ...)                                                                  \
    DIYA_EXPORT int symbol parameters                                                                                  \
    {                                                                                                                  \
        __typeof__(&symbol) real = DIYA_LAYER_REAL(symbol, DIYA_CALLER);                                               \
        struct diya_netcdf_call nc;                                                                                    \
        if (!diya_netcdf_begin(&nc, DIYA_API_PNETCDF, DIYA_F_NCMPI_##KEY, ncid, -1, DIYA_CALLER))                      \
            return real arguments;                                                                                     \
        int status = real arguments;                                                                                   \
        end_data(&nc, status, variables, varids, __VA_ARGS__);                                                         \
        return status;                                                                                                 \
    }

/* ncmpi_mput_vara_double, or ncmpi_mput_vara_double_all */
#define TYPED(verb, shape, SHAPE, type, all, KEY)                                                                      \
    HOOK(ncmpi_##verb##_##shape##type##all, KEY, (P_M##SHAPE, void *buffers), (A_M##SHAPE, buffers), K_M##SHAPE)
#define FLEXIBLE(verb, shape, SHAPE, all, KEY)                                                                         \
    HOOK(ncmpi_##verb##_##shape##all, KEY, (P_M##SHAPE, void *buffers, const int64_t *buffer_counts, void *types),     \
         (A_M##SHAPE, buffers, buffer_counts, types), K_M##SHAPE)

#define ALL_TYPES(verb, shape, SHAPE, all, KEY)                                                                        \
    FLEXIBLE(verb, shape, SHAPE, all, KEY)                                                                             \
    TYPED(verb, shape, SHAPE, _text, all, KEY)                                                                         \
    TYPED(verb, shape, SHAPE, _schar, all, KEY)                                                                        \
    TYPED(verb, shape, SHAPE, _uchar, all, KEY)                                                                        \
    TYPED(verb, shape, SHAPE, _short, all, KEY)                                                                        \
    TYPED(verb, shape, SHAPE, _ushort, all, KEY)                                                                       \
    TYPED(verb, shape, SHAPE, _int, all, KEY)                                                                          \
    TYPED(verb, shape, SHAPE, _uint, all, KEY)                                                                         \
    TYPED(verb, shape, SHAPE, _long, all, KEY)                                                                         \
    TYPED(verb, shape, SHAPE, _float, all, KEY)                                                                        \
    TYPED(verb, shape, SHAPE, _double, all, KEY)                                                                       \
    TYPED(verb, shape, SHAPE, _longlong, all, KEY)                                                                     \
    TYPED(verb, shape, SHAPE, _ulonglong, all, KEY)

#define BOTH(verb, VERB, shape, SHAPE)                                                                                 \
    ALL_TYPES(verb, shape, SHAPE, , VERB##_##SHAPE)                                                                    \
    ALL_TYPES(verb, shape, SHAPE, _all, VERB##_##SHAPE##_ALL)

#define ALL_SHAPES(verb, VERB)                                                                                         \
    BOTH(verb, VERB, var, VAR)                                                                                         \
    BOTH(verb, VERB, var1, VAR1)                                                                                       \
    BOTH(verb, VERB, vara, VARA)                                                                                       \
    BOTH(verb, VERB, vars, VARS)                                                                                       \
    BOTH(verb, VERB, varm, VARM)

ALL_SHAPES(mput, MPUT)
ALL_SHAPES(mget, MGET)
