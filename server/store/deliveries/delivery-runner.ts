import { reasons } from '#contracts/kernel/reasons.ts';
import { createGroupCommit } from '#runtime/database/group-commit.ts';
import { waitAtMost } from '#runtime/within.ts';
import { isDatabaseUnavailable } from '../../kernel/database/database-fault.ts';
import type { StoreContext } from '../store-context.ts';
import type { Attempts, PassTurn } from './attempts.ts';
import { type DeliveryRow, readAttempt, setWaiting } from './delivery-rows.ts';
import { fits, planDeliveries, type Step } from './delivery-targets.ts';
import type { DeliveryTiming } from './delivery-timing.ts';
import { isHeld } from './held-targets.ts';
import { nothingOpen, type OpenDeliveries, readOpen } from './open-deliveries.ts';

interface MemberRun {
  readonly memberId: string;
  /** Servers on which this member has a delivery in flight. */
  readonly lanes: Set<string>;
  isLooking: boolean;
  again: boolean;
  /** As last read, less what has been delivered since. */
  known: { readonly open: OpenDeliveries; readonly readAtMs: number };
}

/** `plan`: the last reading still holds; `read`: it does not; `rest`: nothing can be done until the next wake. */
type AfterWork = 'plan' | 'read' | 'rest';

/** Members read by one statement. */
const mostAtOnce = 32;
/** How long one reading is planned with, as long as everything taken from it is delivered. */
const knownForMs = 1000;
/** Deliveries in flight to one server, whose console takes one command at a time. */
const mostPerServer = 16;
const stopDeadlineMs = 3000;

