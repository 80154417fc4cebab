import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import {
  type AgentProgram,
  type AgentProgramsManifest,
  agentPrograms,
  agentProgramsFolder,
  agentProgramsManifest,
  agentProgramsManifestName,
} from '#contracts/servers/agent-downloads.ts';
import { agentReleaseFileName } from '#runtime/release/agent-release.ts';
import { openInputs } from '../bundle/inputs.ts';
import { identitiesOf, type StampedPart, validStamp, writeStamp } from '../bundle/stamps.ts';
import { programsFolder } from '../bundle.ts';
import { type AgentPackage, agentExecutable, packageAgent } from './agent.ts';

type Options = Omit<Parameters<typeof packageAgent>[0], 'folder'>;
type StoredProgram = AgentProgramsManifest['files'][number];

/**
 * Level 9 turns 109.5 MB into 34.4 MB in 2.1 s; level 19, whose window of 8 MiB is the largest that browsers accept, makes
 * 30.0 MB in 46 s; both unpack in 0.5 s. Brotli makes 33.9 MB at quality 5, and 32.0 MB in 51 s at quality 9.
 */
const zstdLevels = { quick: 9, release: 19 } as const;
const leftoverMs = 60 * 60_000;

/** Puts the agent's programs, compressed, where the API of an installation finds them. */
export const packAgentPrograms = async (
  folder: string,
  { isForRelease = false, ...options }: Options & { readonly isForRelease?: boolean } = {},
): Promise<void> =>
  makePrograms(folder, options, async ({ file }, to) => {
    const stored = `${basename(file)}.zst`;
    const level = isForRelease ? zstdLevels.release : zstdLevels.quick;
    const { size } = await stat(file);
    const params = { [constants.ZSTD_c_compressionLevel]: level };
    const compress = createZstdCompress({ params, pledgedSrcSize: size });
    await pipeline(createReadStream(file), compress, createWriteStream(join(to, stored)));
    return { stored, coding: 'zstd' };
  });

/** Puts them there uncompressed: quick, for a checkout. */
export const layOutAgentPrograms = (folder: string, options: Options = {}): Promise<void> =>
  makePrograms(folder, options, async ({ file }, to) => {
    const stored = basename(file);
    await rename(file, join(to, stored));
    return { stored, coding: 'none' };
  });

const makePrograms = async (
  folder: string,
  options: Options,
  store: (made: AgentPackage, to: string) => Promise<Pick<StoredProgram, 'stored' | 'coding'>>,
): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await deleteLeftovers(folder);
  const half = await mkdtemp(join(folder, '.half-'));
  try {
    const made = await packageAgent({ ...options, folder: half });
    const files: StoredProgram[] = await Promise.all(
      made.map(async (program) => {
        const file = basename(program.file) as AgentProgram;
        const kept = await store(program, half);
        return { file, system: agentPrograms[file], bytes: program.bytes, sha256: program.sha256, ...kept };
      }),
    );
    for (const { stored, file } of files)
      for (const name of [stored, `${file}.sha256`]) await rename(join(half, name), join(folder, name));
    await putRelease(half, folder);
    const manifest = `${JSON.stringify(agentProgramsManifest.parse({ files }), null, 2)}\n`;
    await writeFile(join(half, agentProgramsManifestName), manifest);
    await rename(join(half, agentProgramsManifestName), join(folder, agentProgramsManifestName));
  } finally {
    await rm(half, { recursive: true, force: true });
  }
};

/** An old release would offer programs that no longer exist. */
const putRelease = async (from: string, folder: string): Promise<void> => {
  await rename(join(from, agentReleaseFileName), join(folder, agentReleaseFileName)).catch(
    async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await rm(join(folder, agentReleaseFileName), { force: true });
    },
  );
};

/** Deletes what a process left that was killed while it built them. */
const deleteLeftovers = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (name.startsWith('.half-') && Date.now() - mtimeMs > leftoverMs)
      await rm(path, { recursive: true, force: true });
  }
};

const part: StampedPart = {
  name: 'agent-programs',
  outputs: [agentProgramsManifestName, ...Object.values(agentExecutable)].map((name) =>
    join(agentProgramsFolder, name),
  ),
  trees: ['contracts', 'runtime', 'games', 'agent', 'resources'],
};

/**
 * Builds them for a checkout when a source of the agent has changed since.
 * @param programs its folder of built programs
 * @param layOut builds them into a folder
 */
export const prepareAgentPrograms = async (
  root: string,
  programs: string,
  layOut: typeof layOutAgentPrograms = layOutAgentPrograms,
): Promise<void> => {
  const inputs = openInputs(root);
  if (validStamp(root, programs, part, inputs)) return;
  const version = inputs.versionOfTree(...part.trees);
  const folder = join(programs, agentProgramsFolder);
  // Node for Windows comes from the registry, which may be unreachable.
  await layOut(folder).catch(async (error: unknown) => {
    await layOut(folder, { systems: ['linux'] });
    throw error;
  });
  await writeStamp(root, part.name, {
    toolsVersion: inputs.toolsVersion,
    treeVersion: version,
    inputs: {},
    modules: [],
    outputs: identitiesOf(programs, part.outputs),
  });
};

if (import.meta.main) await prepareAgentPrograms(resolve(import.meta.dirname, '../..'), programsFolder);
