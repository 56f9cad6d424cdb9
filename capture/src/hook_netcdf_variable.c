/* Variables of NetCDF and PnetCDF files: name, type, shape.
 *
 * Asked once for each variable of an opened file, after the first call on it
 * succeeded; the answers come from the header in memory. */
#include "hook_mpi.h"
#include "hook_netcdf.h"

#include <stdio.h>
#include <string.h>

#define NAME_BYTES 1025 /* NC_MAX_NAME 256; groups before it */
#define MAX_DIMENSIONS 64

typedef int (*variable_int_function)(int, int, int *);
typedef int (*variable_ints_function)(int, int, int *);
typedef int (*length_function)(int, int, int64_t *);

uint64_t diya_netcdf_variable_key(const struct diya_netcdf_call *nc)
{
    uint64_t group = nc->api == DIYA_API_NETCDF ? (uint32_t)nc->ncid & 0xffffu : 0;
    return diya_layer_key(NULL, (uint64_t)nc->session << 40 | group << 24 | ((uint32_t)nc->varid & 0xffffffu));
}

/* Bytes of the types of netcdf.h in a file; later numbers are the user's own. */
static uint64_t type_bytes(const struct diya_netcdf_call *nc, int type)
{
    static const uint8_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    if (type >= 0 && type < (int)sizeof bytes)
        return bytes[type];
    typedef int (*type_function)(int, int, char *, size_t *);
    type_function ask = DIYA_LAYER_ASK(type_function, "nc_inq_type", nc->caller);
    size_t size = 0;
    return ask != NULL && ask(nc->ncid, type, NULL, &size) == 0 ? size : 0;
}

static uint32_t name_variable(const struct diya_netcdf_call *nc)
{
    char name[NAME_BYTES] = "";
    size_t used = 0;
    typedef int (*name_function)(int, int, char *);
    typedef int (*group_function)(int, size_t *, char *);
    name_function ask = DIYA_NETCDF_ASK(name_function, nc, "inq_varname");
    group_function ask_group = DIYA_LAYER_ASK(group_function, "nc_inq_grpname_full", nc->caller);
    if (nc->api == DIYA_API_NETCDF && (nc->ncid & 0xffff) != 0 && ask_group != NULL &&
        ask_group(nc->ncid, &used, NULL) == 0 && used < NAME_BYTES - 260 && ask_group(nc->ncid, &used, name) == 0)
        name[used++] = '/';
    else
        used = 0;
    if (ask == NULL || ask(nc->ncid, nc->varid, name + used) != 0)
        return 0;
    return diya_file_named(name, strlen(name), nc->file, DIYA_NAME_VARIABLE);
}

/* Lengths of the dimensions; false: not known. */
static bool read_shape(const struct diya_netcdf_call *nc, int dimensions, int ids[MAX_DIMENSIONS],
                       int64_t lengths[MAX_DIMENSIONS])
{
    variable_ints_function ask_ids = DIYA_NETCDF_ASK(variable_ints_function, nc, "inq_vardimid");
    length_function ask_length = DIYA_NETCDF_ASK(length_function, nc, "inq_dimlen");
    if (dimensions > MAX_DIMENSIONS || ask_ids == NULL || ask_length == NULL || ask_ids(nc->ncid, nc->varid, ids) != 0)
        return false;
    for (int at = 0; at < dimensions; at++)
        if (ask_length(nc->ncid, ids[at], &lengths[at]) != 0)
            return false;
    return true;
}

