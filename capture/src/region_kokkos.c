/* Regions of Kokkos: it calls these functions of the library that KOKKOS_TOOLS_LIBS names
 * (kokkos/core/src/impl/Kokkos_Profiling_C_Interface.h). Kernels are no regions here: there
 * may be millions, and they do no I/O. */
#include "region.h"

DIYA_EXPORT void kokkosp_push_profile_region(const char *name)
{
    diya_annotate_region_begin(name);
}

DIYA_EXPORT void kokkosp_pop_profile_region(void)
{
    diya_annotate_region_end();
}

DIYA_EXPORT void kokkosp_profile_event(const char *name)
{
    diya_annotate_note(name);
}
