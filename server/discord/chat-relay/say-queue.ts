import type { Log } from '#runtime/log.ts';
import { waitAtMost } from '#runtime/within.ts';

export interface GivenLine {
  readonly serverId: string;
  /** The channel of its relay. */
  readonly channelId: string;
  readonly text: string;
}

interface SayQueue extends AsyncDisposable {
  add(line: GivenLine): void;
}

/** Per server. */
const mostWaiting = 50;
const freshMs = 60_000;
const stopDeadlineMs = 2000;

/**
 * Lines in transit to games, one after another in each. A line is sent once: one that may have been said is never said
 * again, and a game that hangs delays only itself.
 */
export const createSayQueue = (options: {
  /** Sends it to the game, once. @returns whether the game has replied */
  readonly say: (serverId: string, text: string) => Promise<boolean>;
  /** By the license at this moment. */
  readonly mayAct: () => boolean;
  /** Called for each line, once. */
  readonly onDone: (line: GivenLine, wasSaid: boolean) => Promise<void>;
  readonly now?: () => number;
  readonly log: Log;
}): SayQueue => {
  const { say, mayAct, onDone, now = () => performance.now(), log } = options;
  const waiting = new Map<string, { readonly line: GivenLine; readonly atMs: number }[]>();
  const working = new Map<string, Promise<void>>();
  let isStopping = false;

  const done = (line: GivenLine, wasSaid: boolean) =>
    onDone(line, wasSaid).catch((error: unknown) => log.warn({ err: error }, 'could not count a chat line'));

  const work = async (serverId: string): Promise<void> => {
    try {
      const lines = waiting.get(serverId) ?? [];
      for (let next = lines.shift(); next; next = lines.shift()) {
        const { line, atMs } = next;
        const isDue = !isStopping && mayAct() && now() - atMs < freshMs;
        await done(line, isDue && (await say(serverId, line.text)));
      }
    } catch (error) {
      log.error({ err: error, serverId }, 'could not send chat to a game');
    } finally {
      // In the same turn as the last check, so that no line is added in between and forgotten.
      working.delete(serverId);
    }
  };

  return {
    add(line) {
      const { serverId } = line;
      const lines = waiting.get(serverId) ?? [];
      waiting.set(serverId, lines);
      if (isStopping || lines.length >= mostWaiting) {
        void done(line, false);
        return;
      }
      lines.push({ line, atMs: now() });
      if (working.has(serverId)) return;
      // Starts in its own turn: it may end immediately.
      working.set(
        serverId,
        Promise.resolve().then(() => work(serverId)),
      );
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      await waitAtMost(stopDeadlineMs, Promise.all(working.values()));
    },
  };
};
