import { createServer, type RequestListener } from 'node:http';
import { newSecretText } from '#runtime/auth/secret-token.ts';
import { finishHomeRestore } from '#runtime/backup/restore-home.ts';
import { StartupError } from '#runtime/program.ts';
import { Secret } from '#runtime/secret.ts';
import { demandOwnHome } from '../data-folder/move-marks.ts';
import { controlAddress } from './control-address.ts';
import {
  type HolderRecord,
  readHolderRecord,
  removeHolderRecord,
  writeHolderRecord,
} from './holder-record.ts';

/** Somebody else runs the stack of this home. */
export class HomeHeldError extends Error {
  override readonly name = 'HomeHeldError';

  constructor(home: string, holder: HolderRecord | null) {
    const who = holder
      ? `${holder.heldBy} (pid ${holder.pid}, since ${holder.startedAt})`
      : 'another program that this account may not look into';
    super(
      `The stack in ${home} is already run by ${who}. See it with: castellan status; stop it with: castellan stop`,
    );
  }
}

/** This process alone runs the stack of the home until it is disposed, or dies. */
export interface HeldHome extends AsyncDisposable {
  /** What callers on the control channel have to show. */
  readonly token: Secret;
  /** Answers the callers; until then they wait. */
  serve(listener: RequestListener): void;
}

/**
 * The lock of a home and its control channel are one socket.
 * @throws {HomeHeldError}
 * @throws {StartupError} also for a folder that the home was moved out of
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

  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  const token = newSecretText();
  const record = { pid: process.pid, startedAt: new Date().toISOString(), heldBy, token };
  try {
    // Not before: until it is ours, another program may be moving it elsewhere.
    await demandOwnHome(home);
    // Cut short after its switch: the home is the restored one, and nothing may start before it is.
    await finishHomeRestore(home);
    await writeHolderRecord(home, record);
  } catch (error) {
    await close();
    if (error instanceof StartupError) throw error;
    throw new StartupError(`The home folder ${home} cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return {
    token: new Secret(token),
    serve: listener.resolve,
    async [Symbol.asyncDispose]() {
      await removeHolderRecord(home);
      const closed = close();
      server.closeAllConnections();
      await closed;
    },
  };
};
