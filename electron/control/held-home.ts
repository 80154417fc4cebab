import { createServer, type RequestListener } from 'node:http';
import { hostname } from 'node:os';
import type { LeftRestore } from '#contracts/desktop/desktop-restore.ts';
import { newSecretText } from '#runtime/auth/secret-token.ts';
import { finishHomeRestore } from '#runtime/backup/restore-journal.ts';
import { tryToLockInstallation } from '#runtime/folder-lock.ts';
import { StartupError } from '#runtime/program.ts';
import { Secret } from '#runtime/secret.ts';
import { demandOwnHome } from '../data-folder/move-marks.ts';
import { controlAddress } from './control-address.ts';
import { type HolderRecord, publishHolderRecord, readHolderRecord } from './holder-record.ts';

/** Another program runs the stack of this data folder. */
export class HomeHeldError extends Error {
  override readonly name = 'HomeHeldError';

  constructor(home: string, holder: HolderRecord | null) {
    const isElsewhere = holder?.host !== undefined && holder.host !== hostname();
    const where = isElsewhere ? `host ${holder.host}, ` : '';
    const who = holder
      ? `${holder.heldBy} (${where}pid ${holder.pid}, since ${holder.startedAt})`
      : 'a program that this account cannot see';
    super(
      `The stack in ${home} is already run by ${who}. See it ${isElsewhere ? 'there ' : ''}with: castellan status. Stop it with: castellan stop`,
    );
  }
}

/** Only this process runs the stack of the data folder, until it is disposed or dies. */
export interface HeldHome extends AsyncDisposable {
  /** What callers on the control channel must present. */
  readonly token: Secret;
  /** What was done with what a killed restore left; null: it left nothing. */
  readonly leftRestore: LeftRestore | null;
  /** Answers the callers, which wait until then. */
  serve(listener: RequestListener): void;
}

/**
 * Takes the lock of a data folder, and the socket that is its control channel.
 * @throws {HomeHeldError}
 * @throws {StartupError} also for a folder that the data folder was moved out of
 */
export const holdHome = async (home: string, heldBy: string): Promise<HeldHome> => {
  const path = await controlAddress(home);
  const listener = Promise.withResolvers<RequestListener>();
  const server = createServer((request, response) => {
    void listener.promise.then((answer) => answer(request, response));
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ path, exclusive: true }, resolve);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new HomeHeldError(home, await readHolderRecord(home));
  }

  await using holding = new AsyncDisposableStack();
  holding.defer(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  });
  const token = newSecretText();
  const startedAt = new Date().toISOString();
  const record = { pid: process.pid, startedAt, heldBy, host: hostname(), token };
  let leftRestore: LeftRestore | null;
  try {
    // The socket is of one network namespace and one path; the lock is of the folder.
    const lock = await tryToLockInstallation(home);
    if (lock === null) throw new HomeHeldError(home, await readHolderRecord(home));
    holding.use(lock);
    // Only now: until the folder is ours, another program may be moving it elsewhere.
    await demandOwnHome(home);
    // A restore was cut short after its switch: the restored data is in force, and nothing may start before this is done.
    leftRestore = await finishHomeRestore(home);
    holding.use(await publishHolderRecord(home, record));
  } catch (error) {
    if (error instanceof StartupError || error instanceof HomeHeldError) throw error;
    throw new StartupError(`The data folder ${home} cannot be written to: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const held = holding.move();
  return {
    token: new Secret(token),
    leftRestore,
    serve: listener.resolve,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
};
