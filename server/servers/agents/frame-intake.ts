import { setTimeout as delay } from 'node:timers/promises';
import {
  type AgentFrame,
  type ApiFrame,
  agentCloseCodes,
  agentProtocolVersion,
  type GameEvent,
  type HeartbeatFrame,
} from '#contracts/servers/agent-protocol.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { longestAgeMs } from '../agent-tasks/believed-process.ts';
import type { TaskLane } from '../agent-tasks/task-lane.ts';
import { isTaskFrame } from '../agent-tasks/task-link.ts';
import type { AgentCommands } from './agent-commands.ts';
import type { AgentLink, AgentPins, AgentSession } from './agent-session.ts';

const v = agentProtocolVersion;

type ListedPlayer = NonNullable<HeartbeatFrame['players']>[number];

interface ObservedGameEvent extends Pick<GameEvent, 'kind' | 'player' | 'text'> {
  readonly at: Date;
  /** Names the event: one that an agent sends again has the same. */
  readonly key: string;
  /** Heard from the console; the absent agent, if it follows the game's log, reports it under another key when it is back. */
  readonly comesAgain?: boolean;
}

/** What features do with what agents say. */
export interface AgentObservers {
  /** Called with each heartbeat. */
  players(
    serverId: string,
    reading: {
      readonly state: HeartbeatFrame['state'];
      readonly detail: string | null;
      /** Null: unchanged since the last value that was not null. */
      readonly players: readonly ListedPlayer[] | null;
    },
  ): void;
  /** The agent is told that they are written when this settles; each comes at least once. */
  events(serverId: string, events: readonly ObservedGameEvent[]): Promise<void>;
  lines(serverId: string, lines: readonly { readonly at: Date; readonly text: string }[]): void;
  /** No caller waited for it any more. The agent is told that it is written when this settles; it may come again. */
  lateResult(serverId: string, commandId: string, result: CommandResult): Promise<void>;
  /** How the agent reads chat from the game's log. */
  chatReading(
    serverId: string,
    reading: Pick<Extract<AgentFrame, { type: 'chat-reading' }>, 'forms' | 'unread'>,
  ): void;
  /** Something that `reading` reports has changed. */
  changed(serverId: string): void;
}

/**
 * What agents say, for features that are built after the gateway. Observing fails as long as no one listens: an agent
 * forgets what is acknowledged as written.
 */
export interface AgentObservations extends AgentObservers {
  on<Kind extends keyof AgentObservers>(kind: Kind, listener: AgentObservers[Kind]): void;
}

type Listeners = { [Kind in keyof AgentObservers]: AgentObservers[Kind][] };

export const createAgentObservations = (): AgentObservations => {
  const listeners: Listeners = {
    players: [],
    events: [],
    lines: [],
    lateResult: [],
    chatReading: [],
    changed: [],
  };
  const demandListener = (kind: keyof AgentObservers) => {
    if (listeners[kind].length === 0) throw new Error(`no one listens to what agents say: ${kind}`);
  };
  return {
    on: (kind, listener) => void listeners[kind].push(listener),
    players: (...said) => {
      for (const listener of listeners.players) listener(...said);
    },
    lines: (...said) => {
      for (const listener of listeners.lines) listener(...said);
    },
    chatReading: (...said) => {
      for (const listener of listeners.chatReading) listener(...said);
    },
    changed: (serverId) => {
      for (const listener of listeners.changed) listener(serverId);
    },
    async events(...said) {
      demandListener('events');
      await Promise.all(listeners.events.map((listener) => listener(...said)));
    },
    async lateResult(...late) {
      demandListener('lateResult');
      await Promise.all(listeners.lateResult.map((listener) => listener(...late)));
    },
  };
};

/** What a frame leads to: nothing more, or work that the database has to take before the frame is acknowledged. */
export type TakeFrame = (
  session: AgentSession,
  link: AgentLink,
  frame: Exclude<AgentFrame, { type: 'hello' }>,
  reply: (frame: ApiFrame) => void,
) => (() => Promise<void>) | null;

const strayNewsMs = 60_000;

const atOf = (ageMs: number): Date => new Date(Date.now() - Math.min(ageMs, longestAgeMs));

