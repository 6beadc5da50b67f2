# shellcheck shell=bash
# What scripts share that make systems of Debian out of packages. To be sourced.

# mirror_of debian|debian-security: where this machine's packages come from, which need not be the public one.
mirror_of() {
  local kind=$1 found
  found=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed -nE 's#^(URIs:|deb( \[[^]]*\])?) *((https?|file|copy):[^ ]*/'"$kind"')/?( .*)?$#\3#p' | head -n 1)
  echo "${found:-http://deb.debian.org/$kind}"
}

# The apt sources of this machine, for another release.
sources_of() {
  local release=$1
  echo "deb $(mirror_of debian) $release main"
  echo "deb $(mirror_of debian) $release-updates main"
  echo "deb $(mirror_of debian-security) $release-security main"
}

# make_system RELEASE ROOT [MMDEBSTRAP-OPTION...]: a minimal system in the folder ROOT.
make_system() {
  local release=$1 root=$2
  shift 2
  chmod 755 "$root"
  sources_of "$release" >"$root.list"
  # qemu is where in_namespaces has put it, and not where mmdebstrap looks.
  mmdebstrap --quiet --mode=root --variant=minbase --skip=check/qemu \
    --aptopt="$(apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-)' || true)" "$@" \
    "$release" "$root" - <"$root.list"
  rm -f "$root.list"
  cp --remove-destination -L /etc/resolv.conf /etc/hosts "$root/etc/"
  # A certificate of this network's own, which a machine in it would have too.
  if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
    mkdir -p "$root/usr/local/share/ca-certificates"
    cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/"
  fi
}

# mount_system ROOT: the mounts that programs expect in it. In a mount namespace of its own, so that nothing is ever
# removed across one.
mount_system() {
  local root=$1
  mount --rbind /dev "$root/dev"
  mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/dev/shm"
  mount --rbind /sys "$root/sys"
  mount -t proc proc "$root/proc"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
}

# in_namespaces ARCH COMMAND ARGUMENT...: in a mount and a process namespace of their own, which end with the command.
# Programs of another architecture run there under qemu, known to the kernel in a user namespace alone: nothing is
# left behind. Sets `namespaces`, the process to kill for all of them to end, until it is over.
in_namespaces() {
  local arch=$1 code=0
  local enter=(unshare --mount --pid --fork --kill-child --propagation private)
  shift
  if [ "$arch" = "$(dpkg --print-architecture)" ]; then
    "${enter[@]}" "$@" &
    namespaces=$!
  else
    in_foreign_namespaces "$arch" "$@"
  fi
  wait "$namespaces" || code=$?
  namespaces=
  return "$code"
}

# The kernel lets the root of a user namespace know formats of programs; who is who is told from outside. The shell that
# waits for that stays the first process: a program that it became would have more rights than it, for which the kernel
# forgets that it is to end with unshare.
in_foreign_namespaces() {
  local arch=$1 magic mask qemu pipe
  shift
  case $arch in
    arm64)
      qemu=$(command -v qemu-aarch64-static) || { echo "there is no qemu-aarch64-static: apt-get install qemu-user-static" >&2; return 2; }
      magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
      mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
      ;;
    *)
      echo "programs for $arch cannot run here" >&2
      return 2
      ;;
  esac
  pipe=$(mktemp -u)
  mkfifo -m 600 "$pipe"
  # shellcheck disable=SC2016 # expanded inside
  unshare --user --mount --pid --fork --kill-child --propagation private bash -ec '
    read -r line
    mount -t proc proc /proc
    mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    printf %s "$line" >/proc/sys/fs/binfmt_misc/register
    code=0
    "$@" </dev/null || code=$?
    exit "$code"' in_foreign_namespaces "$@" <"$pipe" &
  namespaces=$!
  exec 9>"$pipe"
  rm "$pipe"
  until [ "$(readlink "/proc/$namespaces/ns/user")" != "$(readlink /proc/$$/ns/user)" ]; do sleep 0.1; done
  echo "0 0 65536" >"/proc/$namespaces/gid_map"
  echo "0 0 65536" >"/proc/$namespaces/uid_map"
  echo ":qemu-$arch:M::$magic:$mask:$qemu:F" >&9
  exec 9>&-
}
