import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { programFault } from '#contracts/kernel/program-faults.ts';
import { powerAction, taskResult } from '#contracts/servers/agent-tasks.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import { StartupError } from '#runtime/program.ts';
import { isOfThisBoot, sinceBootMs } from './process/process-identity.ts';

/** The state that outlives the agent: it is written before anything is done. */
const powerRecord = z.object({
  wanted: z.enum(['running', 'stopped']),
  /** The action that was running when it was written; null between actions. */
  action: z
    .object({
      kind: powerAction,
      task: z.string().nullable(),
      /** The game is down and coming up again: from here on its end is a crash. */
      isStarting: z.boolean(),
      /** Countdown of a stop that was announced to players; `endMs` in milliseconds since the start of the machine. */
      countdown: z
        .object({ seconds: z.number(), text: z.string(), endMs: z.number() })
        .nullable()
        .default(null),
    })
    .nullable(),
  /** The start whose end has not been handled; null when the game is known to be down. */
  launch: z.string().nullable(),
  /** Crashes that count, in milliseconds since the start of the machine `boot`. */
  crashes: z.array(z.number()),
  boot: z.string(),
  /** When it was written, in milliseconds since the start of the machine `boot`. */
  atMs: z.number().default(0),
  /** It crashed too often and waits for a person. */
  hasGivenUp: z.boolean(),
  /** Why the program of a wanted game cannot be run; the agent looks for it and starts nothing. */
  program: programFault.nullable().default(null),
  /** How the last task ended, for an API that did not receive it. */
  lastTask: z.object({ id: z.string(), result: taskResult }).nullable(),
});
export type PowerRecord = z.infer<typeof powerRecord>;

export interface KeptPowerRecord {
  now(): PowerRecord;
  /** On disk when it resolves. @throws {Error} when it cannot be written; nothing has then changed */
  change(change: Partial<PowerRecord>): Promise<void>;
}

/** @throws {StartupError} when it is damaged: whether the game should run must not be guessed */
export const openPowerRecord = async (powerFolder: string, boot: string): Promise<KeptPowerRecord> => {
  const path = join(powerFolder, 'power.json');
  await mkdir(powerFolder, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new StartupError(`The folder ${powerFolder} cannot be made: ${error.message}`, { cause: error });
  });
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new StartupError(`The file ${path} cannot be read: ${error.code}.`, { cause: error });
  });
  let record = text === null ? nothingYet(boot) : parse(text, path);
  if (!isOfThisBoot(record.boot, record.atMs)) {
    // Anything that ran or crashed before the machine started says nothing about now.
    record = { ...record, boot, crashes: [], hasGivenUp: false, launch: null };
    if (record.action?.countdown)
      record.action = { ...record.action, countdown: { ...record.action.countdown, endMs: 0 } };
  }
  let writing = Promise.resolve();
  return {
    now: () => record,
    change(change) {
      const write = async () => {
        const next = { ...record, ...change, atMs: sinceBootMs() };
        await writeFileAtomically(path, `${JSON.stringify(next, null, 2)}\n`, 0o600);
        await syncFolder(powerFolder);
        record = next;
      };
      const written = writing.then(write);
      writing = written.catch(() => undefined);
      return written;
    },
  };
};

const nothingYet = (boot: string): PowerRecord => ({
  wanted: 'stopped',
  action: null,
  launch: null,
  crashes: [],
  boot,
  atMs: 0,
  hasGivenUp: false,
  program: null,
  lastTask: null,
});

const parse = (text: string, path: string): PowerRecord => {
  try {
    return powerRecord.parse(JSON.parse(text));
  } catch (error) {
    throw new StartupError(
      `The file ${path} is damaged. Delete it, then start or stop the game server in the panel.`,
      { cause: error },
    );
  }
};
