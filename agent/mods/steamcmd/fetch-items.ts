import { spawn } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { foreignHand } from '#runtime/owned-path.ts';
import { killWindowsTree } from '../../power/process/game-family.ts';
import { readItem } from './read-output.ts';

type FetchedItem =
  | { readonly is: 'fetched'; readonly bytes: number }
  | { readonly is: 'failed'; readonly why: string };

export interface FetchItemsOptions {
  /** As the machine's owner named it in config.json. */
  readonly program: string;
  /** The game whose items they are. */
  readonly app: number;
  /** Where steamcmd keeps its downloads, so that it can continue them. */
  readonly folder: string;
  readonly ids: readonly string[];
  readonly signal: AbortSignal;
  readonly onItem: (id: string, done: number, total: number) => void;
  readonly tries?: number;
  /** For one item; some have several gigabytes. */
  readonly itemMs?: number;
  /** Between two rounds of tries. */
  readonly pauseMs?: number;
}

const keptOutput = 256 * 1024;

/**
 * Makes steamcmd download items of a game's Workshop, which shows before the game is stopped that they exist, and how large
 * they are. Each item gets its own process, and all are tried once before one is tried again, so that a bad one does not delay
 * the others. Interrupted downloads are continued. The game itself downloads the items again (-automanagedmods).
 * @throws the reason of `signal`
 */
export const fetchItems = async (options: FetchItemsOptions): Promise<ReadonlyMap<string, FetchedItem>> => {
  const { program, folder, signal, onItem, tries = 3, pauseMs = 10_000 } = options;
  const ids = [...new Set(options.ids)];
  const odd = ids.find((id) => !/^\d{1,20}$/.test(id));
  if (odd !== undefined) throw new Error(`${JSON.stringify(odd.slice(0, 40))} is no id of the Workshop.`);
  const results = new Map<string, FetchedItem>();
  const hand = process.getuid?.() === 0 ? await foreignHand(program).catch(whyUnknown) : null;
  if (hand !== null)
    return new Map(ids.map((id) => [id, { is: 'failed', why: `steamcmd is not run as root. ${hand}` }]));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let pending = ids;
  for (let round = 1; round <= tries && pending.length > 0; round += 1) {
    if (round > 1) await delay(pauseMs, undefined, { signal });
    const again: string[] = [];
    for (const id of pending) {
      onItem(id, ids.length - pending.length + again.length, ids.length);
      const { result, isFinal } = await fetchOnce(id, options);
      results.set(id, result);
      if (result.is === 'failed' && !isFinal) again.push(id);
    }
    pending = again;
  }
  return results;
};

/** A missing program is reported when it is started. */
const whyUnknown = ({ code }: NodeJS.ErrnoException): string | null =>
  code === 'ENOENT' ? null : `Who may change it cannot be told: ${code}.`;

const fetchOnce = async (
  id: string,
  options: FetchItemsOptions,
): Promise<{ result: FetchedItem; isFinal: boolean }> => {
  const ran = await run(id, options);
  const failed = (why: string, isFinal: boolean) => ({ result: { is: 'failed', why } as const, isFinal });
  if ('fault' in ran) return failed(ran.fault, ran.isFinal);
  const said = readItem(ran.output, id);
  if (said === null) return failed('steamcmd ended without a word of it', false);
  if (said.is === 'failed') return failed(`${said.why}.`, said.isFinal);
  // It has printed "Success" for items that were not there (arkmanager/ark-server-tools, issue 462).
  const bytes = await sizeOf(join(options.folder, 'steamapps/workshop/content', String(options.app), id));
  return bytes === 0
    ? failed('steamcmd says that it was downloaded, but it is not there.', false)
    : { result: { is: 'fetched', bytes }, isFinal: true };
};

const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
};

type Ran = { readonly output: string } | { readonly fault: string; readonly isFinal: boolean };

const run = async (id: string, options: FetchItemsOptions): Promise<Ran> => {
  const { program, app, folder, signal, itemMs = 30 * 60_000 } = options;
  signal.throwIfAborted();
  const words = ['+login', 'anonymous', '+workshop_download_item', String(app), id, '+quit'];
  const child = spawn(program, ['+@ShutdownOnFailedCommand', '0', '+force_install_dir', folder, ...words], {
    cwd: folder,
    // It would wait for an answer.
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its script starts the program itself, and both have to be ended.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let output = '';
  const read = (part: string) => {
    output = (output + part).slice(-keptOutput);
  };
  child.stdout.setEncoding('latin1').on('data', read);
  child.stderr.setEncoding('latin1').on('data', read);
  const end = () => {
    if (child.pid === undefined) return;
    if (process.platform === 'win32') return void killWindowsTree(child.pid);
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, itemMs);
  signal.addEventListener('abort', end);
  try {
    const fault = await new Promise<string | null>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) =>
        resolve(
          `steamcmd (${program}) cannot be started: ${error.code}. Check mods.steamcmd in the configuration.`,
        ),
      );
      child.once('close', () => resolve(null));
    });
    signal.throwIfAborted();
    if (fault !== null) return { fault, isFinal: true };
    if (isLate)
      return { fault: `steamcmd did not end within ${Math.round(itemMs / 60_000)} min.`, isFinal: false };
    return { output };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
};
