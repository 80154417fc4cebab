import {
  type AgentFrame,
  type ApiFrame,
  agentCloseCodes,
  agentProtocolVersion,
  type GameEvent,
  type HeartbeatFrame,
} from '#contracts/agent-protocol.ts';
import type { CommandResult } from '#contracts/games.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { AgentCommands } from './agent-commands.ts';
import type { AgentLink } from './agent-link.ts';
import type { AgentPins } from './agent-pins.ts';
import type { SettleMemory } from './command-memory.ts';
import { createNowAndThen } from './now-and-then.ts';
import type { Seat } from './seats.ts';

const v = agentProtocolVersion;

type ListedPlayer = NonNullable<HeartbeatFrame['players']>[number];

export interface PlayersReading {
  readonly state: HeartbeatFrame['state'];
  readonly detail: string | null;
  /** Null: unchanged since the last one that was not null. */
  readonly players: readonly ListedPlayer[] | null;
}

/** What features make of what agents say. */
export interface AgentObservers {
  /** With each heartbeat. */
  players(serverId: string, reading: PlayersReading): void;
  /** The agent is told that they are written down when this settles; each comes at least once. */
  events(serverId: string, events: readonly (GameEvent & { readonly at: Date })[]): Promise<void>;
  lines(serverId: string, lines: readonly { readonly at: Date; readonly text: string }[]): void;
  /** No caller waited for it any more. The agent is told that it is written down when this settles; it may come again. */
  lateResult(serverId: string, commandId: string, result: CommandResult): Promise<void>;
  /** Something of what `reading` tells has changed. */
  changed(serverId: string): void;
}

export interface FrameIntakeOptions {
  readonly observers: AgentObservers;
  readonly commands: AgentCommands;
  readonly pins: AgentPins;
  readonly settleMemory: SettleMemory;
  readonly now: () => number;
  readonly log: Log;
}

/** What a frame leads to: nothing more, or work that the database has to take before it is acknowledged. */
export type TakeFrame = (
  seat: Seat,
  link: AgentLink,
  frame: Exclude<AgentFrame, { type: 'hello' }>,
  reply: (frame: ApiFrame) => void,
) => (() => Promise<void>) | null;

/** An agent's word on how long ago something was is believed up to so much. */
const longestAgeMs = 366 * 86_400_000;
const strayNewsMs = 60_000;

const atOf = (ageMs: number): Date => new Date(Date.now() - Math.min(ageMs, longestAgeMs));

export const createFrameIntake = (options: FrameIntakeOptions): TakeFrame => {
  const { observers, commands, pins, settleMemory, now, log } = options;
  const isStrayNews = createNowAndThen(strayNewsMs, now);

  const takeHeartbeat = (seat: Seat, { state, detail, players }: HeartbeatFrame) => {
    const isChange = seat.state !== state || seat.detail !== detail;
    seat.state = state;
    seat.detail = detail;
    observers.players(seat.serverId, { state, detail, players: players ?? null });
    if (isChange) observers.changed(seat.serverId);
  };

  const writeEvents = async (
    seat: Seat,
    journal: string,
    events: readonly (GameEvent & { readonly at: Date })[],
  ) => {
    // Of a journal that has ended meanwhile: its agent is gone.
    if (seat.journal !== journal) return false;
    const fresh = events
      .filter(({ number }) => number > seat.lastEvent)
      .sort((one, other) => one.number - other.number);
    const last = fresh.at(-1)?.number;
    if (last === undefined) return true;
    try {
      await observers.events(seat.serverId, fresh);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // Sent again it would fail again, and hold up all that comes after it.
      log.error({ err: error, serverId: seat.serverId }, 'events of a Game Agent are lost');
    }
    await pins.rememberEvents(seat.serverId, journal, last);
    if (seat.journal === journal) seat.lastEvent = last;
    return true;
  };

  const takeResult = async (serverId: string, commandId: string, result: CommandResult) => {
    const late = await commands.finish(serverId, commandId, result);
    if (!late) return;
    // Also one that was kept before: we may have died before it was told. Where the command is deleted by now, the
    // agent's own word is all there is.
    await observers.lateResult(serverId, commandId, late.kept ?? result);
    if (!late.kept && isStrayNews(serverId))
      log.info({ serverId }, 'a Game Agent sent a result that nothing waits for');
  };

  const takeKnown: TakeFrame = (seat, link, frame, reply) => {
    const { serverId } = seat;
    switch (frame.type) {
      case 'heartbeat':
        takeHeartbeat(seat, frame);
        reply({ v, type: 'ack', heartbeat: frame.number, events: seat.lastEvent || null });
        return null;
      case 'lines':
        if (now() < seat.watchUntilMs)
          observers.lines(
            serverId,
            frame.lines.map(({ text, ageMs }) => ({ text, at: atOf(ageMs) })),
          );
        return null;
      case 'command-journal':
        return async () => {
          // Of a process that is gone: what it remembered says nothing of the next one.
          if (seat.journal !== link.journal) return;
          try {
            await settleMemory(seat, frame.journal);
          } catch (error) {
            // Said once a connection. Without it the next frame would count as the word of an agent without a memory.
            if (!isDatabaseAway(error)) link.end(agentCloseCodes.goingAway, 'send again');
            throw error;
          }
        };
      case 'accepted':
        return () => commands.accept(serverId, frame.commandIds);
      case 'result':
        return async () => {
          const { commandId, result } = frame;
          await takeResult(serverId, commandId, result);
          reply({ v, type: 'received', commandIds: [commandId] });
        };
      case 'events': {
        const events = frame.events.map((event) => ({ ...event, at: atOf(event.ageMs) }));
        return () => {
          const written = seat.writing.then(() => writeEvents(seat, link.journal, events));
          seat.writing = written.then(
            () => undefined,
            () => undefined,
          );
          return written.then((isOurs) => {
            if (isOurs) reply({ v, type: 'ack', heartbeat: null, events: seat.lastEvent || null });
          });
        };
      }
    }
  };

  return (seat, link, frame, reply) => {
    const work = takeKnown(seat, link, frame, reply);
    if (!seat.isMemoryDoubted || frame.type === 'command-journal') return work;
    return async () => {
      // The first word was another one: this agent does not name its memory.
      if (seat.journal === link.journal && seat.isMemoryDoubted) await settleMemory(seat, null);
      await work?.();
    };
  };
};
