import { setTimeout as delay } from 'node:timers/promises';
import type { Action } from '../../actions/action.ts';
import { lockFolder } from '../../configuration/state-folder.ts';
import { familyOf } from '../process/game-family.ts';
import { bootId, identifyNow, stillRuns } from '../process/process-identity.ts';
import { type HeldGame, holdGame } from './holder.ts';
import { readHolderRecord } from './holder-record.ts';
import { serveHolder } from './holder-server.ts';
import { type HoldOrder, holdOrder } from './holder-wire.ts';

const holderExitCodes = { failure: 1, anotherHolder: 69, gameRuns: 70 } as const;

/** Owns the console of one game while it runs. An agent starts it and may come and go. */
export const holdAction: Action = {
  usage: '',
  summary: 'Owns the console of a game; the agent starts it with an order on standard input.',
  isInternal: true,
  async run(_args, { complain }) {
    // It must outlive the terminal and the service of the agent.
    process.on('SIGHUP', () => undefined);
    process.on('SIGINT', () => undefined);
    // Without the holder the game would lose its console, and may die from that: no fault here justifies it.
    process.stderr.on('error', () => undefined);
    process.on('unhandledRejection', (error) => {
      try {
        complain(
          `A fault of the holder, which goes on: ${error instanceof Error ? error.message : String(error)}`,
        );
      } catch {
        // Its log is on the same full disk.
      }
    });
    let order: HoldOrder;
    try {
      order = await readOrder();
    } catch {
      complain('This action is for the agent itself: there is no order on standard input.');
      return holderExitCodes.failure;
    }
    const { powerFolder, secret } = order;
    const lock = await patientLock(powerFolder).catch((error: Error) => error);
    if (lock instanceof Error) {
      complain(`The folder ${powerFolder} cannot be locked: ${lock.message}`);
      return holderExitCodes.failure;
    }
    if (!lock) {
      complain('Another holder runs with this folder.');
      return holderExitCodes.anotherHolder;
    }
    try {
      const before = await readHolderRecord(powerFolder);
      if (before?.game && (await isThere(before.launch, before.game))) {
        complain('The game of an earlier holder still runs.');
        return holderExitCodes.gameRuns;
      }
      const { pid } = process;
      const self = identifyNow(pid) ?? { pid, started: '', program: process.execPath, boot: bootId() };
      const started = Promise.withResolvers<HeldGame>();
      // The failure of the start itself reports it.
      started.promise.catch(() => undefined);
      const server = await serveHolder(powerFolder, secret, started.promise);
      holdGame(order, self).then(started.resolve, started.reject);
      const game = await started.promise;
      // The system is shutting down: the game gets its chance to save, and its last lines are kept.
      process.on('SIGTERM', () => void game.terminate().catch(() => undefined));
      game.onChange(() => server.announce(game));
      await game.ended;
      await server.close();
      return 0;
    } catch (error) {
      complain((error as Error).message);
      // The socket and other open handles would keep the process alive.
      process.exit(holderExitCodes.failure);
    } finally {
      await lock[Symbol.asyncDispose]();
    }
  },
};

/** The holder of the game that has just ended may still be closing. */
const patientLock = async (powerFolder: string) => {
  for (let tries = 1; tries < lockTries; tries += 1) {
    const lock = await lockFolder(powerFolder);
    if (lock) return lock;
    await delay(lockPauseMs);
  }
  return lockFolder(powerFolder);
};
const lockTries = 50;
const lockPauseMs = 100;

const isThere = async (launch: string, game: Parameters<typeof stillRuns>[0]): Promise<boolean> =>
  process.platform === 'win32'
    ? stillRuns(game, launch).catch(() => false)
    : (await familyOf({ launch, game })).length > 0;

const readOrder = async (): Promise<HoldOrder> => {
  let text = '';
  for await (const part of process.stdin.setEncoding('utf8')) text += part;
  return holdOrder.parse(JSON.parse(text));
};
