/* Who a process is, by what launchers and containers put into its environment. */
#include "identity.h"
#include "python.h"
#include "system.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct diya_segment_header) == DIYA_SEGMENT_HEADER_BYTES, "all of the header is spoken for");

/* The innermost launcher comes first: torchrun below srun, mpirun within a batch
 * script that has SLURM_PROCID=0 as well (only what srun starts has a step). */
static const struct launcher {
    const char *name, *must_have;
    const char *rank, *size, *local_rank, *local_size, *step;
} launchers[] = {
    {"torchrun", "TORCHELASTIC_RUN_ID", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID"},
    {"horovod", NULL, "HOROVOD_RANK", "HOROVOD_SIZE", "HOROVOD_LOCAL_RANK", "HOROVOD_LOCAL_SIZE", NULL},
    {"openmpi", NULL, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE"},
    {"mvapich", NULL, "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK",
     "MV2_COMM_WORLD_LOCAL_SIZE", NULL},
    {"pals", NULL, "PALS_RANKID", "PALS_SIZE", "PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE", "PALS_APID"},
    {"jsrun", NULL, "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_LOCAL_SIZE",
     NULL},
    {"pmi", NULL, "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", NULL},
    {"pmix", NULL, "PMIX_RANK", NULL, NULL, NULL, "PMIX_NAMESPACE"},
    {"alps", NULL, "ALPS_APP_PE", NULL, NULL, NULL, NULL},
    {"flux", NULL, "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID", NULL, "FLUX_JOB_ID"},
    {"slurm", "SLURM_STEP_ID", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", NULL, "SLURM_STEP_ID"},
    {"slurm", "SLURM_STEPID", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", NULL, "SLURM_STEPID"},
    /* What scripts set for init_method="env://". */
    {"torch", "MASTER_ADDR", "RANK", "WORLD_SIZE", "LOCAL_RANK", NULL, NULL},
};

static const char *set_to(const char *name)
{
    const char *value = name == NULL ? NULL : getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}

/* A number that ranks can be, or -1: the names are not all protected ones. */
static int32_t number_in(const char *name)
{
    enum { MAX_RANKS = 1 << 24 };
    const char *value = set_to(name);
    int32_t number = 0;
    for (; value != NULL && *value >= '0' && *value <= '9' && number < MAX_RANKS; value++)
        number = number * 10 + (*value - '0');
    return value == NULL || *value != '\0' || number >= MAX_RANKS ? -1 : number;
}

static int32_t write_rank(struct diya_identity *identity)
{
    identity->launcher_size = identity->local_rank = identity->local_size = -1;
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        const struct launcher *launcher = &launchers[i];
        int32_t rank = number_in(launcher->rank);
        if (rank < 0 || (launcher->must_have != NULL && set_to(launcher->must_have) == NULL))
            continue;
        /* Slurm speaks PMI, too. */
        bool is_slurm = rank == number_in("SLURM_PROCID") && set_to("SLURM_STEP_ID") != NULL &&
                        number_in(launcher->size) == number_in("SLURM_STEP_NUM_TASKS") &&
                        strncmp(launcher->name, "pmi", 3) == 0;
        diya_identity_text(identity->launcher, sizeof identity->launcher, is_slurm ? "slurm" : launcher->name);
        const char *step = set_to(is_slurm ? "SLURM_STEP_ID" : launcher->step);
        diya_identity_text(identity->step_id, sizeof identity->step_id, step == NULL ? "" : step);
        identity->launcher_size = number_in(launcher->size);
        identity->local_rank = number_in(launcher->local_rank);
        identity->local_size = number_in(launcher->local_size);
        return rank;
    }
    /* A worker that Dask's nanny started has no number. */
    if (set_to("DASK_INTERNAL_INHERIT_CONFIG") != NULL)
        diya_identity_text(identity->launcher, sizeof identity->launcher, "dask");
    return -1;
}

static bool is_there(const char *path)
{
    struct stat status;
    return sys_lstat(path, &status) == 0;
}

static void write_container(char *to, size_t room)
{
    static const struct {
        const char *variable, *kind;
        bool is_image;
    } known[] = {
        {"APPTAINER_CONTAINER", "apptainer", true}, {"SINGULARITY_CONTAINER", "singularity", true},
        {"SHIFTER_IMAGEREQUEST", "shifter", true},  {"ENROOT_ROOTFS", "enroot", true},
        {"CH_RUNNING", "charliecloud", false},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const char *value = set_to(known[i].variable);
        if (value == NULL)
            continue;
        diya_identity_text(to, room, known[i].kind);
        size_t used = strlen(to);
        if (known[i].is_image && used + 2 < room) {
            to[used] = ' ';
            diya_identity_text(to + used + 1, room - used - 1, value);
        }
        return;
    }
    const char *kind = set_to("container"); /* podman, systemd-nspawn, LXC */
    if (kind == NULL && is_there("/.dockerenv"))
        kind = "docker";
    if (kind == NULL && is_there("/run/.containerenv"))
        kind = "podman";
    if (kind == NULL && set_to("KUBERNETES_SERVICE_HOST") != NULL)
        kind = "kubernetes";
    diya_identity_text(to, room, kind == NULL ? "" : kind);
}

int32_t diya_identity_write(struct diya_identity *identity)
{
    identity->python_frames = diya_python_state;
    diya_language_write(identity);
    write_container(identity->container, sizeof identity->container);
    int32_t rank = write_rank(identity);
    identity->version = DIYA_IDENTITY_VERSION;
    return rank;
}