export const createFrameIntake = (options: {
  readonly observers: AgentObservers;
  readonly commands: AgentCommands;
  readonly tasks: Pick<TaskLane, 'take'>;
  readonly pins: AgentPins;
  readonly now: () => number;
  readonly log: Log;
}): TakeFrame => {
  const { observers, commands, tasks, pins, now, log } = options;
  const strayNews = createTokenBuckets({ capacity: 1, refillMs: strayNewsMs }, now);

  const takeHeartbeat = (session: AgentSession, { state, detail, players }: HeartbeatFrame) => {
    const isChange = session.state !== state || session.detail !== detail;
    session.state = state;
    session.detail = detail;
    observers.players(session.serverId, { state, detail, players: players ?? null });
    if (isChange) observers.changed(session.serverId);
  };

  const writeEvents = async (
    session: AgentSession,
    journal: string,
    events: readonly (ObservedGameEvent & Pick<GameEvent, 'number'>)[],
  ) => {
    // The journal has ended in between: its agent is gone.
    if (session.journal !== journal) return false;
    const fresh = events
      .filter(({ number }) => number > session.lastEvent)
      .sort((one, other) => one.number - other.number);
    const last = fresh.at(-1)?.number;
    if (last === undefined) return true;
    try {
      await observers.events(session.serverId, fresh);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // Sent again it would fail again, and block everything after it.
      log.error({ err: error, serverId: session.serverId }, 'lost Game Agent events');
    }
    await pins.rememberEvents(session.serverId, journal, last);
    if (session.journal === journal) session.lastEvent = last;
    return true;
  };

  const takeResult = async (serverId: string, commandId: string, result: CommandResult) => {
    const late = await commands.finish(serverId, commandId, result);
    if (!late) return;
    // Also a result that was kept before: the API may have died before it was passed on. If the command has been
    // deleted, the agent's own report is all there is.
    await observers.lateResult(serverId, commandId, late.kept ?? result);
    if (!late.kept && strayNews.tryTake(serverId) === 0)
      log.info({ serverId }, 'a Game Agent sent an unexpected result');
  };

  /**
   * Ends the doubt whether the agent remembers the commands that were sent to it before. An agent that names the journal
   * it named last does, and is sent again what it has not answered. For any other, no one can tell how they ended: they
   * are `unknown`.
   * @param said null: it does not say, as agents do that do not know the field
   */
  const settleMemory = async (session: AgentSession, said: string | null) => {
    const { serverId, commandJournal, isMemoryDoubted } = session;
    if (!isMemoryDoubted && said === commandJournal) return;
    // The previous process is known to be the same one, and names its journal only now.
    const isFirstWord = !isMemoryDoubted && commandJournal === null;
    if (said === null || (said !== commandJournal && !isFirstWord)) await commands.giveUp(serverId);
    await pins.rememberMemory(serverId, said);
    Object.assign(session, { commandJournal: said, isMemoryDoubted: false });
    void commands.pump(serverId);
  };

  const takeKnown: TakeFrame = (session, link, frame, reply) => {
    const { serverId } = session;
    if (isTaskFrame(frame)) return tasks.take(serverId, link, frame, reply);
    switch (frame.type) {
      case 'heartbeat':
        takeHeartbeat(session, frame);
        reply({ v, type: 'ack', heartbeat: frame.number, events: session.lastEvent || null });
        return null;
      case 'lines':
        if (now() < session.watchUntilMs)
          observers.lines(
            serverId,
            frame.lines.map(({ text, ageMs }) => ({ text, at: atOf(ageMs) })),
          );
        return null;
      case 'chat-reading':
        observers.chatReading(serverId, { forms: frame.forms, unread: frame.unread });
        return null;
      case 'command-journal':
        return async () => {
          // Its process is gone: what that remembered says nothing about the next one.
          if (session.journal !== link.facts.journal) return;
          try {
            await settleMemory(session, frame.journal);
          } catch (error) {
            // An agent says it once per connection. Without it the next frame would count as that of an agent without a memory.
            if (!isDatabaseAway(error)) link.end(agentCloseCodes.goingAway, 'send again');
            throw error;
          }
        };
      case 'accepted':
        return async () => commands.accept(serverId, frame.commandIds);
      case 'result':
        return async () => {
          const { commandId, result } = frame;
          await takeResult(serverId, commandId, result);
          reply({ v, type: 'received', commandIds: [commandId] });
        };
      case 'events': {
        const events = frame.events.map((event) => ({
          ...event,
          at: atOf(event.ageMs),
          key: `${serverId}:${link.facts.journal}:${event.number}`,
        }));
        return () => {
          const written = session.writing.then(() => writeEvents(session, link.facts.journal, events));
          session.writing = written.then(
            () => undefined,
            () => undefined,
          );
          return written.then((isOurs) => {
            if (isOurs) reply({ v, type: 'ack', heartbeat: null, events: session.lastEvent || null });
          });
        };
      }
    }
  };

  return (session, link, frame, reply) => {
    const work = takeKnown(session, link, frame, reply);
    if (!session.isMemoryDoubted || frame.type === 'command-journal') return work;
    return async () => {
      // The first frame was another one: this agent does not name its memory.
      if (session.journal === link.facts.journal && session.isMemoryDoubted)
        await settleMemory(session, null);
      await work?.();
    };
  };
};

/** How many frames of one agent wait for the database; more are dropped, and requested again later. */
const mostFrames = 1000;
const mostBytes = 4 * 1024 * 1024;

/**
 * What one connection's frames want written, one after another and until the database takes it: only then is it
 * acknowledged. When some had to be dropped, the agent has to connect again, because it then sends them again.
 */
export const createPersistQueue = (retryMs: number, log: Log) => {
  let frames = 0;
  let bytes = 0;
  let isIncomplete = false;
  let last: Promise<void> = Promise.resolve();

  const persist = async (link: AgentLink, work: () => Promise<void>) => {
    while (link.isOpen) {
      try {
        return await work();
      } catch (error) {
        if (!isDatabaseAway(error)) return log.error({ err: error }, 'could not process a Game Agent frame');
        await delay(retryMs, undefined, { ref: false });
      }
    }
  };

  /** @param size of the frame, in bytes */
  return (link: AgentLink, work: () => Promise<void>, size: number): void => {
    if (frames >= mostFrames || bytes >= mostBytes) {
      isIncomplete = true;
      return;
    }
    frames += 1;
    bytes += size;
    last = last
      .then(() => persist(link, work))
      .then(() => {
        frames -= 1;
        bytes -= size;
        if (frames === 0 && isIncomplete) link.end(agentCloseCodes.goingAway, 'send again');
      });
  };
};