static void describe_variable(const struct diya_netcdf_call *nc, const struct diya_netcdf_variable *variable)
{
    int ids[MAX_DIMENSIONS], unlimited = -1;
    int64_t lengths[MAX_DIMENSIONS];
    char text[MAX_DIMENSIONS * 21 + 1] = "";
    size_t used = 0;
    if (variable->entry == 0 || diya_handle_find(DIYA_HANDLE_VARIABLE_DESCRIBED, variable->entry) != 0)
        return;
    diya_handle_bind(DIYA_HANDLE_VARIABLE_DESCRIBED, variable->entry, 1);
    snprintf(text, sizeof text, "%llu", (unsigned long long)variable->type_bytes);
    diya_attribute(variable->entry, "nc:type_size", text);
    if (!read_shape(nc, (int)variable->dimensions, ids, lengths))
        return;
    text[0] = 0;
    for (uint32_t at = 0; at < variable->dimensions; at++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld", at == 0 ? "" : ",", (long long)lengths[at]);
    diya_attribute(variable->entry, "nc:dims", text);
    typedef int (*unlimited_function)(int, int *);
    unlimited_function ask = DIYA_NETCDF_ASK(unlimited_function, nc, "inq_unlimdim");
    bool is_record = variable->dimensions > 0 && ask != NULL && ask(nc->ncid, &unlimited) == 0 && unlimited == ids[0];
    diya_attribute(variable->entry, "nc:record", is_record ? "true" : "false");
}

struct diya_netcdf_variable diya_netcdf_variable(const struct diya_netcdf_call *nc)
{
    uint64_t key = diya_netcdf_variable_key(nc);
    struct diya_netcdf_variable variable = {0, 0, 0};
    if (nc->session == 0 || nc->varid < 0)
        return variable;
    uint32_t shape = diya_handle_find(DIYA_HANDLE_VARIABLE_SHAPE, key);
    if (shape != 0) {
        variable.entry = diya_handle_find(DIYA_HANDLE_VARIABLE, key);
        variable.dimensions = (shape & 0xffff) - 1;
        variable.type_bytes = shape >> 16;
        return variable;
    }
    int type = 0, dimensions = 0;
    variable_int_function ask_type = DIYA_NETCDF_ASK(variable_int_function, nc, "inq_vartype");
    variable_int_function ask_dimensions = DIYA_NETCDF_ASK(variable_int_function, nc, "inq_varndims");
    if (ask_type == NULL || ask_dimensions == NULL || ask_type(nc->ncid, nc->varid, &type) != 0 ||
        ask_dimensions(nc->ncid, nc->varid, &dimensions) != 0)
        return variable;
    variable.entry = name_variable(nc);
    variable.dimensions = (uint32_t)dimensions;
    variable.type_bytes = type_bytes(nc, type);
    if (variable.entry != 0)
        diya_handle_bind(DIYA_HANDLE_VARIABLE, key, variable.entry);
    if (variable.type_bytes < 0x10000)
        diya_handle_bind(DIYA_HANDLE_VARIABLE_SHAPE, key,
                         (uint32_t)variable.type_bytes << 16 | (variable.dimensions + 1));
    if (diya_handle_find(DIYA_HANDLE_VARIABLE_COUNT, nc->session) <= (uint32_t)nc->varid)
        diya_handle_bind(DIYA_HANDLE_VARIABLE_COUNT, nc->session, (uint32_t)nc->varid + 1);
    describe_variable(nc, &variable);
    return variable;
}

/* Those of the root group; a group's are few, and their keys are not used again. */
void diya_netcdf_forget_variables(const struct diya_netcdf_call *nc)
{
    struct diya_netcdf_call root = *nc;
    root.ncid = 0;
    uint32_t count = diya_handle_unbind(DIYA_HANDLE_VARIABLE_COUNT, nc->session);
    for (uint32_t at = 0; at < count; at++) {
        root.varid = (int)at;
        diya_handle_unbind(DIYA_HANDLE_VARIABLE, diya_netcdf_variable_key(&root));
        diya_handle_unbind(DIYA_HANDLE_VARIABLE_SHAPE, diya_netcdf_variable_key(&root));
        diya_handle_unbind(DIYA_HANDLE_VARIABLE_ACCESS, diya_netcdf_variable_key(&root));
    }
}

static uint64_t elements_of(const int64_t *count, uint32_t dimensions)
{
    uint64_t elements = 1;
    for (uint32_t at = 0; at < dimensions; at++)
        elements *= count[at] > 0 ? (uint64_t)count[at] : 0;
    return elements;
}

uint64_t diya_netcdf_bytes(const struct diya_netcdf_call *nc, const struct diya_netcdf_variable *variable,
                           const struct diya_netcdf_region *region)
{
    int ids[MAX_DIMENSIONS];
    int64_t lengths[MAX_DIMENSIONS];
    uint64_t elements = 0;
    bool is_whole = region->kind == DIYA_WHOLE || (region->kind == DIYA_BLOCK && region->count == NULL);
    if (is_whole) {
        bool is_known = read_shape(nc, (int)variable->dimensions, ids, lengths);
        elements = is_known ? elements_of(lengths, variable->dimensions) : 0;
    } else if (region->kind == DIYA_ELEMENT) {
        elements = 1;
    } else if (region->kind == DIYA_BLOCK) {
        elements = elements_of(region->count, variable->dimensions);
    } else if (region->kind == DIYA_RECORD) {
        bool is_known = read_shape(nc, (int)variable->dimensions, ids, lengths) && variable->dimensions > 0;
        elements = is_known ? elements_of(lengths + 1, variable->dimensions - 1) : 0;
    } else if (region->kind == DIYA_BLOCKS) {
        /* Without sizes every block is one element. */
        for (int at = 0; at < region->blocks; at++)
            elements += region->counts != NULL && region->counts[at] != NULL
                            ? elements_of(region->counts[at], variable->dimensions)
                            : 1;
    } else {
        int64_t size = diya_mpi_type_size(region->file_type, nc->caller);
        return size > 0 ? (uint64_t)size : 0;
    }
    return elements * variable->type_bytes;
}
