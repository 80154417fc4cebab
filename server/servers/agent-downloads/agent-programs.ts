import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import {
  type AgentProgram,
  type AgentProgramFile,
  agentProgramsFolder,
  agentProgramsManifest,
  agentProgramsManifestName,
} from '#contracts/servers/agent-downloads.ts';
import { readJson } from '#runtime/read-json.ts';

/** A program of the agent that can be handed out. */
export interface StoredProgram extends AgentProgramFile {
  /** Has to be decompressed completely, whichever part is wanted. */
  readonly isCompressed: boolean;
  /** The program's bytes up to `to`; those before `from` only if they cannot be left out: `skip` is their number. */
  open(
    from: number,
    to: number,
  ): { readonly content: readonly [Readable, ...NodeJS.ReadWriteStream[]]; readonly skip: number };
}

/** The agent's programs next to those of the API. Looked up each time: in a checkout they are built while the API runs. */
export type AgentPrograms = ReturnType<typeof openAgentPrograms>;

const moduleName = 'agent.mjs' satisfies AgentProgram;

export const openAgentPrograms = (programsFolder: string) => {
  const folder = join(programsFolder, agentProgramsFolder);
  let hashed: { readonly mtimeMs: number; readonly size: number; readonly sha256: string } | null = null;

  /** For machines that have Node; it is among the programs themselves. */
  const readModule = async (): Promise<StoredProgram[]> => {
    const path = join(programsFolder, moduleName);
    const found = await stat(path).catch(() => null);
    if (!found) return [];
    const { mtimeMs, size } = found;
    if (hashed?.mtimeMs !== mtimeMs || hashed.size !== size) {
      const content = await readFile(path).catch(() => null);
      if (content?.length !== size) return [];
      hashed = { mtimeMs, size, sha256: createHash('sha256').update(content).digest('hex') };
    }
    const { sha256 } = hashed;
    return [{ file: moduleName, system: 'node', bytes: size, sha256, ...plain(path) }];
  };

  const readPackaged = async (): Promise<StoredProgram[]> => {
    const text = await readFile(join(folder, agentProgramsManifestName), 'utf8').catch(() => '{}');
    const files = readJson(agentProgramsManifest, text)?.files ?? [];
    const stored = files.filter(({ stored: name }) => /^[\w.-]+$/.test(name));
    const programs = await Promise.all(
      stored.map(async ({ stored: name, coding, ...program }): Promise<StoredProgram[]> => {
        const path = join(folder, name);
        if (!(await stat(path).catch(() => null))) return [];
        return [{ ...program, ...(coding === 'zstd' ? compressed(path) : plain(path)) }];
      }),
    );
    return programs.flat();
  };

  const list = async () => [...(await readPackaged()), ...(await readModule())];
  return {
    list,
    find: async (file: AgentProgram): Promise<StoredProgram | null> =>
      (await list()).find((program) => program.file === file) ?? null,
  };
};

const plain = (path: string): Pick<StoredProgram, 'isCompressed' | 'open'> => ({
  isCompressed: false,
  open: (from, to) => ({ content: [createReadStream(path, { start: from, end: to })], skip: 0 }),
});

const compressed = (path: string): Pick<StoredProgram, 'isCompressed' | 'open'> => ({
  isCompressed: true,
  open: (from) => ({ content: [createReadStream(path), createZstdDecompress()], skip: from }),
});
