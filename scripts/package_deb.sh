# shellcheck shell=bash
# scripts/package deb: Debian packages, out of a source package, in a system that has what it asks for. To be sourced.

# Which Debian: the end of the version, so that packages of two releases can lie side by side, and the newer one is
# installed when a machine is upgraded.
deb_suffix() {
  case $1 in
    bookworm) echo '~deb12u1' ;;
    trixie) echo '~deb13u1' ;;
  esac
}

# The tree of the last commit, and the packages of the report page: what they have of programs and of scripts that are
# made smaller stays away. esbuild comes from Debian.
deb_originals() {
  local folder=$1 version=$2 modules=build/tools/page/node_modules page
  git archive --prefix="rackproof-$version/" HEAD | xz -T1 >"$folder/rackproof_$version.orig.tar.xz"
  page=$folder/page
  mkdir -p "$page/echarts" "$page/zrender" "$page/tslib"
  (
    cd $modules
    cp --parents -r echarts/{lib,licenses,LICENSE,NOTICE,package.json,charts.js,components.js,core.js,features.js,renderers.js} \
      zrender/{lib,src,LICENSE,index.js,index.ts,package.json} \
      tslib/{LICENSE.txt,package.json,tslib.es6.js,tslib.js,modules} "$page"
  )
  tar --create --directory "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r-w,a-s \
    --mtime="@$SOURCE_DATE_EPOCH" page | xz -T1 >"$folder/rackproof_$version.orig-page.tar.xz"
  rm -rf "$page"
}

# deb_tree FOLDER VERSION RELEASE: the source package, unpacked. Who makes packages for others says so by Debian's own
# variables; there is no address of the project.
deb_tree() {
  local folder=$1 version=$2 release=$3 tree=$1/rackproof-$2
  local maintainer='rackproof authors <rackproof@packages.invalid>'
  [ -z "${DEBEMAIL:-}" ] || maintainer="${DEBFULLNAME:-rackproof authors} <$DEBEMAIL>"
  tar -xf "$folder/rackproof_$version.orig.tar.xz" -C "$folder"
  tar -xf "$folder/rackproof_$version.orig-page.tar.xz" -C "$tree"
  cp -r "$tree/packaging/debian" "$tree/debian"
  sed -i "s/^Maintainer: .*/Maintainer: ${maintainer//\//\\/}/" "$tree/debian/control"
  cat >"$tree/debian/changelog" <<TEXT
rackproof ($version-1$(deb_suffix "$release")) $release; urgency=medium

  * Version $version, for Debian's $release. What has changed since earlier
    versions is told in the changelog of the program itself.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
TEXT
}

# deb_inside ROOT PROFILES CCACHE: in namespaces of its own. What a build asks for is installed, then it has no network.
deb_inside() {
  local root=$1 profiles=$2 ccache=$3
  local enter=(chroot "$root" env -i HOME=/build LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin
    DEBIAN_FRONTEND=noninteractive DEB_BUILD_PROFILES="$profiles" SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH"
    # No packages of debug symbols: then they need not be made.
    DEB_BUILD_OPTIONS="noautodbgsym parallel=$(nproc)" DEB_CFLAGS_STRIP=-g DEB_CXXFLAGS_STRIP=-g)
  mount_system "$root"
  if [ -n "$profiles" ]; then
    mkdir -p "$root/usr/local/cuda"
    mount --bind -o ro "$(readlink -f /usr/local/cuda)" "$root/usr/local/cuda"
  fi
  if [ -n "$ccache" ]; then
    mkdir -p "$root/ccache"
    mount --bind "$ccache" "$root/ccache"
    enter+=(CCACHE_DIR=/ccache CCACHE_NOHASHDIR=1 CCACHE_COMPILERCHECK=content)
  fi
  "${enter[@]}" sh -ec 'cd /build/rackproof-*
    apt-get -q update
    apt-get -q -y --no-install-recommends -o APT::Sandbox::User=root \
      -o Dpkg::Options::=--force-unsafe-io build-dep .'
  # Open MPI's compiler speaks of nothing else where there is not even a loopback.
  unshare --net "${enter[@]}" sh -ec 'ip link set lo up
    cd /build/rackproof-* && dpkg-buildpackage --no-sign --build=full'
  echo "package: lintian $("${enter[@]}" lintian --version | cut -d ' ' -f 2), warnings are errors"
  deb_lintian "${enter[@]}" || {
    cat "$root/build/lintian.txt" >&2
    echo "package: lintian is not content" >&2
    return 1
  }
}

# What is overridden is shown as well, but not asked for the exit code: lintian would count it.
deb_lintian() {
  "$@" sh -ec 'cd /build
    lintian --allow-root --tag-display-limit 0 --display-info --fail-on error,warning *.changes >lintian.txt 2>&1
    lintian --allow-root --tag-display-limit 0 --show-overrides --fail-on none *.changes | { grep "^[NO]:" >>lintian.txt || true; }'
}

# deb RELEASE CUDA CCACHE OUT: source and binary packages, and what lintian says.
deb() {
  local release=$1 cuda=$2 ccache=$3 out=$4 version folder root profiles='' include
  version=$(head -n 1 VERSION)
  SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
  export SOURCE_DATE_EPOCH
  [ -e build/tools/page/node_modules/echarts/package.json ] ||
    complain "report pages would have no charts: scripts/setup build gets their packages"
  [ -z "$(git status --porcelain)" ] || echo "package: what is not committed is not in the source package" >&2
  if [ "$cuda" != OFF ] && [ -d /usr/local/cuda ]; then profiles=pkg.rackproof.cuda; fi
  [ -n "$profiles" ] || echo "package: no package rackproof-cuda: $(
    [ "$cuda" = OFF ] && echo left out || echo there is no CUDA toolkit in /usr/local/cuda)"
  mkdir -p build/package "$out"
  folder=$(mktemp -d "$PWD/build/package/deb-XXXXXX")
  root=$folder.root
  mkdir "$root"
  made+=("$folder" "$root")
  deb_originals "$folder" "$version"
  deb_tree "$folder" "$version" "$release"
  include=build-essential,debhelper,fakeroot,iproute2,lintian${ccache:+,ccache}
  in_namespaces "$here" "$0" --make-system "$release" "$root" --include="$include"
  mv "$folder" "$root/build"
  in_namespaces "$here" "$0" --deb-inside "$root" "$profiles" "$ccache"
  find "$root/build" -maxdepth 1 -type f -name 'rackproof*' -exec cp -t "$out" {} +
  cp "$root/build/lintian.txt" "$out/rackproof_$version-1$(deb_suffix "$release")_lintian.txt"
  (cd "$out" && du -h -- *"$version-1$(deb_suffix "$release")"_*.deb *"$version-1$(deb_suffix "$release")".dsc)
  echo "package: for $release, in $out"
}
