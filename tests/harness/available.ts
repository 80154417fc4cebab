import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path';
import { readIdentifiers } from '../../runtime/license/hwid/hwid.ts';
import { thisMachine as machineToBindTo } from '../../runtime/license/hwid/machine.ts';
import { labObstacle } from '../windows/lab.ts';
import { canMount } from './small-disk.ts';

/** What tests may need besides Node. `npm run setup:test` installs everything except the right to mount. */
export const needs = [
  'screen',
  'desktop',
  'notifications',
  'openssl',
  'nsis',
  'signing',
  'debian',
  'download',
  'python',
  'identity',
  'systemd',
  'mount',
  'faketime',
  'teeworlds',
  'procps',
  'unzip',
  'iproute',
  'proxies',
  'exim',
  'foreign-servers',
  'windows',
] as const;
export type Need = (typeof needs)[number];

declare module 'vitest' {
  interface TestTags {
    /**
     * `slow` marks units that start whole clusters or programs; `npm run verify` leaves them to `npm test`. `night` marks tests that
     * take too long for every change: `npm test` leaves them to `npm run test:nightly`, and `tests/nightly/moved.json` names what stays.
     */
    tags: Need | 'slow' | 'night' | 'kills';
  }
}

/** The questions that a probe asks the machine. */
export interface Machine {
  hasProgram(name: string): boolean;
  /** @param name as the dynamic linker uses it, such as `libnss3.so` */
  hasLibrary(name: string): boolean;
  /** Asks the system's own Python. */
  hasPythonModule(name: string): boolean;
  /** Whether a license can be bound to it. */
  hasIdentity(): Promise<boolean>;
  canMount(): boolean;
  /** Why no Windows program runs here; null if one does. */
  labObstacle(): Promise<string | null>;
}

interface Parts {
  readonly programs?: readonly string[];
  readonly libraries?: readonly string[];
  readonly pythonModules?: readonly string[];
  readonly identity?: boolean;
}

/** Where `npm run setup:test -- --night` puts servers that are neither a package of Debian's nor a dependency. */
export const foreignServers = resolve(import.meta.dirname, '../../.cache/foreign-servers');

/** Electron lists these libraries itself; the others come with them. */
const parts: Readonly<Record<Exclude<Need, 'mount' | 'windows'>, Parts>> = {
  screen: { programs: ['Xvfb', 'dbus-daemon'] },
  desktop: {
    programs: ['Xvfb', 'dbus-daemon', 'python3'],
    libraries: ['libnss3.so', 'libexpat.so.1', 'libgtk-3.so.0', 'libgbm.so.1', 'libasound.so.2'],
    pythonModules: ['dbus', 'gi'],
    identity: true,
  },
  notifications: { libraries: ['libnotify.so.4'] },
  openssl: { programs: ['openssl'] },
  faketime: { programs: ['faketime'] },
  teeworlds: { programs: ['/usr/games/teeworlds-server'] },
  procps: { programs: ['ps', 'pgrep'] },
  unzip: { programs: ['unzip'] },
  iproute: { programs: ['ip'] },
  proxies: { programs: ['/usr/sbin/nginx', '/usr/bin/caddy', '/usr/sbin/apache2', '/usr/sbin/haproxy'] },
  exim: { programs: ['/usr/sbin/exim4'] },
  'foreign-servers': {
    programs: [
      'node_modules/flying-squid/app.js',
      'node_modules/mineflayer/index.js',
      'usr/sbin/telnetd',
    ].map((path) => join(foreignServers, path)),
  },
  download: { programs: ['curl', 'wget'] },
  nsis: { programs: ['makensis'] },
  debian: { programs: ['dpkg', 'dpkg-deb', 'readelf'] },
  signing: { programs: ['makensis', 'osslsigncode', 'openssl'] },
  python: { programs: ['python3'] },
  identity: { identity: true },
  systemd: {
    programs: ['systemd-analyze', 'systemctl', 'pkcheck', 'dbus-daemon', '/usr/lib/polkit-1/polkitd'],
  },
};

/**
 * What every Debian has, however small: the programs of its packages of priority `required`, and what the README asks for (Node,
 * npm and git). A test may start them without a tag.
 */
export const essentialPrograms: ReadonlySet<string> = new Set(
  [
    'bash cat chgrp chmod chown chroot cp date dash dd df dpkg-query du echo env false find flock getent grep groupadd groupdel gzip',
    'head hostname id install kill ldconfig ldd ln ls mkdir mkfifo mknod mktemp mount mv nice nohup perl prlimit readlink',
    'renice rm rmdir script sed seq setpriv setsid sh sleep sort stat stty su sync tail tar tee test timeout touch tr true',
    'umount uname unshare useradd userdel usermod wc which xargs',
    'git node npm npx',
  ].flatMap((line) => line.split(' ')),
);

/** What the code that starts it does without. */
export const optionalPrograms: ReadonlySet<string> = new Set(['strip']);

/** The programs that a test with this tag may start. */
export const programsOf = (tag: string): readonly string[] =>
  (Object.hasOwn(parts, tag) ? (parts[tag as keyof typeof parts].programs ?? []) : []).map((path) =>
    basename(path),
  );

const remedy = '`npm run setup:test` brings it';
/** Only the nightly tier needs them. */
const ofTheNight: readonly string[] = ['proxies', 'exim', 'foreign-servers'];

/** By need, why its tests are skipped here; available needs are not listed. */
export const unavailable = async (machine: Machine): Promise<ReadonlyMap<Need, string>> => {
  const reasons = new Map<Need, string>();
  const hasIdentity = await machine.hasIdentity();
  for (const [need, { programs = [], libraries = [], pythonModules = [], identity }] of Object.entries(
    parts,
  )) {
    const missing = [
      ...(identity && !hasIdentity ? ['/etc/machine-id'] : []),
      ...programs.filter((name) => !machine.hasProgram(name)),
      ...libraries.filter((name) => !machine.hasLibrary(name)),
      ...pythonModules.filter((name) => !machine.hasPythonModule(name)).map((name) => `python3-${name}`),
    ];
    if (missing.length > 0) {
      const brings = ofTheNight.includes(need) ? '`npm run setup:test -- --night` brings it' : remedy;
      reasons.set(need as Need, `${missing.join(', ')} missing; ${brings}`);
    }
  }
  if (!machine.canMount())
    reasons.set('mount', 'this account may not mount a disk; run the tests as root on Linux');
  const obstacle = await machine.labObstacle();
  if (obstacle !== null) reasons.set('windows', `${obstacle}; ${remedy}`);
  return reasons;
};

/** A program's output; empty if it is missing or fails. */
const outputOf = (program: string, args: readonly string[]): string => {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
};

let linkerCache: string | undefined;

export const thisMachine: Machine = {
  hasProgram: (name) =>
    isAbsolute(name)
      ? existsSync(name)
      : (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name))),
  hasLibrary(name) {
    linkerCache ??= outputOf('/sbin/ldconfig', ['-p']);
    return linkerCache.includes(`\t${name} `);
  },
  hasPythonModule: (name) => outputOf('/usr/bin/python3', ['-c', `import ${name}; print(1)`]) !== '',
  hasIdentity: async () => (await readIdentifiers(machineToBindTo())).size > 0,
  canMount,
  labObstacle,
};
