import { setTimeout as delay } from 'node:timers/promises';
import { type CommandResult, longestReply } from '#contracts/games.ts';
import { reasons } from '#contracts/reasons.ts';
import { gameOf } from '#games/games.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { DeliveryWays } from '../console-router/delivery-ways.ts';
import { retryDeadlocks } from '../database/retry-deadlocks.ts';
import { storableText } from '../database/storable-text.ts';
import { type AttemptFacts, decideAttempt } from './decide-delivery.ts';
import {
  type AttemptRow,
  claimDelivery,
  commandIdOf,
  type DeliveryRow,
  type Evidence,
  evidenceOf,
  lockDelivery,
  markIdOf,
  setWaiting,
} from './delivery-rows.ts';
import { fits, needsPlayer, type PresentPlayer, type Target, type TargetServer } from './delivery-targets.ts';
import type { DeliveryTiming } from './delivery-timing.ts';
import { currentEpoch, deskRestored } from './epochs.ts';
import type { GiftGuards } from './gift-guards.ts';
import {
  canProve,
  needsSurvivorNumber,
  readDelivery,
  renderDelivery,
  templateValues,
} from './render-delivery.ts';
import { failDelivery, type SettleOptions, settleDelivery } from './settle-delivery.ts';

export interface AttemptsOptions extends SettleOptions {
  readonly ways: DeliveryWays;
  readonly guards: GiftGuards;
  readonly servers: { all(): readonly TargetServer[] };
  /** Those who are on any server, as memory has it. */
  readonly present: () => readonly PresentPlayer[];
  readonly timing: DeliveryTiming;
  readonly now: () => number;
  readonly stopping: AbortSignal;
  /** Something was sent that a copy of the database from before does not know. */
  readonly onClaim: () => void;
  /** A delivery came to the desk, and a rule may know what to do. */
  readonly onDesk: (deliveryId: string) => void;
}

/** One attempt after the other: sends what was planned, and finds out what became of what was sent. */
export interface Attempts {
  /** Rejects where the database or the process ends meanwhile; what was claimed is then recovered. */
  send(delivery: DeliveryRow, target: Target): Promise<void>;
  /** Asks what became of an attempt that another process made, or whose end was not written down. */
  recover(delivery: DeliveryRow, attempt: AttemptRow): Promise<void>;
  /** What a result, or the game's record without one, means for a delivery. */
  conclude(
    delivery: DeliveryRow,
    attempt: AttemptRow,
    result: CommandResult | null,
    how: { readonly patienceMs: number; readonly command?: string },
  ): Promise<boolean>;
}

