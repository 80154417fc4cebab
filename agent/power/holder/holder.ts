import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import { isAlive } from '#runtime/live-process.ts';
import { machineEncoding } from '../../game/line-encoding.ts';
import { createLineSplitter } from '../../game/line-splitter.ts';
import {
  familyOf,
  killFamily,
  killWindowsTree,
  type Launched,
  signalMembers,
} from '../process/game-family.ts';
import { programOfSync } from '../process/linux-processes.ts';
import {
  bootId,
  identify,
  identifyNow,
  launchVariable,
  type ProcessIdentity,
  sinceBootMs,
} from '../process/process-identity.ts';
import { fault, otherStartFault, programStartFault, type StartFault } from '../program/fault.ts';
import { inspectProgram } from '../program/inspect-program.ts';
import { consoleFolder, openConsoleLog } from './console-log.ts';
import { accountObstacle, asAccount, environmentOf } from './game-account.ts';
import { type GameExit, type HolderRecord, writeHolderRecord } from './holder-record.ts';
import type { HolderStatus, HoldOrder } from './holder-wire.ts';
import { endRest, gameLeftBehind, gameLeftOnWindows } from './left-behind.ts';

/** A game's process and its console. */
export interface HeldGame {
  status(): HolderStatus;
  onChange(listener: () => void): void;
  /** False when the console accepts nothing any more. */
  write(text: string): boolean;
  /** Asks the game to exit, as the system does when it shuts down. On Windows it exits immediately. */
  terminate(): Promise<void>;
  /** Ends the whole process tree. */
  kill(): Promise<void>;
  /** Resolves when the game has ended and its output and record are on disk. */
  readonly ended: Promise<void>;
}

const isWindows = process.platform === 'win32';

/** For what a killed game left in its pipes. */
const drainMs = 1000;
const lookMs = 500;
/** Waits for room on the disk, once the game has ended. */
const keepTries = 10;

/** Starts the game. @throws {Error} when its program cannot be started, with a message for people */
export const holdGame = async (order: HoldOrder, holder: ProcessIdentity): Promise<HeldGame> => {
  const { powerFolder, launch, secret } = order;
  const log = openConsoleLog(consoleFolder(powerFolder));
  const startedMs = sinceBootMs();
  let record: HolderRecord = {
    launch,
    secret,
    boot: bootId(),
    startedMs,
    holder,
    game: null,
    firstLine: log.last() + 1,
    isAdopted: false,
    fault: null,
    programFault: null,
    ended: null,
  };
  let writing = Promise.resolve();
  /** The record on disk is older than the one in memory. */
  let isBehind = false;
  const keep = (change: Partial<HolderRecord>): Promise<void> => {
    record = { ...record, ...change };
    const write = async () => {
      isBehind = true;
      await writeHolderRecord(powerFolder, record);
      isBehind = false;
    };
    writing = writing.then(write, write);
    return writing;
  };
  /** A full disk must not end the game: the next look tries again. */
  const keepSoon = (change: Partial<HolderRecord>): Promise<void> => keep(change).catch(() => undefined);
  // Before the game exists: an agent that starts now waits for this holder and starts no second game.
  await keep({});
  let listener: () => void = () => undefined;
  const encoding = await machineEncoding();
  const child = await spawnGame(order);
  if ('detail' in child) {
    const { detail, program: programFault } = child;
    const ended = { exit: { code: null, signal: null }, ranMs: 0, sinceBootMs: startedMs };
    await keep({ fault: detail, programFault, ended });
    throw new Error(detail);
  }
  const pid = child.pid ?? 0;
  // Awaited from here on: a program may end before anything else happens.
  const exited = new Promise<GameExit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  for (const stream of [child.stdout, child.stderr]) {
    const splitter = createLineSplitter(encoding);
    stream.on('data', (bytes: Buffer) => log.add(splitter.take(bytes)));
    stream.on('error', () => undefined);
    stream.on('close', () => log.add(splitter.flush()));
  }
  child.stdin.on('error', () => undefined);
  child.on('error', () => undefined);
  await keepSoon({ game: identifyNow(pid) ?? { pid, started: '', program: order.program, boot: bootId() } });
  // Windows takes seconds to answer, and the game must not wait for that.
  if (isWindows)
    void identify(pid)
      .then((game) => (game && record.ended === null ? keepSoon({ game }) : undefined))
      .catch(() => undefined);

  /** The process has ended, and what it left has been dealt with. */
  let isGone = false;
  const launched = (): Launched => ({ launch, game: record.game });
  const lookingAgain = setInterval(() => {
    const { game } = record;
    const isFirst = !record.isAdopted && child.exitCode === null && child.signalCode === null;
    // A script that replaces itself with the game keeps pid and start time, and shows another program.
    const program = isFirst && !isWindows ? programOfSync(pid) : null;
    if (game && program !== null && program !== game.program) void keepSoon({ game: { ...game, program } });
    else if (isBehind) void keepSoon({});
  }, lookMs);

  /** The eldest process that the start command left; null when it left no game. */
  const adopt = async (exit: GameExit): Promise<ProcessIdentity | null> => {
    if (isWindows) return gameLeftOnWindows(record.game, exit);
    const eldest = await gameLeftBehind(launched(), exit);
    return eldest && identify(eldest.pid);
  };
  const outliveFamily = async () => {
    // A process that cannot be inspected now is not gone.
    for (;;) {
      if (isWindows) {
        if (!isAlive(record.game?.pid ?? 0)) return;
      } else if ((await familyOf(launched()).catch(() => null))?.length === 0) return;
      await delay(lookMs);
    }
  };
  const ended = (async () => {
    let exit = await exited;
    isGone = true;
    listener();
    const game = await adopt(exit);
    if (game) {
      await keepSoon({ game, isAdopted: true });
      isGone = false;
      listener();
      await outliveFamily();
      isGone = true;
      listener();
      exit = { code: null, signal: null };
    }
    clearInterval(lookingAgain);
    // Processes that the game left behind would hold its ports and files.
    if (!isWindows) await endRest(launched());
    await Promise.race([closed, delay(drainMs)]);
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    await delay(0);
    log[Symbol.dispose]();
    const atMs = sinceBootMs();
    for (let tries = 1; ; tries += 1) {
      const fault = await keep({ ended: { exit, ranMs: atMs - startedMs, sinceBootMs: atMs } }).then(
        () => null,
        (error: Error) => error,
      );
      if (fault === null) break;
      if (tries >= keepTries) throw fault;
      await delay(lookMs);
    }
    listener();
  })();

  return {
    status() {
      const { game, isAdopted, ended: end } = record;
      return {
        launch,
        pid: isGone ? null : (game?.pid ?? pid),
        upMs: sinceBootMs() - startedMs,
        isAdopted,
        exit: end?.exit ?? null,
        ranMs: end?.ranMs ?? 0,
        lastLine: log.last(),
      };
    },
    onChange(next) {
      listener = next;
    },
    write(text) {
      if (!child.stdin.writable) return false;
      child.stdin.write(`${text}\n`);
      return true;
    },
    async terminate() {
      if (isWindows && record.isAdopted) await killFamily(launched());
      else if (isWindows) child.kill('SIGTERM');
      else signalMembers(await familyOf(launched()), 'SIGTERM');
    },
    async kill() {
      // The holder has the process open, so that no other one can have its pid.
      if (isWindows && child.exitCode === null) await killWindowsTree(pid);
      else await killFamily(launched());
    },
    ended,
  };
};

