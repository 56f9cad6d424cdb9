/* PnetCDF calls that move no data of variables. */
#include "hook_netcdf.h"

#define NO_FILE (-1)
#define NO_VARIABLE (-1)

DIYA_EXPORT int ncmpi_create(uintptr_t comm, const char *path, int mode, uintptr_t info, int *ncid)
{
    __typeof__(&ncmpi_create) real = DIYA_LAYER_REAL(ncmpi_create, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_PNETCDF, DIYA_F_NCMPI_CREATE, NO_FILE, NO_VARIABLE, DIYA_CALLER))
        return real(comm, path, mode, info, ncid);
    int status = real(comm, path, mode, info, ncid);
    diya_netcdf_end_open(&nc, status, path, mode, ncid);
    return status;
}

DIYA_EXPORT int ncmpi_open(uintptr_t comm, const char *path, int mode, uintptr_t info, int *ncid)
{
    __typeof__(&ncmpi_open) real = DIYA_LAYER_REAL(ncmpi_open, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_PNETCDF, DIYA_F_NCMPI_OPEN, NO_FILE, NO_VARIABLE, DIYA_CALLER))
        return real(comm, path, mode, info, ncid);
    int status = real(comm, path, mode, info, ncid);
    diya_netcdf_end_open(&nc, status, path, mode, ncid);
    return status;
}

DIYA_EXPORT int ncmpi_delete(const char *path, uintptr_t info)
{
    __typeof__(&ncmpi_delete) real = DIYA_LAYER_REAL(ncmpi_delete, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_PNETCDF, DIYA_F_NCMPI_DELETE, NO_FILE, NO_VARIABLE, DIYA_CALLER))
        return real(path, info);
    int status = real(path, info);
    diya_netcdf_end_path(&nc, status, path);
    return status;
}

/* f(ncid), for the open file */
#define PLAIN(name, KEY, end)                                                                                          \
    DIYA_EXPORT int name(int ncid)                                                                                     \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_REAL(name, DIYA_CALLER);                                                   \
        struct diya_netcdf_call nc;                                                                                    \
        if (!diya_netcdf_begin(&nc, DIYA_API_PNETCDF, DIYA_F_##KEY, ncid, NO_VARIABLE, DIYA_CALLER))                   \
            return real(ncid);                                                                                         \
        int status = real(ncid);                                                                                       \
        end(&nc, status);                                                                                              \
        return status;                                                                                                 \
    }

PLAIN(ncmpi_close, NCMPI_CLOSE, diya_netcdf_end_close)
PLAIN(ncmpi_abort, NCMPI_ABORT, diya_netcdf_end_close)
PLAIN(ncmpi_enddef, NCMPI_ENDDEF, diya_netcdf_end_simple)
PLAIN(ncmpi_redef, NCMPI_REDEF, diya_netcdf_end_simple)
PLAIN(ncmpi_sync, NCMPI_SYNC, diya_netcdf_end_simple)
PLAIN(ncmpi_sync_numrecs, NCMPI_SYNC_NUMRECS, diya_netcdf_end_simple)
PLAIN(ncmpi_flush, NCMPI_FLUSH, diya_netcdf_end_simple)
PLAIN(ncmpi_begin_indep_data, NCMPI_BEGIN_INDEP_DATA, diya_netcdf_end_simple)
PLAIN(ncmpi_end_indep_data, NCMPI_END_INDEP_DATA, diya_netcdf_end_simple)

DIYA_EXPORT int ncmpi__enddef(int ncid, int64_t header_free, int64_t variable_align, int64_t variable_free,
                              int64_t record_align)
{
    __typeof__(&ncmpi__enddef) real = DIYA_LAYER_REAL(ncmpi__enddef, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_PNETCDF, DIYA_F_NCMPI_ENDDEF, ncid, NO_VARIABLE, DIYA_CALLER))
        return real(ncid, header_free, variable_align, variable_free, record_align);
    int status = real(ncid, header_free, variable_align, variable_free, record_align);
    diya_netcdf_end_simple(&nc, status);
    return status;
}

DIYA_EXPORT int ncmpi_set_fill(int ncid, int mode, int *old_mode)
{
    __typeof__(&ncmpi_set_fill) real = DIYA_LAYER_REAL(ncmpi_set_fill, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_PNETCDF, DIYA_F_NCMPI_SET_FILL, ncid, NO_VARIABLE, DIYA_CALLER))
        return real(ncid, mode, old_mode);
    int status = real(ncid, mode, old_mode);
    diya_netcdf_end_number(&nc, status, (uint32_t)mode);
    return status;
}

DIYA_EXPORT int ncmpi_def_var_fill(int ncid, int varid, int no_fill, const void *value)
{
    __typeof__(&ncmpi_def_var_fill) real = DIYA_LAYER_REAL(ncmpi_def_var_fill, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_PNETCDF, DIYA_F_NCMPI_DEF_VAR_FILL, ncid, varid, DIYA_CALLER))
        return real(ncid, varid, no_fill, value);
    int status = real(ncid, varid, no_fill, value);
    diya_netcdf_end_variable(&nc, status, true, (uint32_t)no_fill);
    return status;
}

DIYA_EXPORT int ncmpi_fill_var_rec(int ncid, int varid, int64_t record)
{
    __typeof__(&ncmpi_fill_var_rec) real = DIYA_LAYER_REAL(ncmpi_fill_var_rec, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_PNETCDF, DIYA_F_NCMPI_FILL_VAR_REC, ncid, varid, DIYA_CALLER))
        return real(ncid, varid, record);
    int status = real(ncid, varid, record);
    const struct diya_netcdf_region region = {.kind = DIYA_RECORD};
    diya_netcdf_end_data(&nc, status, &region);
    return status;
}

/* f(ncid, how many, requests, statuses) */
#define REQUESTS(name, KEY)                                                                                            \
    DIYA_EXPORT int name(int ncid, int count, int *requests, int *statuses)                                            \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_REAL(name, DIYA_CALLER);                                                   \
        struct diya_netcdf_call nc;                                                                                    \
        if (!diya_netcdf_begin(&nc, DIYA_API_PNETCDF, DIYA_F_##KEY, ncid, NO_VARIABLE, DIYA_CALLER))                   \
            return real(ncid, count, requests, statuses);                                                              \
        int status = real(ncid, count, requests, statuses);                                                            \
        diya_netcdf_end_number(&nc, status, (uint32_t)count); /* negative: all that are pending */                     \
        return status;                                                                                                 \
    }

REQUESTS(ncmpi_wait, NCMPI_WAIT)
REQUESTS(ncmpi_wait_all, NCMPI_WAIT_ALL)
REQUESTS(ncmpi_cancel, NCMPI_CANCEL)
