import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ifAbsent } from '#runtime/absent-file.ts';
import { librariesFile, writeLibraryLicenses } from '../package/library-licenses.ts';
import { deleteAbandoned, makeHalfFolder } from './half-folder.ts';
import { type Inputs, openInputs } from './inputs.ts';
import { type Part, type PartName, type Stage, stages } from './parts.ts';
import { identitiesOf, type Stamp, type StampedPart, validStamp, writeStamp } from './stamps.ts';
import { copyVendorFiles } from './vendor-files.ts';

const againMs = 50;

/** A name that the system forgets together with the process that has it: no lock outlives a killed build. */
const addressOf = (root: string): string | null => {
  const name = `castellan-build-${createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : null;
};

/**
 * One build of a checkout at a time, so that a second one finds everything built. Where it cannot be seen, as between
 * containers, both build, and the stamps still tell what is current.
 * @param onWait another build is running
 */
const lockBuild = async (root: string, onWait: () => void): Promise<Disposable> => {
  const address = addressOf(root);
  if (address === null) return { [Symbol.dispose]: () => undefined };
  for (let hasWaited = false; ; hasWaited = true) {
    const server = await listen(address);
    if (server) return { [Symbol.dispose]: () => void server.close() };
    if (!hasWaited) onWait();
    await untilClosed(address);
  }
};

/** Null while another process has it. */
const listen = (address: string): Promise<Server | null> =>
  new Promise((resolve, reject) => {
    // A connection lives as long as the build that it waits for.
    const server = createServer((waiting) => waiting.on('error', () => undefined).unref());
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(null) : reject(error),
    );
    server.listen(address, () => resolve(server.unref()));
  });

const untilClosed = async (address: string): Promise<void> => {
  const waiting = connect(address);
  waiting.resume();
  await new Promise<void>((resolve) => {
    waiting.on('error', () => undefined).on('close', () => resolve());
  });
  await delay(againMs);
};

/**
 * Brings dist/ up to date. A part is built when a file that it was built from, a tool or a library has changed, or when what
 * it made is no longer there. Each file is replaced whole by a rename, so that programs running from there never see half
 * a file.
 */
export const buildParts = async ({
  root,
  only,
  say,
  onReady,
}: {
  readonly root: string;
  /** All parts unless named. */
  readonly only: readonly string[];
  /** What is done, in words. */
  readonly say: (line: string) => void;
  /** A part is up to date in dist/. */
  readonly onReady: (part: PartName) => void;
}): Promise<void> => {
  using _lock = await lockBuild(root, () => say('waiting for another build of this checkout …'));
  const programs = join(root, 'dist');
  await deleteAbandoned(programs);
  const beganMs = performance.now();
  const inputs = openInputs(root);
  const wanted = only.length === 0 ? stages : [chosen(only)];
  const stamps = new Map<PartName, Stamp>();
  for (const part of wanted.flatMap(({ parts }) => parts)) {
    const stamp = validStamp(root, programs, part, inputs);
    if (!stamp) continue;
    stamps.set(part.name, stamp);
    onReady(part.name);
  }
  const half = await makeHalfFolder(programs);
  try {
    const stale = wanted.flatMap(({ parts }) => parts).filter(({ name }) => !stamps.has(name));
    if (stale.length > 0) inputs.readAll();
    for (const { what, parts } of wanted) {
      const now = parts.filter((part) => stale.includes(part));
      if (now.length === 0) continue;
      say(`building ${what} …`);
      const built = await Promise.allSettled(
        now.map(async (part) => {
          stamps.set(part.name, await buildPart({ root, programs, half, part, inputs }));
          onReady(part.name);
        }),
      );
      for (const one of built) if (one.status === 'rejected') throw one.reason;
    }
    if (only.length === 0) {
      await updateLicenses({ root, programs, half, inputs, stamps });
      await copyVendorFiles(root, programs, half);
    }
    if (stale.length > 0) say(`built in ${((performance.now() - beganMs) / 1000).toFixed(1)} s`);
  } finally {
    await rm(half, { recursive: true, force: true });
  }
};

const chosen = (only: readonly string[]): Stage => {
  const all = stages.flatMap(({ parts }) => parts);
  const parts = only.map((name) => {
    const found = all.find((part) => part.name === name);
    if (!found)
      throw new Error(`No part is called ${name}; there are ${all.map((part) => part.name).join(', ')}.`);
    return found;
  });
  return { what: only.join(', '), parts };
};

interface Building {
  readonly root: string;
  readonly programs: string;
  readonly half: string;
  readonly inputs: Inputs;
}

const buildPart = async ({
  root,
  programs,
  half,
  part,
  inputs,
}: Building & { readonly part: Part }): Promise<Stamp> => {
  const { read, modules } = await part.build(half);
  const trees = inputs.filesOf(...part.trees).map((path) => join(root, path));
  const versions = inputs.versionsOf([...read, ...trees]);
  const stamp = {
    ...describe(half, part, inputs),
    inputs: versions ?? {},
    modules: modules.filter((id) => id.includes('node_modules')).map((id) => relative(root, id)),
  };
  await putInPlace(half, programs, part);
  // Without a stamp, the next start builds it again: a source has changed while this build read it.
  if (versions) await writeStamp(root, part.name, stamp);
  return stamp;
};

const describe = (half: string, part: StampedPart, inputs: Inputs): Omit<Stamp, 'inputs' | 'modules'> => ({
  toolsVersion: inputs.toolsVersion,
  treeVersion: inputs.versionOfTree(...part.trees),
  outputs: identitiesOf(half, part.outputs),
});

const licenses: StampedPart = {
  name: 'licenses',
  outputs: [librariesFile],
  trees: ['contracts/kernel/product.ts'],
};

/** The licenses of the libraries in everything that customers get. */
const updateLicenses = async ({
  root,
  programs,
  half,
  inputs,
  stamps,
}: Building & { readonly stamps: ReadonlyMap<PartName, Stamp> }): Promise<void> => {
  const installed = stages.flatMap(({ parts }) => parts).filter(({ isInstalled }) => isInstalled);
  const modules = [...new Set(installed.flatMap(({ name }) => stamps.get(name)?.modules ?? []))].sort();
  const found = validStamp(root, programs, licenses, inputs);
  if (found && found.modules.join('\n') === modules.join('\n')) return;
  await writeLibraryLicenses(
    half,
    modules.map((path) => resolve(root, path)),
  );
  const stamp = { ...describe(half, licenses, inputs), inputs: {}, modules };
  await putInPlace(half, programs, { outputs: ['licenses'] });
  await writeStamp(root, licenses.name, stamp);
};

const putInPlace = async (
  half: string,
  programs: string,
  { outputs }: Pick<Part, 'outputs'>,
): Promise<void> => {
  for (const name of outputs) await replace(join(half, name), join(programs, name));
};

const tries = 5;

/** A file is replaced atomically; a folder cannot be renamed over a full one, so the old one is moved aside first. */
const replace = async (from: string, to: string): Promise<void> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await rename(from, to);
    } catch (error) {
      const isFull = ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (!isFull || attempt === tries) throw error;
      await rename(to, `${from}.old-${attempt}`).catch(ifAbsent(undefined));
    }
};