/** @returns the process, or why there is none */
const spawnGame = async (order: HoldOrder): Promise<ChildProcessWithoutNullStreams | StartFault> => {
  const { isVerbatim, folder, account, launch } = order;
  const obstacle = account && (await accountObstacle(account, order));
  if (obstacle !== null) return obstacle;
  const [program, args] = account ? asAccount(account, order) : [order.program, order.args];
  const before = account && process.umask(accountUmask);
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(program, args, {
      cwd: folder,
      env: {
        // biome-ignore lint/style/noProcessEnv: the game gets what the agent was given
        ...(account ? environmentOf(account) : process.env),
        [launchVariable]: launch,
      },
      // A separate session on Linux. On Windows the game would then have no console that ends with the holder.
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
      stdio: 'pipe',
    });
  } catch (error) {
    // Node reports a few failures by the event below, and throws all others.
    return spawnFault(error as NodeJS.ErrnoException, order);
  } finally {
    if (before !== null) process.umask(before);
  }
  const failure = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    child.once('spawn', () => resolve(null));
    child.once('error', resolve);
  });
  return failure === null ? child : spawnFault(failure, order);
};
/** What systemd gives a service; root's umask, often 077, would close the game's files to its own group. */
const accountUmask = 0o022;

/** The system has loaded nothing: the agent looked at the program just before, and it has changed since. */
const spawnFault = async (
  { code }: NodeJS.ErrnoException,
  { program, folder }: HoldOrder,
): Promise<StartFault> => {
  const codes: Readonly<Record<string, ProgramFault>> = {
    ENOENT: fault('program-missing', program),
    ENOTDIR: fault('program-missing', program),
    EACCES: fault('program-not-executable', program),
    ENOEXEC: fault('not-a-program', program),
    EFTYPE: fault('not-a-program', program),
    ETXTBSY: fault('program-busy', program),
  };
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return programStartFault(fault('folder-missing', folder));
  const unfit = code === undefined ? undefined : codes[code];
  if (!unfit) return otherStartFault(`The game cannot be started: the system answers ${code}.`);
  return programStartFault((await inspectProgram(program, folder).catch(() => null)) ?? unfit);
};
