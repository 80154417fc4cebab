#!/usr/bin/env bash
# Builds the Windows lab: a Debian 13 chroot with Wine 10, in which the Windows programs are tested on Linux (older Wines run neither Node 24 nor Postgres 18).
# usage: setup.sh DIR [--with-32-bit]      needs root; about 90 s and 2.2 GB (3.3 GB with 32-bit, which NSIS installers need)
# Keep DIR between runs: it does not change. Prefixes (770 MB each) live in the WORK folder given to lab.sh.
set -euo pipefail
root=${1:?usage: setup.sh DIR [--with-32-bit]} bits=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
in_lab() { chroot "$root" env DEBIAN_FRONTEND=noninteractive "$@" >>"$root.log" 2>&1; }
if [[ ! -f $root/lab.version ]]; then
  command -v debootstrap >/dev/null || apt-get install -y --no-install-recommends debootstrap >/dev/null
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
  debootstrap --variant=minbase trixie "$root" "$mirror" >"$root.log" 2>&1
  in_lab apt-get install -y --no-install-recommends wine wine64 xvfb xauth openbox stalonetray xdotool imagemagick \
    fonts-wine fonts-liberation python3-fonttools
  cp "$here/windows-fonts.py" "$here/add-export.py" "$root/root/"
  in_lab python3 /root/windows-fonts.py /usr/share/fonts/truetype/lab
  in_lab python3 /root/add-export.py /usr/lib/x86_64-linux-gnu/wine/x86_64-windows/user32.dll IsWindowArranged
  mkdir -p "$root/lab"
  chroot "$root" dpkg-query -W -f 'Wine ${Version}' wine >"$root/lab.version"
fi
if [[ $bits == --with-32-bit && ! -f $root/lab.32 ]]; then
  in_lab dpkg --add-architecture i386
  in_lab apt-get update
  in_lab apt-get install -y --no-install-recommends wine32:i386
  touch "$root/lab.32"
fi
echo "the lab stands in $root: $(cat "$root/lab.version"), $(du -smx "$root" | cut -f1) MiB"
