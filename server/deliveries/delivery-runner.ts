import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { reasons } from '#contracts/reasons.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { DeliveryWays } from '../console-router/delivery-ways.ts';
import type { Tables } from '../database/tables.ts';
import type { Attempts } from './attempts.ts';
import { type DeliveryRow, readAttempt, readOpen, setWaiting } from './delivery-rows.ts';
import { type PresentPlayer, planDeliveries, type Step, type TargetServer } from './delivery-targets.ts';
import type { DeliveryTiming } from './delivery-timing.ts';

export interface DeliveryRunnerOptions {
  readonly db: Kysely<Tables>;
  readonly attempts: Attempts;
  readonly ways: Pick<DeliveryWays, 'open'>;
  readonly servers: { all(): readonly TargetServer[] };
  readonly present: () => readonly PresentPlayer[];
  /** The license holds, and the queue is not paused. */
  readonly mayRun: () => boolean;
  /** A delivery waits for something now. */
  readonly onWaiting: () => void;
  readonly now: () => number;
  readonly timing: DeliveryTiming;
  readonly log: Log;
}

/** Moves what can be moved, member by member. A wake says only that there may be something to do. */
export interface DeliveryRunner extends AsyncDisposable {
  wake(memberIds: Iterable<string>): void;
  /** Settles when nothing of what was woken can go on now. */
  idle(): Promise<void>;
}

interface MemberRun {
  readonly memberId: string;
  /** Servers on which something of this member is under way. */
  readonly lanes: Set<string>;
  isLooking: boolean;
  again: boolean;
}

/** Readings of the database at once, for all members. */
const mostLooks = 4;
/** Deliveries on their way to one server; its console takes one command at a time. */
const mostPerServer = 16;
const stopDeadlineMs = 3000;

export const createDeliveryRunner = (options: DeliveryRunnerOptions): DeliveryRunner => {
  const { db, attempts, ways, servers, present, mayRun, now, timing, log } = options;
  const runs = new Map<string, MemberRun>();
  const due: MemberRun[] = [];
  /** Whose turn it is, server by server. */
  const onServer = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();
  const idling = new EventTarget();
  let looks = 0;
  let isStopping = false;

  const retire = (run: MemberRun) => {
    if (run.again || run.isLooking || run.lanes.size > 0) return;
    runs.delete(run.memberId);
    if (runs.size === 0) idling.dispatchEvent(new Event('idle'));
  };

  const next = () => {
    while (looks < mostLooks) {
      const run = due.shift();
      if (!run) return;
      looks += 1;
      void look(run).finally(() => {
        looks -= 1;
        run.isLooking = false;
        if (run.again) ask(run);
        else retire(run);
        next();
      });
    }
  };

  const ask = (run: MemberRun) => {
    run.again = true;
    if (run.isLooking) return;
    run.isLooking = true;
    due.push(run);
    next();
  };

  const look = async (run: MemberRun): Promise<void> => {
    run.again = false;
    if (isStopping || !mayRun()) return;
    try {
      const open = await readOpen(db, run.memberId);
      if (open.length === 0) return;
      const players = await db
        .selectFrom('players')
        .select(['id', 'platform_id'])
        .where('member_id', '=', run.memberId)
        .execute();
      const platformIds = new Map(players.map(({ id, platform_id }) => [id, platform_id]));
      const steps = planDeliveries({
        open,
        present: present().flatMap((player) => {
          const platformId = platformIds.get(player.playerId);
          return platformId === undefined ? [] : [{ ...player, platformId }];
        }),
        servers: servers.all(),
        isOpen: (serverId) => ways.open(serverId) !== null,
        busy: run.lanes,
        nowMs: now(),
      });
      for (const step of steps) await begin(run, step);
      // What an attempt of another process left is asked for, server by server.
      for (const delivery of open) if (delivery.state === 'sending') recover(run, delivery);
    } catch (error) {
      tell(error);
    }
  };

  const begin = async (run: MemberRun, step: Step) => {
    const { delivery } = step;
    if ('target' in step) {
      inLane(run, step.target.serverId, () => attempts.send(delivery, step.target));
      return;
    }
    const { waitsFor } = step;
    const isTold = delivery.state === 'waiting' && delivery.waits_for === waitsFor;
    const isDue = delivery.next_try_at.getTime() <= now();
    if (isTold && (waitsFor === 'player' || !isDue)) return;
    // A player is waited for by presence, a server by looking again, too.
    await setWaiting(
      db,
      delivery,
      waitsFor,
      waits[waitsFor] ?? '',
      waitsFor === 'player' ? 0 : timing.sweepMs,
    );
    options.onWaiting();
  };

  const inLane = (run: MemberRun, serverId: string, work: () => Promise<void>) => {
    if (run.lanes.has(serverId)) return;
    run.lanes.add(serverId);
    const begun = async () => {
      await turnOn(serverId);
      try {
        if (!isStopping) await work();
      } finally {
        passTurn(serverId);
      }
    };
    const leave = (isWell: boolean) => {
      run.lanes.delete(serverId);
      // What failed would fail again at once; the sweep comes back to it.
      if (isWell && !isStopping) ask(run);
      else retire(run);
    };
    begun().then(
      () => leave(true),
      (error: unknown) => {
        tell(error);
        leave(false);
      },
    );
  };

  const turnOn = (serverId: string): Promise<void> => {
    const turns = onServer.get(serverId) ?? { taken: 0, waiting: [] };
    onServer.set(serverId, turns);
    if (turns.taken < mostPerServer) {
      turns.taken += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => turns.waiting.push(resolve));
  };
  const passTurn = (serverId: string) => {
    const turns = onServer.get(serverId);
    const next = turns?.waiting.shift();
    if (next) next();
    else if (turns && turns.taken > 1) turns.taken -= 1;
    else onServer.delete(serverId);
  };

  const recover = (run: MemberRun, delivery: DeliveryRow) => {
    const { server_id: serverId } = delivery;
    if (serverId === null || run.lanes.has(serverId)) return;
    inLane(run, serverId, async () => {
      const attempt = await readAttempt(db, delivery.id, delivery.attempts);
      if (attempt) await attempts.recover(delivery, attempt);
    });
  };

  const tell = (error: unknown) => {
    if (isStopping) return;
    if (isDatabaseAway(error)) log.debug({ err: error }, 'deliveries wait for the database');
    else log.error({ err: error }, 'a delivery could not be moved; tried again with the next sweep');
  };

  const idle = async () => {
    while (runs.size > 0)
      await new Promise((resolve) => idling.addEventListener('idle', resolve, { once: true }));
  };

  return {
    wake(memberIds) {
      if (isStopping) return;
      for (const memberId of memberIds) {
        const run = runs.get(memberId) ?? { memberId, lanes: new Set(), isLooking: false, again: false };
        runs.set(memberId, run);
        ask(run);
      }
    },
    idle,
    async [Symbol.asyncDispose]() {
      isStopping = true;
      for (const run of [...runs.values()]) retire(run);
      // What is still on its way is asked for by the next process.
      await Promise.race([idle(), delay(stopDeadlineMs, undefined, { ref: false })]);
    },
  };
};

const waits: Readonly<Record<string, string>> = {
  player: reasons['player-away'],
  server: reasons['server-away'],
};
