import { DiscordAPIError } from 'discord.js';
import { type BotTraffic, mostTrafficErrors } from '#contracts/discord/bot.ts';
import { cut } from './cut.ts';
import { faultOf } from './discord-request.ts';

interface TrackedRequest {
  readonly method: string;
  /** Without the query; may contain the token of a webhook or an interaction. */
  readonly path: string;
}

/** The bot's requests to Discord, from when they are made to the answer: time spent waiting for a limit included. */
export interface DiscordTraffic {
  track<Result>(request: TrackedRequest, work: () => Promise<Result>): Promise<Result>;
  read(): BotTraffic;
}

/** A channel without an attempt for this long does not count as failing. */
const failingMs = 5 * 60_000;
const mostChannels = 1000;

type TrafficError = BotTraffic['errors'][number];

export const createDiscordTraffic = (nowMs: () => number = () => performance.now()): DiscordTraffic => {
  const waiting = new Map<object, number>();
  /** When the last message into a channel failed; channels whose last message succeeded are absent. */
  const failedMs = new Map<string, number>();
  const errors: TrafficError[] = [];

  const note = (request: TrackedRequest, error: unknown) => {
    const told = tell(request, error, new Date());
    const index = errors.findIndex(
      (one) => one.request === told.request && one.status === told.status && one.code === told.code,
    );
    const [before] = index === -1 ? [] : errors.splice(index, 1);
    errors.unshift({ ...told, count: (before?.count ?? 0) + 1 });
    errors.length = Math.min(errors.length, mostTrafficErrors);
    const channel = channelOf(request);
    const fault = faultOf(error);
    if (channel === null || fault === 'gone' || fault === 'frozen') return;
    failedMs.delete(channel);
    failedMs.set(channel, nowMs());
    const [oldest] = failedMs.keys();
    if (failedMs.size > mostChannels && oldest !== undefined) failedMs.delete(oldest);
  };

  return {
    async track(request, work) {
      const entry = {};
      waiting.set(entry, nowMs());
      try {
        const result = await work();
        const channel = channelOf(request);
        if (channel !== null) failedMs.delete(channel);
        return result;
      } catch (error) {
        note(request, error);
        throw error;
      } finally {
        waiting.delete(entry);
      }
    },
    read() {
      const readMs = nowMs();
      const [oldestMs = readMs] = waiting.values();
      const failing = [...failedMs.values()].filter((atMs) => readMs - atMs < failingMs);
      return {
        waiting: waiting.size,
        oldestWaitMs: Math.max(0, Math.round(readMs - oldestMs)),
        failingChannels: failing.length,
        errors: [...errors],
      };
    },
  };
};

/** The channel that a message is written into; null for answers to commands, which take another route. */
const channelOf = ({ method, path }: TrackedRequest): string | null =>
  method === 'POST' || method === 'PATCH'
    ? (/^\/channels\/(\d+)\/messages(?:\/\d+)?$/.exec(path)?.[1] ?? null)
    : null;

/** Ids say where; any other part of a path may be a token. */
const isPlain = (part: string): boolean => /^(?:[a-z-]{1,30}|\d{1,22}|@[a-z]+)$/.test(part);

const tell = ({ method, path }: TrackedRequest, error: unknown, at: Date): Omit<TrafficError, 'count'> => {
  const request = `${method} ${path
    .split('/')
    .map((part) => (part === '' || isPlain(part) ? part : '…'))
    .join('/')}`;
  const shared = { at: at.toISOString(), request: cut(request, 200) };
  if (error instanceof DiscordAPIError) {
    // The whole error message would repeat what was sent.
    const message = 'message' in error.rawError ? error.rawError.message : error.rawError.error;
    return {
      ...shared,
      status: error.status,
      code: String(error.code),
      message: cut(message ?? '', 200),
    };
  }
  const { code, name, status } = error as { code?: unknown; name?: unknown; status?: unknown };
  return {
    ...shared,
    status: typeof status === 'number' ? status : null,
    code: cut(String(code ?? name), 60),
    message: typeof status === 'number' ? 'Discord fails.' : 'Discord did not answer.',
  };
};
