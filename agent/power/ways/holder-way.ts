import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, signalProcess } from '#runtime/live-process.ts';
import type { ServerConfig, ServerStart } from '../../configuration/server-section.ts';
import { lastHeldLines } from '../held-lines.ts';
import { connectHolder, type HolderClient } from '../holder/holder-client.ts';
import { type HolderRecord, readHolderRecord } from '../holder/holder-record.ts';
import type { HoldOrder } from '../holder/holder-wire.ts';
import { launchHolder } from '../holder/launch-holder.ts';
import { withModIds } from '../mods-mark.ts';
import { eldestOnWindows, familyOf, killFamily, signalMembers } from '../process/game-family.ts';
import { bootId, sinceBootMs, stillRuns } from '../process/process-identity.ts';
import { otherStartFault, type StartFault } from '../program/fault.ts';
import { isLoadFailure, reportedLibrary, stillMissing } from '../program/libraries.ts';
import { prepareCommand } from './prepare-command.ts';
import type { Sighting, StartWay } from './start-way.ts';

const connectMs = 3000;
/** Allows for a cold disk or a virus scanner. */
const startMs = 20_000;
const requestMs = 15_000;
const retryMs = 50;
/** The linker's message is the last thing that a run without its library writes. */
const mostLines = 20;

const consoleLost =
  'The process that held its console has ended: what the game writes is lost until a restart brings the console back.';
const leftConsole =
  'The start command ended at once and without an error. If it puts the game into the background, let it stay in the foreground, or start the game by a systemd unit or a Windows Service.';
const endedAtOnce = ({ exit, ranMs }: NonNullable<HolderRecord['ended']>): boolean =>
  exit.code === 0 && ranMs < atOnceMs;
const atOnceMs = 15_000;
const inBackground = 'The start command put the game into the background.';

/** The game as a child of a holder, which outlives this agent. */
export const openHolderWay = async (options: {
  readonly powerFolder: string;
  readonly server: Pick<ServerConfig, 'folder'>;
  readonly start: Extract<ServerStart, { by: 'holder' }>;
  /** The command that starts a holder: a program and its first arguments. */
  readonly program: readonly string[];
  /** Ids for the mark in the command; none by default. @throws {Error} with a message for people */
  readonly modIds?: () => Promise<readonly string[]>;
}): Promise<StartWay> => {
  const { server, start, program } = options;
  await mkdir(options.powerFolder, { recursive: true, mode: 0o700 });
  const powerFolder = await realpath(options.powerFolder);
  let client: HolderClient | null = null;
  let listener: () => void = () => undefined;

  const clientOf = async ({ launch, secret }: HolderRecord): Promise<HolderClient | null> => {
    if (client?.isOpen && client.status().launch === launch) return client;
    client?.[Symbol.dispose]();
    client = await connectHolder({
      powerFolder,
      secret,
      timeoutMs: connectMs,
      onChange: () => listener(),
    });
    if (client && client.status().launch !== launch) {
      client[Symbol.dispose]();
      client = null;
    }
    return client;
  };

  const look = async (): Promise<Sighting> => {
    const record = await readHolderRecord(powerFolder);
    if (record === null || isOfEarlierBoot(record)) return { is: 'absent' };
    if (record.ended) return endedSighting(record);
    const holder = await clientOf(record);
    if (holder) {
      const { pid, upMs, isAdopted } = holder.status();
      // It has ended, and the record will say so in a moment.
      if (pid === null) return { is: 'changing', to: 'stopped', hasEnded: true };
      return { is: 'running', launch: record.launch, pid, upMs, detail: isAdopted ? inBackground : null };
    }
    // Once more: it may have ended in between, and its holder with it.
    const now = await readHolderRecord(powerFolder);
    if (now?.ended && now.launch === record.launch) return endedSighting(now);
    const without = await withoutHolder(record);
    if (without.is === 'ended' && record.game) return without;
    if (await holderLives(record))
      return {
        is: 'unknown',
        detail: `The process that holds the game's console (pid ${record.holder.pid}) does not answer.`,
      };
    return without;
  };

  const safeLook = () => look().catch((error: Error): Sighting => ({ is: 'unknown', detail: error.message }));

  /** The record of a game whose holder does not answer. */
  const launchedNow = async (): Promise<HolderRecord | null> => {
    const record = await readHolderRecord(powerFolder).catch(() => null);
    return record && !record.ended && !isOfEarlierBoot(record) ? record : null;
  };

  return {
    method: 'holder',
    takesShutdownCommand: true,
    look: safeLook,
    async start(launch) {
      const ids = await (options.modIds?.() ?? Promise.resolve([])).catch((error: Error) => error);
      if (ids instanceof Error) return otherStartFault(ids.message);
      const command = withModIds(start.command, ids);
      const prepared = await prepareCommand(server.folder, { ...start, command });
      if ('fault' in prepared) return prepared.fault;
      const secret = randomBytes(32).toString('base64url');
      const order: HoldOrder = { ...prepared, powerFolder, launch, secret, folder: server.folder };
      const { failed } = launchHolder(order, program);
      let failure: StartFault | null = null;
      void failed.then((why) => {
        failure = otherStartFault(why);
      });
      for (let waitedMs = 0; waitedMs < startMs; waitedMs += retryMs) {
        const record = await readHolderRecord(powerFolder).catch(() => null);
        if (record?.launch === launch && (record.game || record.ended))
          return record.fault === null ? null : { detail: record.fault, program: record.programFault };
        if (failure !== null) return failure;
        await delay(retryMs);
      }
      return otherStartFault('The process that shall hold the game does not start.');
    },
    async inspect(known) {
      const prepared = await prepareCommand(server.folder, start);
      if ('fault' in prepared) return prepared.fault.program;
      return known?.code === 'library-missing' ? stillMissing(known, server.folder) : null;
    },
    async explain({ exit, ranMs, firstLine }) {
      if (!isLoadFailure(exit)) return null;
      const prepared = await prepareCommand(server.folder, start);
      // A program that is gone after a long run has run.
      if ('fault' in prepared) return (ranMs ?? 0) < atOnceMs ? prepared.fault.program : null;
      const lines = firstLine === null ? [] : await lastHeldLines(powerFolder, firstLine, mostLines);
      return reportedLibrary(lines, prepared.program, server.folder);
    },
    async stop() {
      if (client?.isOpen) return client.ask('terminate', '', requestMs);
      const launched = await launchedNow();
      if (launched && process.platform !== 'win32') signalMembers(await familyOf(launched), 'SIGTERM');
      return null;
    },
    async kill() {
      const launched = await launchedNow();
      if (!launched) return null;
      const fault = client?.isOpen ? await client.ask('kill', '', requestMs) : '';
      if (fault === null) return null;
      // The holder is gone or hangs: its work is done here.
      const left = await killFamily(launched);
      // A hanging holder would keep the next one from starting.
      if (await holderLives(launched)) signalProcess(launched.holder.pid, 'SIGKILL');
      return left.length === 0
        ? null
        : `These processes of the game do not end: ${left.map(({ pid }) => pid).join(', ')}.`;
    },
    write: async (line) =>
      client?.isOpen ? client.ask('write', line, requestMs) : "The game's console is not held now.",
    onChange(next) {
      listener = next;
    },
    async [Symbol.asyncDispose]() {
      listener = () => undefined;
      client?.[Symbol.dispose]();
    },
  };
};

