/* Regions of Caliper (caliper/cali.h, caliper/cali_macros.h, caliper/Annotation.h): the
 * functions of libcaliper.so, which is loaded after this library, so that calls come here first
 * and are handed on. A libcaliper.a inside the program cannot be seen.
 *
 * Regions, phases, functions, scopes, loops and named texts become regions. Iterations of
 * loops, numbers and `set` do not: there may be millions, and they are values.
 */
#include "files.h"
#include "layer_symbol.h"
#include "region.h"

#include <string.h>

/* What an end names: the same text or number may be open as several of them. */
enum ends_by { BY_REGION = 1, BY_PHASE, BY_COMMUNICATION, BY_ATTRIBUTE_NAME, BY_ATTRIBUTE, BY_OBJECT };

static uint64_t key_of_text(enum ends_by by, const char *text)
{
    return text == NULL ? 0 : diya_hash(text, strlen(text), by);
}

static uint64_t key_of_number(enum ends_by by, uint64_t number)
{
    return diya_hash(&number, sizeof number, by);
}

/* Caliper's own work stays outside of the region. */
#define BEGIN(hook, parameters, arguments, name, key)                                                                  \
    DIYA_EXPORT void hook parameters;                                                                                  \
    DIYA_EXPORT void hook parameters                                                                                   \
    {                                                                                                                  \
        DIYA_LAYER_REAL(hook, DIYA_CALLER) arguments;                                                                  \
        diya_keyed_region_begin(name, key);                                                                            \
    }
#define END(hook, parameters, arguments, key)                                                                          \
    DIYA_EXPORT void hook parameters;                                                                                  \
    DIYA_EXPORT void hook parameters                                                                                   \
    {                                                                                                                  \
        diya_keyed_region_end(key);                                                                                    \
        DIYA_LAYER_REAL(hook, DIYA_CALLER) arguments;                                                                  \
    }

BEGIN(cali_begin_region, (const char *name), (name), name, key_of_text(BY_REGION, name))
END(cali_end_region, (const char *name), (name), key_of_text(BY_REGION, name))
BEGIN(cali_begin_phase, (const char *name), (name), name, key_of_text(BY_PHASE, name))
END(cali_end_phase, (const char *name), (name), key_of_text(BY_PHASE, name))
BEGIN(cali_begin_comm_region, (const char *name), (name), name, key_of_text(BY_COMMUNICATION, name))
END(cali_end_comm_region, (const char *name), (name), key_of_text(BY_COMMUNICATION, name))

BEGIN(cali_begin_byname, (const char *attribute), (attribute), attribute, key_of_text(BY_ATTRIBUTE_NAME, attribute))
BEGIN(cali_begin_string_byname, (const char *attribute, const char *text), (attribute, text), text,
      key_of_text(BY_ATTRIBUTE_NAME, attribute))
END(cali_end_byname, (const char *attribute), (attribute), key_of_text(BY_ATTRIBUTE_NAME, attribute))
BEGIN(cali_begin_string, (uint64_t attribute, const char *text), (attribute, text), text,
      key_of_number(BY_ATTRIBUTE, attribute))
END(cali_end, (uint64_t attribute), (attribute), key_of_number(BY_ATTRIBUTE, attribute))

/* cali::Function, cali::ScopeAnnotation and cali::Loop: constructor, destructor, Loop::end. */
BEGIN(_ZN4cali8FunctionC1EPKc, (void *object, const char *name), (object, name), name,
      key_of_number(BY_OBJECT, (uintptr_t)object))
END(_ZN4cali8FunctionD1Ev, (void *object), (object), key_of_number(BY_OBJECT, (uintptr_t)object))
BEGIN(_ZN4cali15ScopeAnnotationC1EPKc, (void *object, const char *name), (object, name), name,
      key_of_number(BY_OBJECT, (uintptr_t)object))
END(_ZN4cali15ScopeAnnotationD1Ev, (void *object), (object), key_of_number(BY_OBJECT, (uintptr_t)object))
BEGIN(_ZN4cali4LoopC1EPKc, (void *object, const char *name), (object, name), name,
      key_of_number(BY_OBJECT, (uintptr_t)object))
END(_ZN4cali4Loop3endEv, (void *object), (object), key_of_number(BY_OBJECT, (uintptr_t)object))
END(_ZN4cali4LoopD1Ev, (void *object), (object), key_of_number(BY_OBJECT, (uintptr_t)object))
