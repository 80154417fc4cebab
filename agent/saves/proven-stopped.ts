import { readdir, readlink, realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, sep } from 'node:path';
import { SavesError } from './saves-error.ts';

export interface StoppedOptions {
  readonly folder: string;
  /** Null: the game's console is unknown. */
  readonly console: { readonly host: string; readonly port: number } | null;
}

/** Null once the game is proven to be stopped; else why not. */
export type WhyNotStopped = () => Promise<string | null>;

/** @throws {SavesError} */
export const demandStopped = async (whyNotStopped: WhyNotStopped): Promise<void> => {
  const why = await whyNotStopped();
  if (why !== null) throw new SavesError(why);
};

const connectMs = 3000;

/**
 * Null once it is certain that the game does not run: nothing listens at its console, and no process on this machine works or was
 * started in its folder. Else why not, for people. On Windows, the game's open files show the rest.
 */
export const whyNotStopped = async ({ folder, console }: StoppedOptions): Promise<string | null> => {
  if (console && (await isListening(console)))
    return `Something listens at the game's console (port ${console.port}). Stop the game first.`;
  const pid = await processIn(folder);
  return pid === null ? null : `A process of the game's folder runs (${pid}). Stop the game first.`;
};

/** Only a refusal proves that nothing is there. */
const isListening = ({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (listens: boolean) => {
      socket.destroy();
      resolve(listens);
    };
    socket.setTimeout(connectMs, () => end(true));
    socket.once('connect', () => end(true));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code !== 'ECONNREFUSED'));
  });

const processIn = async (path: string): Promise<number | null> => {
  if (process.platform !== 'linux') return null;
  // The system reports the paths of processes without links.
  const folder = await realpath(path).catch(() => path);
  const inside = (link: string) =>
    link === folder || link.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid || pid === process.ppid) continue;
    const links = await Promise.all(
      ['cwd', 'exe'].map((name) => readlink(join('/proc', entry, name)).catch(() => '')),
    );
    // The agent itself, which may also be in that folder.
    if (links[1] === process.execPath) continue;
    if (links.some(inside)) return pid;
  }
  return null;
};
