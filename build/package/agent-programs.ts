import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import {
  type AgentProgram,
  type AgentProgramsManifest,
  agentPrograms,
  agentProgramsFolder,
  agentProgramsManifest,
  agentProgramsManifestName,
} from '#contracts/agent-downloads.ts';
import { agentReleaseFileName } from '#runtime/release/agent-release.ts';
import { agentSources, newestChange, programsFolder } from '../bundle.ts';
import { type AgentPackage, type AgentPackageOptions, packageAgent } from './agent.ts';

type Options = Omit<AgentPackageOptions, 'folder'>;
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

/** Builds them for this checkout when a source of the agent is newer. */
const prepareAgentPrograms = async (): Promise<void> => {
  const folder = join(programsFolder, agentProgramsFolder);
  const manifest = join(folder, agentProgramsManifestName);
  const newest = await newestChange(agentSources);
  const { mtimeMs } = await stat(manifest).catch(() => ({ mtimeMs: 0 }));
  if (newest <= mtimeMs + 1) return;
  // Node for Windows comes from the registry, which may be unreachable.
  await layOutAgentPrograms(folder).catch(async (error: unknown) => {
    await layOutAgentPrograms(folder, { systems: ['linux'] });
    throw error;
  });
  // Dated like the newest source that was read, so that a source saved since then counts as newer.
  await utimes(manifest, newest / 1000, newest / 1000);
};

/**
 * Builds them in another process while everything else starts; the panel says that they are not there yet. Without them
 * only their download is missing. The process ends with the caller, or when disposed.
 */
export const prepareAgentProgramsBeside = (say: (line: string) => void): AsyncDisposable => {
  // A copy that a test made stays unchanged.
  if (process.env.CASTELLAN_PROGRAMS !== undefined) return { [Symbol.asyncDispose]: async () => undefined };
  const working = mkdtemp(join(tmpdir(), 'castellan-agent-programs-'));
  const ending = new AbortController();
  const make = async () => {
    const folder = await working;
    try {
      if (ending.signal.aborted) return;
      const env = { ...process.env, TMPDIR: folder };
      // A process group of its own, so that everything it starts ends with it.
      const making = spawn(process.execPath, [import.meta.filename], {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
        detached: process.platform !== 'win32',
      });
      const kill = () => {
        if (process.platform === 'win32') making.kill('SIGKILL');
        else if (making.pid !== undefined && making.exitCode === null && making.signalCode === null)
          process.kill(-making.pid, 'SIGKILL');
      };
      const leave = () => {
        kill();
        rmSync(folder, { recursive: true, force: true });
      };
      // It must not keep this process alive.
      making.unref();
      (making.stderr as Socket).unref();
      process.once('exit', leave);
      const end = () => {
        making.ref();
        kill();
      };
      ending.signal.addEventListener('abort', end, { once: true });
      let complaint = '';
      making.stderr.setEncoding('utf8').on('data', (text: string) => {
        complaint = `${complaint}${text}`.slice(-2000);
      });
      const [exitCode] = await once(making, 'close');
      process.off('exit', leave);
      if (exitCode !== 0 && !ending.signal.aborted)
        say(`Could not build the agent's programs, so the panel cannot offer them: ${complaint.trim()}`);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  const made = make().catch((error: Error) => say(`Could not build the agent's programs: ${error.message}`));
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await made;
    },
  };
};

if (import.meta.main) await prepareAgentPrograms();
