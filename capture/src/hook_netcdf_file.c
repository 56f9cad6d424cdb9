/* NetCDF-C calls that move no data of variables. */
#include "hook_netcdf.h"

#define NO_FILE (-1)
#define NO_VARIABLE (-1)

/* One way to create or open a file: its last argument is where the ncid goes. */
#define OPEN(name, KEY, parameters, arguments)                                                                         \
    DIYA_EXPORT int name parameters                                                                                    \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_REAL(name, DIYA_CALLER);                                                   \
        struct diya_netcdf_call nc;                                                                                    \
        if (!diya_netcdf_begin(&nc, DIYA_API_NETCDF, DIYA_F_##KEY, NO_FILE, NO_VARIABLE, DIYA_CALLER))                 \
            return real arguments;                                                                                     \
        int status = real arguments;                                                                                   \
        diya_netcdf_end_open(&nc, status, path, mode, ncid);                                                           \
        return status;                                                                                                 \
    }

OPEN(nc_create, NC_CREATE, (const char *path, int mode, int *ncid), (path, mode, ncid))
OPEN(nc_open, NC_OPEN, (const char *path, int mode, int *ncid), (path, mode, ncid))
OPEN(nc__create, NC_CREATE, (const char *path, int mode, size_t size, size_t *chunk, int *ncid),
     (path, mode, size, chunk, ncid))
OPEN(nc__open, NC_OPEN, (const char *path, int mode, size_t *chunk, int *ncid), (path, mode, chunk, ncid))
OPEN(nc_create_par, NC_CREATE, (const char *path, int mode, uintptr_t comm, uintptr_t info, int *ncid),
     (path, mode, comm, info, ncid))
OPEN(nc_open_par, NC_OPEN, (const char *path, int mode, uintptr_t comm, uintptr_t info, int *ncid),
     (path, mode, comm, info, ncid))
OPEN(nc_create_par_fortran, NC_CREATE, (const char *path, int mode, int comm, int info, int *ncid),
     (path, mode, comm, info, ncid))
OPEN(nc_open_par_fortran, NC_OPEN, (const char *path, int mode, int comm, int info, int *ncid),
     (path, mode, comm, info, ncid))

DIYA_EXPORT int nc_delete(const char *path)
{
    __typeof__(&nc_delete) real = DIYA_LAYER_REAL(nc_delete, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_NETCDF, DIYA_F_NC_DELETE, NO_FILE, NO_VARIABLE, DIYA_CALLER))
        return real(path);
    int status = real(path);
    diya_netcdf_end_path(&nc, status, path);
    return status;
}

/* f(ncid), for the open file */
#define PLAIN(name, KEY, end)                                                                                          \
    DIYA_EXPORT int name(int ncid)                                                                                     \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_REAL(name, DIYA_CALLER);                                                   \
        struct diya_netcdf_call nc;                                                                                    \
        if (!diya_netcdf_begin(&nc, DIYA_API_NETCDF, DIYA_F_##KEY, ncid, NO_VARIABLE, DIYA_CALLER))                    \
            return real(ncid);                                                                                         \
        int status = real(ncid);                                                                                       \
        end(&nc, status);                                                                                              \
        return status;                                                                                                 \
    }

PLAIN(nc_close, NC_CLOSE, diya_netcdf_end_close)
PLAIN(nc_abort, NC_ABORT, diya_netcdf_end_close)
PLAIN(nc_enddef, NC_ENDDEF, diya_netcdf_end_simple)
PLAIN(nc_redef, NC_REDEF, diya_netcdf_end_simple)
PLAIN(nc_sync, NC_SYNC, diya_netcdf_end_simple)

DIYA_EXPORT int nc__enddef(int ncid, size_t header_free, size_t variable_align, size_t variable_free,
                           size_t record_align)
{
    __typeof__(&nc__enddef) real = DIYA_LAYER_REAL(nc__enddef, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_NETCDF, DIYA_F_NC_ENDDEF, ncid, NO_VARIABLE, DIYA_CALLER))
        return real(ncid, header_free, variable_align, variable_free, record_align);
    int status = real(ncid, header_free, variable_align, variable_free, record_align);
    diya_netcdf_end_simple(&nc, status);
    return status;
}

DIYA_EXPORT int nc_set_fill(int ncid, int mode, int *old_mode)
{
    __typeof__(&nc_set_fill) real = DIYA_LAYER_REAL(nc_set_fill, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_NETCDF, DIYA_F_NC_SET_FILL, ncid, NO_VARIABLE, DIYA_CALLER))
        return real(ncid, mode, old_mode);
    int status = real(ncid, mode, old_mode);
    diya_netcdf_end_number(&nc, status, (uint32_t)mode);
    return status;
}

DIYA_EXPORT int nc_def_var_fill(int ncid, int varid, int no_fill, const void *value)
{
    __typeof__(&nc_def_var_fill) real = DIYA_LAYER_REAL(nc_def_var_fill, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_NETCDF, DIYA_F_NC_DEF_VAR_FILL, ncid, varid, DIYA_CALLER))
        return real(ncid, varid, no_fill, value);
    int status = real(ncid, varid, no_fill, value);
    diya_netcdf_end_number(&nc, status, (uint32_t)no_fill);
    return status;
}

/* Until it is called, access to a variable of a parallel file is independent. */
DIYA_EXPORT int nc_var_par_access(int ncid, int varid, int access)
{
    __typeof__(&nc_var_par_access) real = DIYA_LAYER_REAL(nc_var_par_access, DIYA_CALLER);
    struct diya_netcdf_call nc;
    if (!diya_netcdf_begin(&nc, DIYA_API_NETCDF, DIYA_F_NC_VAR_PAR_ACCESS, ncid, varid, DIYA_CALLER))
        return real(ncid, varid, access);
    int status = real(ncid, varid, access);
    if (status == 0 && nc.session != 0)
        diya_handle_bind(DIYA_HANDLE_VARIABLE_ACCESS, diya_netcdf_variable_key(&nc),
                         access != 0 ? DIYA_COLLECTIVE_YES : DIYA_COLLECTIVE_NO);
    diya_netcdf_end_variable(&nc, status, true, (uint32_t)access);
    return status;
}
