/* One NetCDF or PnetCDF call. */
#include "core.h"
#include "hook_netcdf.h"

#include <stdio.h>

/* The lower half of an ncid of NetCDF-C is a group in the file. */
static uint64_t file_key(const struct diya_netcdf_call *nc, int ncid)
{
    uint32_t file = nc->api == DIYA_API_NETCDF ? (uint32_t)ncid & 0xffff0000u : (uint32_t)ncid;
    return diya_layer_key(DIYA_NETCDF_ASK(void *, nc, "strerror"), file);
}

static unsigned handle_kind(enum diya_netcdf_api api)
{
    return api == DIYA_API_PNETCDF ? DIYA_HANDLE_PNETCDF : DIYA_HANDLE_NETCDF;
}

/* The libraries call their own functions: nc_create is nc__create, nc_put_var
 * may be a series of nc_put_vara. Only what the program calls is recorded. */
static _Thread_local uint8_t is_inside[2] __attribute__((tls_model("initial-exec")));

bool diya_netcdf_begin(struct diya_netcdf_call *nc, enum diya_netcdf_api api, uint16_t function, int ncid, int varid,
                       const void *caller)
{
    if (!diya_begin(&nc->call))
        return false;
    if (is_inside[api] != 0 && nc->call.depth != 0) {
        diya_cancel(&nc->call);
        return false;
    }
    is_inside[api] = 1;
    nc->call.return_address = caller;
    nc->caller = caller;
    nc->api = api;
    nc->function = function;
    nc->ncid = ncid;
    nc->varid = varid;
    nc->file = ncid >= 0 ? diya_handle_find(handle_kind(api), file_key(nc, ncid)) : 0;
    nc->session = nc->file != 0 ? diya_handle_find(DIYA_HANDLE_NETCDF_SESSION, file_key(nc, ncid)) : 0;
    nc->call.start = diya_ticks();
    return true;
}

void diya_netcdf_returned(struct diya_netcdf_call *nc)
{
    if (nc->call.end != 0)
        return;
    diya_returned(&nc->call);
    is_inside[nc->api] = 0;
}

/* netcdf.h 4.9 and pnetcdf.h 1.12; positive numbers are an errno. */
static int errno_of(int status)
{
    switch (status) {
    case -35:
        return EEXIST; /* NC_EEXIST */
    case -36:
        return EINVAL; /* NC_EINVAL */
    case -37:
        return EPERM; /* NC_EPERM */
    case -60:
        return ERANGE; /* NC_ERANGE */
    case -77:
    case -207:
        return EACCES; /* NC_EACCESS */
    case -90:
    case -220:
        return ENOENT; /* NC_EOBJECT, NC_ENOENT */
    default:
        return status > 0 ? status : EIO;
    }
}

void diya_netcdf_end(struct diya_netcdf_call *nc, int status, struct diya_event *event)
{
    diya_netcdf_returned(nc);
    if (event->file == 0)
        event->file = nc->file;
    if (status != 0)
        event->done = -(int64_t)errno_of(status);
    diya_end(&nc->call, event);
}

void diya_netcdf_end_simple(struct diya_netcdf_call *nc, int status)
{
    struct diya_event event = DIYA_EVENT(nc->function);
    diya_netcdf_end(nc, status, &event);
}

void diya_netcdf_end_number(struct diya_netcdf_call *nc, int status, uint64_t aux)
{
    struct diya_event event = DIYA_EVENT(nc->function);
    event.has_aux = true;
    event.aux = aux;
    diya_netcdf_end(nc, status, &event);
}

void diya_netcdf_end_path(struct diya_netcdf_call *nc, int status, const char *path)
{
    diya_netcdf_returned(nc);
    nc->file = diya_file_of_path(path);
    diya_netcdf_end_simple(nc, status);
}

/* What the file really is: nc_open finds out by itself. */
static void write_format(const struct diya_netcdf_call *nc, int ncid)
{
    static const char *const formats[] = {"undefined", "classic", "hdf5", "hdf4", "pnetcdf", "dap2", "dap4"};
    typedef int (*format_function)(int, int *, int *);
    format_function ask = DIYA_LAYER_ASK(format_function, "nc_inq_format_extended", nc->caller);
    int format = 0, mode = 0;
    if (nc->api == DIYA_API_NETCDF && ask != NULL && ask(ncid, &format, &mode) == 0 && format >= 0 && format < 7)
        diya_attribute(nc->file, "nc:format", formats[format]);
}

void diya_netcdf_end_open(struct diya_netcdf_call *nc, int status, const char *path, int mode, const int *ncid)
{
    static uint32_t sessions;
    diya_netcdf_returned(nc);
    nc->file = path != NULL ? diya_file_of_path(path) : 0;
    if (status == 0 && nc->file != 0) {
        diya_handle_bind(handle_kind(nc->api), file_key(nc, *ncid), nc->file);
        diya_handle_bind(DIYA_HANDLE_NETCDF_SESSION, file_key(nc, *ncid),
                         1 + (__atomic_fetch_add(&sessions, 1, __ATOMIC_RELAXED) & 0xffffff));
        write_format(nc, *ncid);
    }
    diya_netcdf_end_number(nc, status, (uint32_t)mode);
}

void diya_netcdf_end_close(struct diya_netcdf_call *nc, int status)
{
    diya_netcdf_returned(nc);
    if (nc->file != 0) {
        diya_netcdf_forget_variables(nc);
        diya_handle_unbind(handle_kind(nc->api), file_key(nc, nc->ncid));
        diya_handle_unbind(DIYA_HANDLE_NETCDF_SESSION, file_key(nc, nc->ncid));
    }
    diya_netcdf_end_simple(nc, status);
}

void diya_netcdf_end_variable(struct diya_netcdf_call *nc, int status, bool has_aux, uint64_t aux)
{
    diya_netcdf_returned(nc);
    struct diya_event event = DIYA_EVENT(nc->function);
    event.file = status == 0 ? diya_netcdf_variable(nc).entry : 0;
    event.has_aux = has_aux;
    event.aux = aux;
    diya_netcdf_end(nc, status, &event);
}

void diya_netcdf_end_data(struct diya_netcdf_call *nc, int status, const struct diya_netcdf_region *region)
{
    diya_netcdf_returned(nc);
    struct diya_event event = DIYA_EVENT(nc->function);
    if (status == 0) {
        struct diya_netcdf_variable variable = diya_netcdf_variable(nc);
        event.file = variable.entry;
        event.requested = diya_netcdf_bytes(nc, &variable, region);
        event.done = (int64_t)event.requested;
        if (nc->api == DIYA_API_NETCDF)
            event.collective = (uint8_t)diya_handle_find(DIYA_HANDLE_VARIABLE_ACCESS, diya_netcdf_variable_key(nc));
    }
    diya_netcdf_end(nc, status, &event);
}
