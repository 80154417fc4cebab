import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { bundleAgentForExecutable } from '../bundle.ts';
import { linuxNode, windowsNode, windowsServiceHost } from './programs.ts';
import { withoutSignature } from './remove-signature.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
/** It comes without types, and says what it cannot read of a program, wherever it is called from. */
const postject = require.resolve('postject/dist/cli.js');

export const agentSystems = ['linux', 'win'] as const;
export type AgentSystem = (typeof agentSystems)[number];
export const agentExecutable: Readonly<Record<AgentSystem, string>> = {
  linux: 'castellan-agent-linux-x64',
  win: 'castellan-agent-win-x64.exe',
};

/** Tells Node that it carries a program. https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export interface AgentPackage {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface AgentPackageOptions {
  readonly folder: string;
  readonly systems?: readonly AgentSystem[];
}

/**
 * Makes the agent as one file that needs no Node on its machine: the pinned Node with the agent in it, and beside it
 * `<file>.sha256` in the form of sha256sum.
 */
export const packageAgent = async ({
  folder,
  systems = agentSystems,
}: AgentPackageOptions): Promise<AgentPackage[]> => {
  await mkdir(folder, { recursive: true });
  const working = await mkdtemp(join(tmpdir(), 'castellan-agent-'));
  try {
    const made: AgentPackage[] = [];
    for (const system of systems) {
      const blob = await makeBlob(working, await assets[system]());
      const half = join(working, agentExecutable[system]);
      await copyNode[system](half);
      await run(process.execPath, [postject, half, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse]);
      await chmod(half, 0o755);
      made.push(await putInPlace(half, join(folder, agentExecutable[system])));
    }
    return made;
  } finally {
    await rm(working, { recursive: true, force: true });
  }
};

/** By the names under which the agent asks for them (`agent/service/install-program.ts`). */
const assets: Readonly<Record<AgentSystem, () => Promise<Readonly<Record<string, string>>>>> = {
  linux: async () => ({}),
  async win() {
    const { program, license } = await windowsServiceHost();
    return { 'service-host.exe': program, 'service-host.txt': license };
  },
};

/** Without code cache and snapshot, which would fit the system alone that they were made on. */
const makeBlob = async (folder: string, files: Readonly<Record<string, string>>): Promise<string> => {
  const main = join(folder, 'agent.cjs');
  const output = join(folder, 'agent.blob');
  const config = join(folder, 'sea.json');
  await bundleAgentForExecutable(main);
  const settings = {
    main,
    output,
    assets: files,
    disableExperimentalSEAWarning: true,
    // Nobody but the agent itself says how its Node runs.
    execArgvExtension: 'none',
  };
  await writeFile(config, JSON.stringify(settings));
  await run(linuxNode, ['--experimental-sea-config', config]);
  return output;
};

const copyNode: Readonly<Record<AgentSystem, (file: string) => Promise<void>>> = {
  async linux(file) {
    // Its symbols serve debuggers alone, and are a seventh of it. Where binutils are missing, it stays larger.
    const isStripped = await run('strip', ['--strip-all', '-o', file, linuxNode]).then(
      () => true,
      () => false,
    );
    if (!isStripped) await copyFile(linuxNode, file);
    await chmod(file, 0o755);
  },
  async win(file) {
    await writeFile(file, withoutSignature(await readFile(await windowsNode())));
  },
};

const putInPlace = async (half: string, file: string): Promise<AgentPackage> => {
  const content = await readFile(half);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const { size: bytes } = await stat(half);
  await writeFile(`${file}.part`, content, { mode: 0o755 });
  await rename(`${file}.part`, file);
  await writeFile(`${file}.sha256`, `${sha256}  ${basename(file)}\n`);
  return { file, bytes, sha256 };
};