/** Sends what can be sent, member by member. A wake only means that there may be work. */
export const createDeliveryRunner = (
  {
    db,
    ways,
    servers,
    presence,
    now,
    log,
  }: Pick<StoreContext, 'db' | 'ways' | 'servers' | 'presence' | 'now' | 'log'>,
  {
    attempts,
    mayRun,
    onWaiting,
    timing,
  }: {
    readonly attempts: Attempts;
    /** The license is valid, and the queue is not paused. */
    readonly mayRun: () => boolean;
    /** A delivery has begun to wait. */
    readonly onWaiting: () => void;
    readonly timing: DeliveryTiming;
  },
) => {
  const runs = new Map<string, MemberRun>();
  /** The queue for each server's places. */
  const onServer = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();
  const idling = new EventTarget();
  let isStopping = false;
  const read = createGroupCommit<string, OpenDeliveries>({
    commit: (memberIds) => readOpen(db, memberIds),
    keyOf: (memberId) => memberId,
    mostAtOnce,
  });

  const retire = (run: MemberRun) => {
    if (run.again || run.isLooking || run.lanes.size > 0) return;
    runs.delete(run.memberId);
    if (runs.size === 0) idling.dispatchEvent(new Event('idle'));
  };

  const ask = (run: MemberRun) => {
    run.again = true;
    if (run.isLooking) return;
    run.isLooking = true;
    void look(run).finally(() => {
      run.isLooking = false;
      if (run.again) ask(run);
      else retire(run);
    });
  };

  const look = async (run: MemberRun): Promise<void> => {
    run.again = false;
    if (isStopping || !mayRun()) return;
    try {
      run.known = { open: await read(run.memberId), readAtMs: now() };
      await plan(run);
      // Attempts of ended processes are recovered, server by server.
      for (const delivery of run.known.open.rows) if (delivery.state === 'sending') recover(run, delivery);
    } catch (error) {
      tell(error);
    }
  };

  const plan = async (run: MemberRun): Promise<void> => {
    const { rows, platformIds, held } = run.known.open;
    if (rows.length === 0 || isStopping || !mayRun()) return;
    // What may go to such a server stays unchanged.
    const heldServers = servers.all().filter((server) => isHeld(held, server));
    const steps = planDeliveries({
      open: rows.filter((row) => !heldServers.some((server) => fits(row, server))),
      present: presence.openSessions().flatMap((player) => {
        const platformId = platformIds.get(player.playerId);
        return platformId === undefined ? [] : [{ ...player, platformId }];
      }),
      servers: servers.all(),
      isOpen: (serverId) => ways.open(serverId) !== null,
      busy: run.lanes,
      nowMs: now(),
    });
    for (const step of steps) await begin(run, step);
  };

  const begin = async (run: MemberRun, step: Step) => {
    const { delivery } = step;
    if ('target' in step) {
      inLane(run, step.target.serverId, async (passTurn) => {
        const isDelivered = await attempts.send(delivery, step.target, passTurn);
        if (!isDelivered) return 'read';
        forget(run, delivery);
        return 'plan';
      });
      return;
    }
    const { waitsFor, why } = step;
    const isTold =
      delivery.state === 'waiting' &&
      delivery.waits_for === waitsFor &&
      (delivery.detail === reasons['no-server']) === (why === 'no-server');
    const isDue = delivery.next_try_at.getTime() <= now();
    if (isTold && (waitsFor === 'player' || !isDue)) return;
    // Presence wakes for a player; a server is also looked for again.
    const forMs = { 'player-away': 0, 'server-away': timing.sweepMs, 'no-server': timing.restMs }[why];
    await setWaiting(db, delivery, waitsFor, reasons[why], forMs);
    run.known = { ...run.known, readAtMs: 0 };
    onWaiting();
  };

  const forget = (run: MemberRun, { id }: DeliveryRow) => {
    const { open, readAtMs } = run.known;
    run.known = { readAtMs, open: { ...open, rows: open.rows.filter((row) => row.id !== id) } };
  };

  const inLane = (run: MemberRun, serverId: string, work: (passTurn: PassTurn) => Promise<AfterWork>) => {
    if (run.lanes.has(serverId)) return;
    run.lanes.add(serverId);
    const begun = async () => {
      await turnOn(serverId);
      let isPassed = false;
      const pass = () => {
        if (!isPassed) passTurn(serverId);
        isPassed = true;
      };
      try {
        return isStopping ? 'rest' : await work(pass);
      } finally {
        pass();
      }
    };
    const goOn = async (next: AfterWork) => {
      run.lanes.delete(serverId);
      const { open, readAtMs } = run.known;
      const isFresh = next === 'plan' && now() - readAtMs < knownForMs && open.rows.length > open.holdsDownTo;
      if (isStopping || next === 'rest') retire(run);
      else if (!isFresh || run.isLooking) ask(run);
      else {
        run.isLooking = true;
        await plan(run).catch(tell);
        run.isLooking = false;
        if (run.again) ask(run);
        else retire(run);
      }
    };
    begun().then(goOn, (error: unknown) => {
      tell(error);
      // It would fail again immediately; the sweep retries it.
      run.lanes.delete(serverId);
      retire(run);
    });
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
    inLane(run, serverId, async (passTurn) => {
      const attempt = await readAttempt(db, delivery.id, delivery.attempts);
      // The sweep asks again for what another process works on.
      return attempt && !(await attempts.recover(attempt, passTurn)) ? 'rest' : 'read';
    });
  };

  const tell = (error: unknown) => {
    if (isStopping) return;
    if (isDatabaseUnavailable(error)) log.debug({ err: error }, 'deliveries are waiting for the database');
    else log.error({ err: error }, 'could not advance a delivery; the next sweep will retry');
  };

  /** Resolves when no woken member has work left that can be done now. */
  const idle = async (): Promise<void> => {
    while (runs.size > 0)
      await new Promise((resolve) => idling.addEventListener('idle', resolve, { once: true }));
  };

  return {
    wake(memberIds: Iterable<string>): void {
      if (isStopping) return;
      for (const memberId of memberIds) {
        const run = runs.get(memberId) ?? {
          memberId,
          lanes: new Set<string>(),
          isLooking: false,
          again: false,
          known: { open: nothingOpen, readAtMs: 0 },
        };
        runs.set(memberId, run);
        ask(run);
      }
    },
    idle,
    async [Symbol.asyncDispose]() {
      isStopping = true;
      for (const run of [...runs.values()]) retire(run);
      // The next process recovers what is still in flight.
      await waitAtMost(stopDeadlineMs, idle());
    },
  };
};
