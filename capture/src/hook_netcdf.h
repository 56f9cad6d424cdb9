/* What the hooks of NetCDF-C and PnetCDF share: both have the same model of
 * files, dimensions and variables, and the same questions under other names.
 */
#ifndef DIYA_HOOK_NETCDF_H
#define DIYA_HOOK_NETCDF_H

#include "layer_symbol.h"

enum diya_netcdf_api { DIYA_API_PNETCDF, DIYA_API_NETCDF };

struct diya_netcdf_call {
    struct diya_call call;
    const void *caller;
    enum diya_netcdf_api api;
    uint16_t function;
    int ncid, varid;
    uint32_t file;    /* among the recorder's files */
    uint32_t session; /* number of this opening: an ncid is soon used again */
};

/* Which part of a variable a call reads or writes. */
enum diya_netcdf_region_kind { DIYA_WHOLE, DIYA_ELEMENT, DIYA_BLOCK, DIYA_BLOCKS, DIYA_RECORD, DIYA_FILE_TYPE };
struct diya_netcdf_region {
    enum diya_netcdf_region_kind kind;
    const int64_t *count;         /* DIYA_BLOCK: elements in each dimension */
    int blocks;                   /* DIYA_BLOCKS: how many, ... */
    const int64_t *const *counts; /* ... and the size of each */
    uintptr_t file_type;          /* DIYA_FILE_TYPE: an MPI datatype */
};

DIYA_HIDDEN bool diya_netcdf_begin(struct diya_netcdf_call *nc, enum diya_netcdf_api api, uint16_t function, int ncid,
                                   int varid, const void *caller);

/* Takes the time of return, unless that was done. */
DIYA_HIDDEN void diya_netcdf_returned(struct diya_netcdf_call *nc);

/* The ends. `status` is what the call returned: 0, an NC_E... or an errno. */
DIYA_HIDDEN void diya_netcdf_end(struct diya_netcdf_call *nc, int status, struct diya_event *event);
DIYA_HIDDEN void diya_netcdf_end_simple(struct diya_netcdf_call *nc, int status);
DIYA_HIDDEN void diya_netcdf_end_number(struct diya_netcdf_call *nc, int status, uint64_t aux);
DIYA_HIDDEN void diya_netcdf_end_path(struct diya_netcdf_call *nc, int status, const char *path);
DIYA_HIDDEN void diya_netcdf_end_open(struct diya_netcdf_call *nc, int status, const char *path, int mode,
                                      const int *ncid);
DIYA_HIDDEN void diya_netcdf_end_close(struct diya_netcdf_call *nc, int status);
DIYA_HIDDEN void diya_netcdf_end_variable(struct diya_netcdf_call *nc, int status, bool has_aux, uint64_t aux);
DIYA_HIDDEN void diya_netcdf_end_data(struct diya_netcdf_call *nc, int status, const struct diya_netcdf_region *region);

/* --- variables (hook_netcdf_variable.c): only after a call succeeded --------- */

struct diya_netcdf_variable {
    uint32_t entry; /* among the recorder's files */
    uint32_t dimensions;
    uint64_t type_bytes;
};
DIYA_HIDDEN struct diya_netcdf_variable diya_netcdf_variable(const struct diya_netcdf_call *nc);
DIYA_HIDDEN void diya_netcdf_forget_variables(const struct diya_netcdf_call *nc);
DIYA_HIDDEN uint64_t diya_netcdf_bytes(const struct diya_netcdf_call *nc, const struct diya_netcdf_variable *variable,
                                       const struct diya_netcdf_region *region);
DIYA_HIDDEN uint64_t diya_netcdf_variable_key(const struct diya_netcdf_call *nc);

/* A function that is asked, of the one library or the other. */
#define DIYA_NETCDF_ASK(type, nc, name)                                                                                \
    ((nc)->api == DIYA_API_PNETCDF ? DIYA_LAYER_ASK(type, "ncmpi_" name, (nc)->caller)                                 \
                                   : DIYA_LAYER_ASK(type, "nc_" name, (nc)->caller))

#endif
