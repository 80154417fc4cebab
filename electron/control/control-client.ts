import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { EndpointBody, EndpointResponse } from '#contracts/kernel/http.ts';
import { problemDocument } from '#contracts/kernel/problems.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { type ComponentName, stackControl } from '#contracts/operations/stack.ts';
import { isAbsent } from '#runtime/absent-file.ts';
import { DiskFullError, hasFullDisk } from '#runtime/disk-space.ts';
import { FolderLockUnavailable, tryToLockFolder } from '#runtime/folder-lock.ts';
import { readFreezeNote } from '#runtime/guardian/freeze-note.ts';
import { StartupError } from '#runtime/program.ts';
import { sleep } from '#runtime/sleep.ts';
import { controlAddress } from './control-address.ts';
import { HomeHeldError } from './held-home.ts';
import { readHolderRecord } from './holder-record.ts';

type ControlEndpoint = (typeof stackControl)[keyof typeof stackControl];

/** What the caller sends with a call. */
interface Said<E extends ControlEndpoint = ControlEndpoint> {
  readonly component?: ComponentName | undefined;
  readonly body?: EndpointBody<E>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The stack runs as services, and only they stop and restart it. */
export class RunAsServicesError extends StartupError {}

/** The supervisor is there, but the API is not, or not yet. */
export class ApiUnavailableError extends StartupError {}

/** The supervisor is there, but does not react: a debugger or a signal has stopped it, or the machine is overloaded. */
export class SupervisorFrozenError extends StartupError {}

/** A supervisor answers the question for its state in milliseconds, also while it starts and stops the stack. */
const usualLimitMs = 10_000;

/** A holder that has just started may not have written its record yet. */
const tries = 20;
const pauseMs = 50;

/**
 * Calls the supervisor of a data folder; null when there is none.
 * @param limitMs how long it may leave a question for its state unanswered, in milliseconds
 * @throws {HomeHeldError} when it is in another container, and cannot be reached from here
 * @throws {SupervisorFrozenError} when it does not react
 * @throws {StartupError} when it refuses, saying why
 */
export const callSupervisor = async <E extends ControlEndpoint>(
  home: string,
  endpoint: E,
  said: Said<E> = {},
  limitMs = usualLimitMs,
): Promise<EndpointResponse<E> | null> => {
  const address = await addressOf(home);
  if (address === null) return null;
  for (let attempt = 1; ; attempt += 1) {
    const record = await readHolderRecord(home);
    const asking = askLiving(home, address, limitMs, (over) =>
      ask(address, endpoint, record?.token ?? '', said, over),
    );
    const answer = await asking.catch((error: unknown) => {
      throw isForbidden(error) ? anotherAccount(home) : error;
    });
    if (answer === null) {
      if (await isHeldElsewhere(home)) throw new HomeHeldError(home, await readHolderRecord(home));
      return null;
    }
    if (answer.status === 200) return endpoint.response.parse(answer.body) as EndpointResponse<E>;
    if (answer.status !== 401) throw refusalOf(answer);
    if (attempt === tries)
      throw record === null && (await hasFullDisk(home)) ? fullDisk(home) : anotherAccount(home);
    await delay(pauseMs);
  }
};

/** What is asked may take long, but only as long as the supervisor reacts meanwhile. @throws {SupervisorFrozenError} */
const askLiving = async <Value>(
  home: string,
  address: string,
  limitMs: number,
  question: (over: AbortSignal) => Promise<Value>,
): Promise<Value> => {
  const over = new AbortController();
  const silence = untilSilent(address, limitMs, over.signal);
  try {
    const answer = await Promise.race([question(over.signal), silence.then(() => 'silent' as const)]);
    if (answer === 'silent') throw await frozen(home, limitMs);
    return answer;
  } finally {
    over.abort();
  }
};

/** Resolves when the supervisor leaves a question unanswered for so long, or it no longer matters. */
const untilSilent = async (address: string, limitMs: number, over: AbortSignal): Promise<void> => {
  while (!over.aborted) {
    const heard = ask(address, stackControl.status, '', {}, over).then(
      () => true,
      () => true,
    );
    const isHeard = await Promise.race([heard, delay(limitMs, false, { signal: over }).catch(() => true)]);
    if (!isHeard) return;
    await sleep(limitMs / 2, over);
  }
};

const frozen = async (home: string, limitMs: number): Promise<SupervisorFrozenError> => {
  const record = await readHolderRecord(home);
  const notes = await Promise.all(['supervisor', 'service-api'].map((name) => readFreezeNote(home, name)));
  const since = notes.find((note) => note !== null)?.since;
  const who = record === null ? '' : ` (${record.heldBy}, process ${record.pid})`;
  return new SupervisorFrozenError(
    [
      `The program that runs the stack in ${home}${who} does not react: it left a question unanswered for ${limitMs / 1000} s.`,
      ...(since === undefined ? [] : [`Its guardian has heard nothing from it since ${since}.`]),
      'Nothing was ended. A debugger or a signal may have stopped it, or this machine is overloaded. If it does not recover, end that process: its guardian then stops the stack.',
    ].join('\n'),
  );
};

/** Its socket cannot be reached from another network, as a container's; its lock can. */
const isHeldElsewhere = async (home: string): Promise<boolean> => {
  try {
    await using lock = await tryToLockFolder(home);
    return lock === null;
  } catch (error) {
    // Then nothing can be known about it.
    if (error instanceof FolderLockUnavailable || isForbidden(error)) return false;
    throw error;
  }
};

const anotherAccount = (home: string): StartupError =>
  new StartupError(`The stack in ${home} runs under another account. Run this command as that account.`);

/** It could not write down how to ask it. */
const fullDisk = (home: string): StartupError =>
  new DiskFullError(
    `The stack in ${home} runs, but its disk is full, so it cannot be asked. ${healthReasons['disk-full']}`,
  );

/** Windows opens a pipe only to the account that made it, and to administrators. */
const isForbidden = (error: unknown): boolean =>
  ['EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');

const holderGonePauseMs = 25;

/** Resolves when no process holds the data folder any more. @throws {SupervisorFrozenError} */
export const untilReleased = async (home: string, limitMs = usualLimitMs): Promise<void> => {
  const address = await addressOf(home);
  if (address === null) return;
  await askLiving(home, address, limitMs, async (over) => {
    while ((await ask(address, stackControl.status, '', {}, over)) !== null) await delay(holderGonePauseMs);
  });
};

const addressOf = async (home: string): Promise<string | null> => {
  try {
    return await controlAddress(home);
  } catch (error) {
    // There is no data folder, so no process holds it.
    if (isAbsent(error)) return null;
    throw error;
  }
};

const refusalOf = ({ status, body }: Answer): StartupError => {
  const { data } = problemDocument.safeParse(body);
  const words =
    data?.detail ??
    data?.title ??
    `The running stack refused the command (HTTP ${status}). See: castellan status`;
  if (data?.code === 'RUN_AS_SERVICES') return new RunAsServicesError(words);
  return data?.code === 'API_UNAVAILABLE' ? new ApiUnavailableError(words) : new StartupError(words);
};

/** EPIPE and ECONNRESET: the holder ended with our connection still in its queue, or in the middle of an answer. */
const nobodyThere = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'];

const ask = (
  socketPath: string,
  { method, path }: ControlEndpoint,
  token: string,
  { component, body }: Said,
  signal: AbortSignal,
): Promise<Answer | null> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const query = component ? `?component=${component}` : '';
    // The holder may also end in the middle of an answer.
    const settle = (error: NodeJS.ErrnoException) =>
      nobodyThere.includes(error.code ?? '') ? resolve(null) : reject(error);
    const asked = request({ socketPath, method, path: path + query, headers, agent: false, signal });
    asked.on('response', (response) => {
      const answer = async () => ({ status: response.statusCode ?? 0, body: await json(response) });
      answer().then(resolve, settle);
    });
    asked.on('error', settle);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