export const createAttempts = (options: AttemptsOptions): Attempts => {
  const { db, ways, guards, servers, present, timing, now, stopping, onDesk } = options;

  const survivorNumber = async (delivery: DeliveryRow, target: Target): Promise<string | null> => {
    if (!target.player || !needsSurvivorNumber(delivery)) return null;
    const row = await db
      .selectFrom('survivor_numbers')
      .select('number')
      .where('player_id', '=', target.player.playerId)
      .where('server_id', '=', target.serverId)
      .executeTakeFirst();
    return row?.number ?? null;
  };

  const evidenceFor = async (
    delivery: DeliveryRow,
    { serverId, player }: Target,
    number: string | null,
  ): Promise<Evidence | 'away'> => {
    const values = templateValues(delivery, {
      player: player?.name ?? null,
      platformId: player?.platformId ?? null,
      handle: player?.handle || null,
      survivorNumber: number,
    });
    const base = { values, presentBefore: needsPlayer(delivery) ? player !== null : true };
    const { guard } = gameOf(delivery.game).store;
    if (!guard || delivery.line.kind !== 'item') return base;
    const form = await guards.formOn(serverId, guard);
    if (form === 'away') return 'away';
    if (form === 'unfit') return base;
    const clock = await guards.clockOf(serverId, guard, form);
    return { ...base, guard: { id: markIdOf(delivery), form }, clock };
  };

  const refuse = async (delivery: DeliveryRow, refused: string) => {
    await retryDeadlocks(db, async (trx) => {
      const locked = await lockDelivery(trx, delivery.id);
      if (locked?.state !== 'pending' && locked?.state !== 'waiting') return;
      await failDelivery(trx, locked, refused, options.holdProduct);
    });
  };

  /** Whether the player was listed again since. Null: no list came in time. */
  const isStillThere = async (attempt: AttemptRow, sinceMs: number): Promise<boolean | null> => {
    const untilMs = now() + timing.presenceMs;
    while (now() < untilMs && !stopping.aborted) {
      const session = present().find(
        ({ serverId, playerId }) => serverId === attempt.server_id && playerId === attempt.player_id,
      );
      if (!session) return false;
      if (session.isCertain && session.confirmedAt.getTime() >= sinceMs) return true;
      await delay(timing.lookMs, undefined, { signal: stopping }).catch(() => undefined);
    }
    return null;
  };

  /**
   * The mark of an attempt. Where no answer came, the command may still be on its way: then a gift that was not made is
   * withdrawn, so that it never will be, and only of a game that ran on; else the mark proves nothing.
   */
  const askMark = async (
    delivery: DeliveryRow,
    attempt: AttemptRow,
    isAnswered: boolean,
    patienceMs: number,
  ): Promise<Pick<AttemptFacts, 'mark' | 'hasRunOn'>> => {
    const { guard: used, clock } = evidenceOf(attempt);
    const { guard } = gameOf(delivery.game).store;
    if (!used || !guard) return { mark: null, hasRunOn: false };
    const { server_id: serverId } = attempt;
    const { id, form } = used;
    const ask = async (): Promise<Pick<AttemptFacts, 'mark' | 'hasRunOn'>> => {
      const mark = await guards.markOf(serverId, guard, form, id);
      if (mark === null || mark === 'unreadable' || mark === 'given') return { mark, hasRunOn: false };
      const hasRunOn = clock !== undefined && (await guards.hasRunOn(serverId, guard, form, clock));
      if (isAnswered) return { mark, hasRunOn };
      if (!hasRunOn) return { mark: 'absent', hasRunOn };
      if (mark === 'withdrawn') return { mark, hasRunOn };
      await ways.ask(serverId, guard.withdraw(id, form));
      const left = await guards.markOf(serverId, guard, form, id);
      return { mark: left === 'given' || left === 'withdrawn' ? left : null, hasRunOn };
    };
    const untilMs = now() + patienceMs;
    for (;;) {
      const found = await ask();
      const isKnown = found.mark !== null && found.mark !== 'unreadable';
      if (isKnown || now() >= untilMs || stopping.aborted) return found;
      await delay(timing.lookMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  };

  const conclude: Attempts['conclude'] = async (
    delivery,
    attempt,
    result,
    { patienceMs, command = attempt.command },
  ) => {
    const answeredAtMs = now();
    const evidence = evidenceOf(attempt);
    const game = gameOf(delivery.game);
    const read = readDelivery(delivery, evidence, result);
    const isLost = read?.verdict !== 'done' && result?.sent !== false;
    const { mark, hasRunOn } = isLost
      ? await askMark(delivery, attempt, result?.outcome === 'answered', patienceMs)
      : { mark: null, hasRunOn: false };
    const needsList = read?.verdict === 'unproven' && !canProve(delivery) && needsPlayer(delivery);
    const isPresent = needsList ? await isStillThere(attempt, answeredAtMs) : !needsPlayer(delivery) || null;
    if (stopping.aborted && isLost) return false;
    const decision = decideAttempt({
      result,
      verdict: read?.verdict ?? null,
      mark,
      hasRunOn,
      canProve: canProve(delivery),
      wasPresent: evidence.presentBefore,
      isPresent,
    });
    const isChanged = await settleDelivery(options, delivery, attempt, {
      decision,
      end: {
        outcome: result?.outcome ?? null,
        reply:
          result?.reply == null ? null : storableText(game.maskReply(command, result.reply), longestReply),
        verdict: read?.verdict ?? null,
        detail: read
          ? storableText(read.reason, longestReply)
          : decision.state === 'unknown'
            ? lostDetail
            : null,
        evidence: {
          ...(needsList ? { presentAfter: isPresent } : {}),
          ...(mark === null ? {} : { mark }),
        },
      },
    });
    if (isChanged && decision.state === 'unknown') onDesk(delivery.id);
    return isChanged;
  };

  /** Only this process knows the answer: it waits for the database rather than lose it. */
  const whenThere = async (work: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        if (!isDatabaseAway(error) || stopping.aborted) throw error;
        await delay(timing.lookMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  };

  return {
    async send(delivery, target) {
      const way = ways.open(target.serverId)?.way;
      if (way === undefined) return;
      const number = await survivorNumber(delivery, target);
      if (number === null && needsSurvivorNumber(delivery))
        return setWaiting(db, delivery, 'survivor-number', numberDetail, timing.restMs);
      const evidence = await evidenceFor(delivery, target, number);
      if (evidence === 'away') return setWaiting(db, delivery, 'retry', awayDetail, timing.shortRestMs);
      // Of a restored database: only the game itself can tell whether it was given, and no other than this one.
      const isToldHere =
        evidence.guard !== undefined && servers.all().filter((server) => fits(delivery, server)).length === 1;
      if (!isToldHere && delivery.epoch < (await currentEpoch(db))) return deskRestored(db, delivery.id);
      const rendered = renderDelivery(delivery, evidence);
      if ('refused' in rendered)
        return rendered.isFinal
          ? refuse(delivery, rendered.refused)
          : setWaiting(db, delivery, 'retry', rendered.refused, timing.restMs);
      const { command } = rendered;
      const claimed = await db.transaction().execute(async (trx) => {
        const attempt = await claimDelivery(trx, {
          delivery,
          serverId: target.serverId,
          way,
          playerId: target.player?.playerId ?? null,
          command: gameOf(delivery.game).maskCommand(command),
          evidence,
        });
        if (!attempt) return null;
        const sending = {
          id: commandIdOf(delivery.id, attempt.number),
          serverId: target.serverId,
          command,
          timeoutMs: timing.answerMs,
        };
        return { attempt, prepared: await ways.prepare(trx, way, sending) };
      });
      if (!claimed) return;
      options.onClaim();
      const result = await claimed.prepared.run();
      // Cut off by our own stop: the next process asks.
      if (stopping.aborted && result.outcome !== 'answered' && result.sent) return;
      const taken = { ...delivery, state: 'sending' as const, attempts: claimed.attempt.number };
      await whenThere(() =>
        conclude(taken, claimed.attempt, result, { patienceMs: timing.settleMs, command }),
      );
    },
    async recover(delivery, attempt) {
      const { server_id, way, command_id } = attempt;
      const result = await ways.resultOf(server_id, way, command_id);
      await conclude(delivery, attempt, result, { patienceMs: timing.settleMs });
    },
    conclude,
  };
};

const numberDetail = reasons['survivor-number'];
const awayDetail = reasons['game-silent'];
const lostDetail = reasons.lost;
