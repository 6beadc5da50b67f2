/* What gcc 12's libraries, which Debian 12 compiled with glibc 2.36, ask of a C library and 2.31 does not have.
 * scripts/sysroot puts it into libc_nonshared.a, the part of a C library that goes into each program. Hidden: a
 * newer C library that is found at run time keeps its own for its own use. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* "No" is always right: a count is then changed by an atomic instruction though nobody else could see it. */
HIDDEN char __libc_single_threaded = 0;

HIDDEN uint32_t arc4random(void);
uint32_t arc4random(void) {
  uint32_t value;
  if (getrandom(&value, sizeof value, 0) != sizeof value) abort();
  return value;
}

/* glibc 2.35's <dlfcn.h>. */
struct dl_find_object {
  unsigned long long int flags;
  void *map_start;
  void *map_end;
  struct link_map *link_map;
  void *eh_frame;
  unsigned long long int reserved[7];
};

struct search {
  uintptr_t address;
  struct dl_find_object *found;
};

/* Whether this object holds the address in one of its segments, and where its unwinding table is. */
static int look(struct dl_phdr_info *object, size_t size, void *data) {
  struct search *search = data;
  struct dl_find_object *found = search->found;
  int inside = 0;
  (void)size;
  found->eh_frame = NULL;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const uintptr_t begin = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) found->eh_frame = (void *)begin;
    if (part->p_type != PT_LOAD || search->address < begin) continue;
    if (search->address >= begin + part->p_memsz) continue;
    inside = 1;
    found->map_start = (void *)begin;
    found->map_end = (void *)(begin + part->p_memsz);
  }
  return inside && found->eh_frame != NULL;
}

/* The unwinder asks it for the table of a place in the code. It looks at map_start and eh_frame alone. */
HIDDEN int _dl_find_object(void *address, struct dl_find_object *result);
int _dl_find_object(void *address, struct dl_find_object *result) {
  struct search search = {(uintptr_t)address, result};
  result->flags = 0;
  result->link_map = NULL;
  return dl_iterate_phdr(look, &search) == 0 ? -1 : 0;
}
