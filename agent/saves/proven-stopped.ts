import { connect } from 'node:net';
import { foreignDisk } from '#runtime/folder-check/foreign-disk.ts';
import { findFolderProcess } from './folder-processes.ts';
import { SavesError } from './saves-error.ts';

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
 * started in its folder, or has files of it open for writing. Else why not, for people. On Windows, the game's open files show the rest.
 * On a disk that other machines use, too, only the console proves it.
 */
export const whyNotStopped = async ({
  folder,
  console,
  diskOf = foreignDisk,
}: {
  readonly folder: string;
  /** Null: the game's console is unknown. */
  readonly console: { readonly host: string; readonly port: number } | null;
  /** What answers for the folder's disk in place of this system; null: nothing. */
  readonly diskOf?: (folder: string) => Promise<string | null>;
}): Promise<string | null> => {
  if (console && (await isListening(console)))
    return `Something listens at the game's console (port ${console.port}). Stop the game first.`;
  const disk = console ? null : await diskOf(folder).catch(() => null);
  if (disk !== null)
    return `The game's folder is on no disk of this machine (${disk}): a game that runs elsewhere would not be seen. Name the game's console in config.json first.`;
  const found = process.platform === 'linux' ? await findFolderProcess(folder) : null;
  if (found === null) return null;
  return found.isSeen
    ? `A program of the game's folder runs: ${found.name || 'one without a name'} (process ${found.pid}). Stop the game, or that program, first.`
    : `The process ${found.pid} (${found.name}) may belong to the game: its account may write the game's folder, and this agent may not see where the process works. Stop it first, or let the agent run as root.`;
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
