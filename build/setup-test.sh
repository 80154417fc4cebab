#!/usr/bin/env bash
# Installs what the tests need besides Node: Debian's packages, and with --night also the servers and the Windows lab of the
# nightly tier.
# usage: setup-test.sh [--night]      needs root on Debian
# CASTELLAN_LAB names a folder for the lab other than .cache/windows-lab.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
  '' | --night) ;;
  *)
    echo "usage: setup-test.sh [--night]" >&2
    exit 64
    ;;
esac

# openssl verifies a token and Python reads an archive independently of our libraries; the Electron from
# npm links against the libraries; the desktop is shown on a screen in memory (xvfb), with a session bus and a tray from
# the test (dbus, Python's libraries); nsis builds the installer for Windows, and osslsigncode signs it; binutils lists
# the libraries that programs link against; debootstrap builds the lab;
# teeworlds-server is a game server that a Game Agent starts and stops; systemd and polkit check what the agent installs,
# script (bsdutils) is a terminal, faketime sets a program's clock, procps lists processes, and unzip reads an archive
# independently of our libraries; curl and wget run the line that people paste; ip (iproute2) makes a network of its own.
needed=(openssl libnss3 libexpat1 xvfb xauth libgtk-3-0 libgbm1 libasound2 dbus python3-dbus python3-gi
  libnotify4 nsis osslsigncode binutils debootstrap teeworlds-server systemd polkitd bsdutils
  faketime procps unzip curl wget iproute2)

# The nightly tier puts real proxies and a real mail server around Castellan, as processes of its own.
serving=(nginx-light caddy apache2-bin haproxy exim4-daemon-light)
if [[ ${1:-} == --night ]]; then needed+=("${serving[@]}"); fi

missing=()
for package in "${needed[@]}"; do dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package"); done
if ((${#missing[@]})); then
  if ! command -v apt-get >/dev/null || ((EUID != 0)); then
    echo "This needs root on Debian. Elsewhere, install what these packages hold: ${missing[*]}" >&2
    exit 1
  fi
  # Packages of servers start them as services, now and with the machine.
  policy=/usr/sbin/policy-rc.d
  services=()
  for package in "${missing[@]}"; do
    case $package in
      nginx-light) services+=(nginx) ;;
      caddy | haproxy) services+=("$package") ;;
      exim4-daemon-light) services+=(exim4) ;;
    esac
  done
  if ((${#services[@]})) && [[ ! -e $policy ]]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
  for service in "${services[@]}"; do systemctl disable --quiet "$service" 2>/dev/null || true; done
fi

# A bare container has no machine-id, and no license can be bound to it.
[[ -s /etc/machine-id || -s /var/lib/dbus/machine-id ]] || dbus-uuidgen --ensure=/etc/machine-id

[[ ${1:-} == --night ]] || exit 0

# Servers that others wrote. Half a gigabyte of the game's data comes with the packages of npm, so they are no dependencies; Debian's
# telnetd is only unpacked, since its package would open the machine's telnet port. Without them their tests are skipped.
servers=.cache/foreign-servers
if [[ ! -e $servers/usr/sbin/telnetd ]] || ! cmp -s build/foreign-servers/package-lock.json "$servers/package-lock.json"; then
  rm -rf "$servers" "$servers.half"
  mkdir -p "$servers.half"
  cp build/foreign-servers/package*.json "$servers.half/"
  if npm ci --prefix "$servers.half" --ignore-scripts --no-audit --no-fund --loglevel=error >"$servers.log" 2>&1 &&
    (cd "$servers.half" && apt-get download -qq inetutils-telnetd && dpkg -x inetutils-telnetd_*.deb .) >>"$servers.log" 2>&1; then
    mv "$servers.half" "$servers"
  else
    tail -n 3 "$servers.log" >&2
  fi
fi

# Not every machine allows a chroot with mounts, or reaches Debian: the Windows tests are then skipped.
lab=${CASTELLAN_LAB:-.cache/windows-lab}
timeout -k 30 420 build/lab/setup.sh "$lab" || tail -n 3 "$lab.log" || true
