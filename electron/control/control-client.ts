import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { healthReasons } from '#contracts/health-reasons.ts';
import type { EndpointBody, EndpointResponse } from '#contracts/http.ts';
import { problemDocument } from '#contracts/problems.ts';
import { type ComponentName, stackControl } from '#contracts/stack.ts';
import { DiskFullError, hasFullDisk } from '#runtime/disk-space.ts';
import { FolderLockUnavailable, tryToLockFolder } from '#runtime/folder-lock.ts';
import { StartupError } from '#runtime/program.ts';
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

/** A holder that has just started may not have written its record yet. */
const tries = 20;
const pauseMs = 50;

/**
 * Calls the supervisor of a data folder; null when there is none.
 * @throws {HomeHeldError} when it is in another container, and cannot be reached from here
 * @throws {StartupError} when it refuses, saying why
 */
export const callSupervisor = async <E extends ControlEndpoint>(
  home: string,
  endpoint: E,
  said: Said<E> = {},
): Promise<EndpointResponse<E> | null> => {
  const address = await addressOf(home);
  if (address === null) return null;
  for (let attempt = 1; ; attempt += 1) {
    const record = await readHolderRecord(home);
    const answer = await ask(address, endpoint, record?.token ?? '', said).catch((error: unknown) => {
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

/** Resolves when no process holds the data folder any more. */
export const untilReleased = async (home: string): Promise<void> => {
  const address = await addressOf(home);
  while (address !== null && (await ask(address, stackControl.status, '')) !== null)
    await delay(holderGonePauseMs);
};

const addressOf = async (home: string): Promise<string | null> => {
  try {
    return await controlAddress(home);
  } catch (error) {
    // There is no data folder, so no process holds it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
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
  { component, body }: Said = {},
): Promise<Answer | null> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const query = component ? `?component=${component}` : '';
    // The holder may also end in the middle of an answer.
    const settle = (error: NodeJS.ErrnoException) =>
      nobodyThere.includes(error.code ?? '') ? resolve(null) : reject(error);
    const asked = request({ socketPath, method, path: path + query, headers, agent: false });
    asked.on('response', (response) => {
      const answer = async () => ({ status: response.statusCode ?? 0, body: await json(response) });
      answer().then(resolve, settle);
    });
    asked.on('error', settle);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
