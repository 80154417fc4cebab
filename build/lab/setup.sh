#!/usr/bin/env bash
# Builds the Windows lab: a Debian 13 chroot with Wine 10, in which the Windows programs are tested on Linux (older Wines run
# neither Node 24 nor Postgres 18).
# usage: setup.sh DIR      needs root and Debian; about 90 s and 2.2 GB; DIR.log holds the log
# DIR appears once it is complete; an older one then gets what it lacks. Prefixes (770 MB each) are in the WORK folder given to lab.sh.
set -euo pipefail
# What debootstrap mounts vanishes with us, however we end. Not every container may do that, or chroot.
[[ ${1:-} != --mounting ]] && exec unshare -m --propagation private "$0" --mounting "$@"
shift
root=$(realpath -m "${1:?usage: setup.sh DIR}")
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$(dirname "$root")"
# Several runs may build it at the same time.
exec 9>"$root.lock"
flock 9
if [[ ! -f $root/lab.version ]]; then
  exec 3>&1 >"$root.log" 2>&1
  trap 'echo "the Windows lab could not be built; $root.log says why" >&3' ERR
  half=$(mktemp -d "$root.half-XXXXXX")
  trap 'rm -rf --one-file-system "$half"' EXIT
  command -v debootstrap || apt-get install -y --no-install-recommends debootstrap
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v security | head -n 1)
  debootstrap --variant=minbase trixie "$half" "$mirror"
  in_lab() { chroot "$half" env DEBIAN_FRONTEND=noninteractive "$@" </dev/null; }
  in_lab apt-get install -y --no-install-recommends wine wine64 openbox stalonetray xdotool imagemagick \
    fonts-wine fonts-liberation python3-fonttools
  in_lab apt-get clean
  cp "$here/windows-fonts.py" "$here/add-export.py" "$half/root/"
  in_lab python3 /root/windows-fonts.py /usr/share/fonts/truetype/lab
  in_lab python3 /root/add-export.py /usr/lib/x86_64-linux-gnu/wine/x86_64-windows/user32.dll IsWindowArranged
  mkdir -p "$half/lab"
  chmod 755 "$half"
  in_lab dpkg-query -W -f 'Wine ${Version}' wine >"$half/lab.version"
  rm -rf --one-file-system "$root"
  mv -T "$half" "$root"
  trap - EXIT ERR
  exec >&3 2>&1
fi
# Wine takes Windows's code page from the language: 932 and 65001; without one, it is 1252.
if [[ ! -f $root/lab.locales ]]; then
  {
    for package in update 'install -y --no-install-recommends locales' clean; do
      # shellcheck disable=SC2086
      chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get $package </dev/null
    done
    for language in ja_JP hi_IN; do chroot "$root" localedef -i "$language" -f UTF-8 "$language.UTF-8"; done
  } >>"$root.log" 2>&1
  touch "$root/lab.locales"
fi
echo "the Windows lab stands in $root: $(cat "$root/lab.version"), $(du -smx "$root" | cut -f1) MiB"
