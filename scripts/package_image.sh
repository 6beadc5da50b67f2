# shellcheck shell=bash
# scripts/package image: a container image of Debian packages and nothing else. To be sourced.

# image_inside ROOT PACKAGE...: installs them as anybody would, and takes away what only this took.
image_inside() {
  local root=$1
  shift
  mkdir "$root/packages"
  cp "$@" "$root/packages/"
  mount_system "$root"
  # Ranks find each other with Open MPI's own tools when srun does not start them.
  chroot "$root" env -i HOME=/ LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -ec '
    apt-get -q update
    apt-get -q install -y --no-install-recommends ca-certificates openmpi-bin openssh-client /packages/*.deb
    apt-get clean'
  rm -r "$root/packages" "$root"/var/lib/apt/lists/*
}

# image_clean ROOT RELEASE: what this machine has given for the time of building is not the image's; its packages come from
# where everybody's do.
image_clean() {
  local root=$1 release=$2
  rm -f "$root"/etc/{resolv.conf,hosts,hostname,machine-id} "$root"/etc/ssh/ssh_host_* \
    "$root"/etc/apt/apt.conf.d/99mmdebstrap "$root"/etc/apt/sources.list.d/* \
    "$root"/var/cache/debconf/*-old "$root"/var/cache/ldconfig/aux-cache "$root"/var/lib/dpkg/*-old
  rm -rf "$root/usr/local/share/ca-certificates" "$root"/var/log/*
  mkdir -p "$root/usr/local/share/ca-certificates" "$root/reports"
  # Made anew, since one of this network's own may have been among them.
  chroot "$root" update-ca-certificates --fresh >/dev/null 2>&1
  printf 'deb http://deb.debian.org/%s main\n' "debian $release" "debian $release-updates" \
    "debian-security $release-security" >"$root/etc/apt/sources.list"
}

# image_layout ROOT LAYOUT VERSION DATE: writes ROOT as the one layer of an image.
image_layout() {
  local root=$1 layout=$2 version=$3 date=$4
  # Name and tag, for what loads it out of the archive.
  local image=$layout:rackproof:$version
  umoci init --layout "$layout"
  umoci new --image "$image"
  tar --create --directory "$root" --sort=name --numeric-owner --mtime="$date" --clamp-mtime . >"$layout.layer"
  umoci raw add-layer --image "$image" --history.created "$date" --history.created_by 'scripts/package image' "$layout.layer"
  rm "$layout.layer"
  umoci config --image "$image" --no-history --created "$date" --os linux --architecture "$here" \
    --config.entrypoint rackproof --config.cmd=--help --config.workingdir /reports \
    --config.env LC_ALL=C.UTF-8 --config.env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    --config.env NVIDIA_VISIBLE_DEVICES=all --config.env NVIDIA_DRIVER_CAPABILITIES=compute,utility \
    --config.label org.opencontainers.image.title=rackproof \
    --config.label "org.opencontainers.image.description=Benchmark and acceptance tests for GPU clusters" \
    --config.label "org.opencontainers.image.version=$version" \
    --config.label org.opencontainers.image.licenses=Apache-2.0
  umoci gc --layout "$layout"
}

# image RELEASE OUT: of the packages that scripts/package deb has left in OUT.
image() {
  local release=$1 out=$2 version layout root date file packages=() name
  version=$(head -n 1 VERSION)
  for name in rackproof rackproof-mpi rackproof-cuda; do
    file=$out/${name}_$version-1$(deb_suffix "$release")_$here.deb
    if [ -f "$file" ]; then packages+=("$(realpath "$file")"); fi
  done
  [ ${#packages[@]} -ge 2 ] ||
    complain "$out has no packages of $version for $release: scripts/package deb --release $release" 2
  command -v umoci >/dev/null || complain "umoci is missing: scripts/setup package" 2
  SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
  export SOURCE_DATE_EPOCH
  date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
  mkdir -p build/package
  root=$(mktemp -d "$PWD/build/package/image-XXXXXX")
  layout=$root.layout
  made+=("$root" "$layout" "$layout.layer")
  in_namespaces "$here" "$0" --make-system "$release" "$root"
  in_namespaces "$here" "$0" --image-inside "$root" "${packages[@]}"
  image_clean "$root" "$release"
  image_layout "$root" "$layout" "$version" "$date"
  file=$out/rackproof-$version-oci-$here.tar
  tar --create --file "$file" --directory "$layout" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" .
  (cd "$out" && sha256sum "$(basename "$file")" | tee "$(basename "$file").sha256")
  echo "package: $file, $(du -h "$file" | cut -f1), unpacked $(du -sh --one-file-system "$root" | cut -f1)"
}
