import { execFile } from 'node:child_process';
import { createHash, type KeyObject } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { isAbsent } from '#runtime/absent-file.ts';
import { agentReleaseFileName, signAgentRelease } from '#runtime/release/agent-release.ts';
import type { ReleasePlatform } from '#runtime/release/release-manifest.ts';
import { version as ownVersion } from '#runtime/version.ts';
import { bundleAgentForExecutable } from '../bundle/bundle-file.ts';
import { updateSourceFile } from '../bundle/vendor-files.ts';
import type { CodeSigner } from '../release/sign-code.ts';
import { copyLinuxNode, linuxNode, windowsNode, windowsServiceHost } from './programs.ts';
import { withoutSignature } from './remove-signature.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
/** It has no types, and prints what it cannot read of a program wherever it is called from. */
const postject = require.resolve('postject/dist/cli.js');

const agentSystems = ['linux', 'win'] as const;
type AgentSystem = (typeof agentSystems)[number];
export const agentExecutable: Readonly<Record<AgentSystem, string>> = {
  linux: 'castellan-agent-linux-x64',
  win: 'castellan-agent-win-x64.exe',
};

const platformOf: Readonly<Record<AgentSystem, ReleasePlatform>> = {
  linux: 'linux-x64',
  win: 'win32-x64',
};

/** Tells Node that it carries a program. https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export interface AgentPackage {
  readonly system: AgentSystem;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Builds the agent as one file that needs no Node on its machine: the pinned Node with the agent in it, and beside it
 * `<file>.sha256` in the form of sha256sum.
 */
export const packageAgent = async ({
  folder,
  systems = agentSystems,
  version = ownVersion,
  releaseKeys,
  signWith = [],
  codeSigner = null,
}: {
  readonly folder: string;
  readonly systems?: readonly AgentSystem[];
  readonly version?: string;
  /** The agent accepts releases signed by these, in base64url; usually the keys of the build's update source. */
  readonly releaseKeys?: readonly string[];
  /** Private keys: they sign the release from which agents in use update themselves. */
  readonly signWith?: readonly KeyObject[];
  /** Signs the program for Windows, before it is hashed. */
  readonly codeSigner?: CodeSigner | null;
}): Promise<AgentPackage[]> => {
  await mkdir(folder, { recursive: true });
  const working = await mkdtemp(join(tmpdir(), 'castellan-agent-'));
  try {
    const keys = releaseKeys ?? (await keysOfBuild());
    const made: AgentPackage[] = [];
    for (const system of systems) {
      const blob = await makeBlob(working, version, keys, await assets[system]());
      const half = join(working, agentExecutable[system]);
      await copyNode[system](half);
      await run(process.execPath, [postject, half, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse]);
      await chmod(half, 0o755);
      if (system === 'win') await codeSigner?.sign(half);
      made.push({ system, ...(await putInPlace(half, join(folder, agentExecutable[system]))) });
    }
    await writeRelease(folder, version, made, signWith);
    return made;
  } finally {
    await rm(working, { recursive: true, force: true });
  }
};

/** Keyed by the names under which the agent asks for them (`agent/service/install-program.ts`). */
const assets: Readonly<Record<AgentSystem, () => Promise<Readonly<Record<string, string>>>>> = {
  linux: async () => ({}),
  async win() {
    const { program, license } = await windowsServiceHost();
    return { 'service-host.exe': program, 'service-host.txt': license };
  },
};

/** Without code cache and snapshot, which only fit the system they were made on. */
const makeBlob = async (
  folder: string,
  version: string,
  keys: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<string> => {
  const main = join(folder, 'agent.cjs');
  const output = join(folder, 'agent.blob');
  const config = join(folder, 'sea.json');
  const keysFile = join(folder, 'release-keys.json');
  await bundleAgentForExecutable(main, version);
  await writeFile(keysFile, JSON.stringify(keys));
  const settings = {
    main,
    output,
    disableExperimentalSEAWarning: true,
    // Only the agent itself decides how its Node runs.
    execArgvExtension: 'none',
    // The agent does little and runs beside a game: this saves 6 of its own 39 MB at rest.
    execArgv: ['--max-semi-space-size=1', '--optimize-for-size'],
    assets: { ...files, 'release-keys.json': keysFile },
  };
  await writeFile(config, JSON.stringify(settings));
  await run(linuxNode, ['--experimental-sea-config', config]);
  return output;
};

/** A checkout names none. */
const keysOfBuild = async (): Promise<readonly string[]> => {
  try {
    return (JSON.parse(await readFile(updateSourceFile, 'utf8')) as { publicKeys: string[] }).publicKeys;
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
};

/** Without keys to sign with there is no release: agents in use stay at their version. */
const writeRelease = async (
  folder: string,
  version: string,
  made: readonly AgentPackage[],
  keys: readonly KeyObject[],
): Promise<void> => {
  const file = join(folder, agentReleaseFileName);
  await rm(file, { force: true });
  if (keys.length === 0) return;
  const files = made.map(({ system, bytes, sha256 }) => ({
    platform: platformOf[system],
    name: agentExecutable[system],
    size: bytes,
    sha256,
  }));
  const releasedAt = new Date().toISOString();
  await writeFile(file, signAgentRelease({ product: 'castellan-agent', version, releasedAt, files }, keys));
};

const copyNode: Readonly<Record<AgentSystem, (file: string) => Promise<void>>> = {
  linux: copyLinuxNode,
  async win(file) {
    await writeFile(file, withoutSignature(await readFile(await windowsNode())));
  },
};

const putInPlace = async (half: string, file: string): Promise<Omit<AgentPackage, 'system'>> => {
  const content = await readFile(half);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const { size: bytes } = await stat(half);
  await writeFile(`${file}.part`, content, { mode: 0o755 });
  await rename(`${file}.part`, file);
  await writeFile(`${file}.sha256`, `${sha256}  ${basename(file)}\n`);
  return { file, bytes, sha256 };
};