/** Windows has no boot id; a launch time in the future is from an earlier boot. */
const isOfEarlierBoot = ({ boot, startedMs }: HolderRecord): boolean =>
  boot !== bootId() || startedMs > sinceBootMs();

const endedSighting = ({ launch, ended, fault, firstLine, isAdopted }: HolderRecord): Sighting => ({
  is: 'ended',
  launch,
  exit: ended?.exit ?? { code: null, signal: null },
  ranMs: ended?.ranMs ?? null,
  firstLine,
  wasStopped: false,
  detail: fault ?? (ended && endedAtOnce(ended) && !isAdopted ? leftConsole : null),
});

const holderLives = async ({ holder, launch }: HolderRecord): Promise<boolean> =>
  holder.started !== '' && (await stillRuns(holder, launch));

/** The holder was killed: the game continues without a console, or died when it wrote to it. */
const withoutHolder = async (record: HolderRecord): Promise<Sighting> => {
  const { game, launch, startedMs } = record;
  // Windows did not reveal when the process was created: the pid may belong to another program now.
  if (process.platform === 'win32' && game?.started === '' && isAlive(game.pid))
    return { is: 'unknown', detail: `Whether the process ${game.pid} is the game cannot be told.` };
  if (game && (await stillRuns(game, launch)))
    return { is: 'running', launch, pid: game.pid, upMs: sinceBootMs() - startedMs, detail: consoleLost };
  const [eldest] = process.platform === 'win32' ? [await eldestOnWindows(game)] : await familyOf(record);
  if (eldest) return { is: 'running', launch, pid: eldest.pid, upMs: null, detail: consoleLost };
  return {
    is: 'ended',
    launch,
    exit: { code: null, signal: null },
    ranMs: null,
    firstLine: record.firstLine,
    wasStopped: false,
    detail: 'The process that held its console had ended before, so no one saw how the game ended.',
  };
};
