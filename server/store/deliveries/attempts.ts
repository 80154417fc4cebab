import { reasons } from '#contracts/kernel/reasons.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import { type CommandResult, type GameId, longestReply } from '#contracts/servers/games.ts';
import type { DeliveryWait } from '#contracts/store/deliveries.ts';
import { gameOf } from '#games/games.ts';
import { readListing } from '#games/read-listing.ts';
import type { TemplateValues } from '#games/store-forms.ts';
import { createGroupCommit } from '#runtime/database/group-commit.ts';
import { sleep } from '#runtime/sleep.ts';
import { isDatabaseUnavailable } from '../../kernel/database/database-fault.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { StoreContext } from '../store-context.ts';
import { findSurvivor } from '../survivor-numbers.ts';
import { type KnownPlayer, readAbsentPlayer } from './absent-player.ts';
import { type Claim, type Claimed, claimDeliveries } from './claim-deliveries.ts';
import { type AttemptFacts, type DeliveryDecision, decideAttempt } from './decide-delivery.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  type Evidence,
  evidenceOf,
  isOpenFor,
  lockDelivery,
  logEvidence,
  markIdOf,
  readSending,
  setWaiting,
} from './delivery-rows.ts';
import { fits, needsPlayer, type Target } from './delivery-targets.ts';
import type { DeliveryTiming } from './delivery-timing.ts';
import { currentEpoch, deskRestored } from './epochs.ts';
import type { GiftGuards } from './gift-guards.ts';
import {
  canProve,
  knowsAll,
  needsSurvivorNumber,
  readDelivery,
  renderDelivery,
  templateValues,
} from './render-delivery.ts';
import { createSettleDelivery, failDelivery, type Settled, type Settlement } from './settle-delivery.ts';
import { settleLate } from './settle-late.ts';
import { cancelShopDelivery } from './shop-deliveries.ts';

/** Per transaction, which locks them until it ends. */
const mostClaims = 100;

interface Patience {
  readonly patienceMs: number;
  readonly command?: string;
  readonly passTurn?: PassTurn;
}

/** Frees the place on the console: the work that follows does not need it. Safe to call twice. */
export type PassTurn = () => void;

/** Sends what was planned, and finds out how it ended. */
export type Attempts = ReturnType<typeof createAttempts>;

export const createAttempts = (
  context: Pick<StoreContext, 'db' | 'ways' | 'servers' | 'tasks' | 'now'>,
  {
    guards,
    timing,
    stopping,
    onClaim,
    onChange,
    onDesk,
  }: {
    readonly guards: GiftGuards;
    readonly timing: DeliveryTiming;
    readonly stopping: AbortSignal;
    /** Something was sent: an older copy of the database does not know it. */
    readonly onClaim: () => void;
    /** Also after a failure: part of it may be committed. */
    readonly onChange: () => void;
    /** A delivery went to the desk, where a rule may decide it. */
    readonly onDesk: (deliveryId: string) => void;
  },
) => {
  const { db, ways, servers, now } = context;
  const { leases } = ways;
  const settleDelivery = createSettleDelivery(context);
  const claimTogether = createGroupCommit<Claim, Claimed | null>({
    commit: (claims) => claimDeliveries(context, claims),
    keyOf: ({ delivery }) => delivery.id,
    mostAtOnce: mostClaims,
  });
  const claim = async (one: Claim): Promise<Claimed | null> =>
    (await claimTogether(one)) ?? (await claimDeliveries(context, [one]))[0] ?? null;

  const evidenceFor = async (
    delivery: DeliveryRow,
    { serverId, player }: Target,
    who: KnownPlayer | null,
    number: string | null,
  ): Promise<Evidence | 'away'> => {
    const values = templateValues(delivery, {
      player: who?.name ?? null,
      platformId: who?.platformId ?? null,
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
      await failDelivery(trx, locked, refused, new Date(now()));
    });
  };

  /** Whether the game lists the player. Null: no list came in time. */
  const isListed = async (
    game: GameId,
    serverId: string,
    { player, platformId }: TemplateValues,
    patienceMs: number,
  ): Promise<boolean | null> => {
    const { listPlayers } = gameOf(game);
    const ask = async (command: string) => (await ways.ask(serverId, command))?.reply ?? null;
    const untilMs = now() + patienceMs;
    for (;;) {
      const reply = await ask(listPlayers.command);
      const read = reply === null ? null : await readListing(listPlayers, reply, ask);
      if (read && 'value' in read)
        return read.value.some((listed) =>
          listed.platformId === null || platformId === null
            ? listed.name === player
            : listed.platformId === platformId,
        );
      if (now() >= untilMs || stopping.aborted) return null;
      await sleep(timing.lookMs, stopping);
    }
  };
  /** If no reply proves anything, presence before and after is the only evidence. */
  const hangsOnPresence = (delivery: DeliveryRow): boolean => !canProve(delivery) && needsPlayer(delivery);

  /**
   * Reads the mark of an attempt. Without an answer the command may still be in flight, so a gift that was not made is
   * withdrawn. An absent mark proves something only if the game has run without a break: it answers on the connection that
   * carried the gift, or its clock shows it.
   */
  const askMark = async (
    delivery: DeliveryRow,
    attempt: AttemptRow,
    result: CommandResult | null,
    patienceMs: number,
  ): Promise<Pick<AttemptFacts, 'mark' | 'hasRunOn'>> => {
    const { guard: used, clock } = evidenceOf(attempt);
    const { guard } = gameOf(delivery.game).store;
    if (!used || !guard) return { mark: null, hasRunOn: false };
    const { server_id: serverId } = attempt;
    const { id, form } = used;
    const isAnswered = result?.outcome === 'answered';
    const ask = async (): Promise<Pick<AttemptFacts, 'mark' | 'hasRunOn'>> => {
      const { mark = null, connection } = (await guards.markOf(serverId, guard, form, id)) ?? {};
      if (mark === null || mark === 'unreadable' || mark === 'given') return { mark, hasRunOn: false };
      const hasRunOn =
        (connection !== undefined && connection === result?.connection) ||
        (clock !== undefined && (await guards.hasRunOn(serverId, guard, form, clock)));
      if (isAnswered) return { mark, hasRunOn };
      if (!hasRunOn) return { mark: 'absent', hasRunOn };
      if (mark === 'withdrawn') return { mark, hasRunOn };
      await ways.ask(serverId, guard.withdraw(id, form));
      const left = (await guards.markOf(serverId, guard, form, id))?.mark;
      return { mark: left === 'given' || left === 'withdrawn' ? left : null, hasRunOn };
    };
    const untilMs = now() + patienceMs;
    for (;;) {
      const found = await ask();
      const isKnown = found.mark !== null && found.mark !== 'unreadable';
      if (isKnown || now() >= untilMs || stopping.aborted) return found;
      await sleep(timing.lookMs, stopping);
    }
  };

  const decide = async (
    delivery: DeliveryRow,
    attempt: AttemptRow,
    result: CommandResult | null,
    { patienceMs, command = attempt.command, passTurn }: Patience,
  ): Promise<{ readonly decision: DeliveryDecision['state'] | null; readonly isChanged: boolean }> => {
    const evidence = evidenceOf(attempt);
    const game = gameOf(delivery.game);
    const read = readDelivery(delivery, evidence, result);
    // Once others have decided, the game is not asked: what it says now may be about a later attempt.
    const isOpen = isOpenFor(delivery, attempt);
    const isLost = isOpen && read?.verdict !== 'done' && result?.sent !== false;
    const { mark, hasRunOn } = isLost
      ? await askMark(delivery, attempt, result, patienceMs)
      : { mark: null, hasRunOn: false };
    const needsList = isOpen && read?.verdict === 'unproven' && hangsOnPresence(delivery);
    if (needsList) passTurn?.();
    const isPresent = needsList
      ? await isListed(delivery.game, attempt.server_id, evidence.values, timing.presenceMs)
      : !needsPlayer(delivery) || null;
    if (stopping.aborted && isLost) return { decision: null, isChanged: false };
    const decision = decideAttempt({
      result,
      verdict: read?.verdict ?? null,
      mark,
      hasRunOn,
      canProve: canProve(delivery),
      wasPresent: evidence.presentBefore,
      isPresent,
    });
    const settled: Settled = {
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
          ...logEvidence(delivery.game, command, result),
        },
      },
    };
    let settlement: Settlement = 'elsewhere';
    while (settlement === 'elsewhere') {
      settlement = await settleDelivery(delivery, attempt, settled);
      if (settlement === 'elsewhere') settlement = await settleLate(db, attempt, settled);
    }
    const isChanged = settlement === 'changed';
    if (isChanged && decision.state === 'unknown') onDesk(delivery.id);
    return { decision: decision.state, isChanged };
  };
  const conclude = async (...what: Parameters<typeof decide>): Promise<boolean> =>
    (await decide(...what)).isChanged;

  /** Only this process holds the reply, so it waits for the database rather than lose it. */
  const whenThere = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isDatabaseUnavailable(error) || stopping.aborted) throw error;
        await sleep(timing.lookMs, stopping);
      }
    }
  };

  const send = async (delivery: DeliveryRow, target: Target, passTurn: PassTurn): Promise<boolean> => {
    const way = ways.open(target.serverId)?.way;
    if (way === undefined) return false;
    const wait = async (waitsFor: DeliveryWait, detail: string, forMs: number) => {
      await setWaiting(db, delivery, waitsFor, detail, forMs);
      return false;
    };
    const { player, serverId } = target;
    const needsNumber = needsSurvivorNumber(delivery);
    const survivor =
      player && needsNumber
        ? await findSurvivor(context, {
            playerId: player.playerId,
            platformId: player.platformId,
            serverId,
          })
        : null;
    if (needsNumber && (!survivor || survivor.number === null))
      return wait('survivor-number', survivor?.detail ?? numberDetail, timing.restMs);
    const who = player ?? (await readAbsentPlayer(db, delivery));
    const evidence = await evidenceFor(delivery, target, who, survivor?.number ?? null);
    if (evidence === 'away') return wait('retry', awayDetail, timing.shortRestMs);
    // In a restored database only the game can tell whether it was given, and only if no other server could have given it.
    const isToldHere =
      evidence.guard !== undefined && servers.all().filter((server) => fits(delivery, server)).length === 1;
    const deskIfRestored = async (): Promise<boolean> => {
      if (isToldHere || delivery.epoch >= (await currentEpoch(db))) return false;
      await deskRestored(db, delivery.id);
      return true;
    };
    const rendered = renderDelivery(delivery, evidence);
    if ('refused' in rendered) {
      if (await deskIfRestored()) return false;
      if (!rendered.isFinal) {
        if (
          knowsAll(delivery, evidence.values) &&
          (await cancelShopDelivery(db, delivery.id, rendered.refused))
        )
          return false;
        return wait('retry', rendered.refused, timing.restMs);
      }
      await refuse(delivery, rendered.refused);
      return false;
    }
    if (hangsOnPresence(delivery)) {
      const isThere = await isListed(delivery.game, target.serverId, evidence.values, 0);
      if (!isThere) return wait('retry', isThere === null ? awayDetail : goneDetail, timing.shortRestMs);
    }
    const { command } = rendered;
    const claimed = await claim({
      delivery,
      serverId: target.serverId,
      way,
      playerId: who?.playerId ?? null,
      command,
      maskedCommand: gameOf(delivery.game).maskCommand(command),
      evidence,
      timeoutMs: timing.answerMs,
      isOfAnyEpoch: isToldHere,
    });
    if (!claimed) {
      await deskIfRestored();
      return false;
    }
    onClaim();
    const { attempt, prepared } = claimed;
    const { command_id: commandId } = attempt;
    try {
      const result = await prepared.run();
      const isAnswered = result.outcome === 'answered';
      // Cut off by our own shutdown: the next process recovers it.
      if (stopping.aborted && !isAnswered && result.sent) return false;
      // Through an agent, a process that has taken it over may have sent it.
      const isProof = isAnswered || (way === 'direct' && !result.sent);
      if (!isProof && !(await whenThere(() => leases.holds(commandId)))) return false;
      const taken = { ...delivery, state: 'sending' as const, attempts: attempt.number };
      return await whenThere(async () => {
        const { decision, isChanged } = await decide(taken, attempt, result, {
          patienceMs: timing.settleMs,
          command,
          passTurn,
        });
        return isChanged && decision === 'delivered';
      });
    } finally {
      leases.release([commandId]);
    }
  };

  const recover = async (attempt: AttemptRow, passTurn: PassTurn): Promise<boolean> => {
    const { server_id, way, command_id: commandId } = attempt;
    const own = leases.untilReleased(commandId);
    if (own) {
      passTurn();
      await own;
      return true;
    }
    if (!(await leases.takeOver([commandId])).has(commandId)) return false;
    try {
      // It may have ended before its lease was taken over.
      const delivery = await readSending(db, attempt);
      if (!delivery) return true;
      const result = await ways.resultOf(server_id, way, commandId);
      await conclude(delivery, attempt, result, { patienceMs: timing.settleMs, passTurn });
      return true;
    } finally {
      leases.release([commandId]);
    }
  };

  return {
    /**
     * Rejects when the database is lost or the process ends; claimed deliveries are recovered later.
     * @returns whether it was delivered; if not, the member's deliveries must be read again
     */
    send: (...what: Parameters<typeof send>) => send(...what).finally(onChange),
    /**
     * Settles an attempt of an ended process, or one whose end was never stored. One that this process works on is waited for.
     * @returns false: another process works on it
     */
    recover: (...what: Parameters<typeof recover>) => recover(...what).finally(onChange),
    /** Settles a delivery by a result or, without one, by the game's record. What others have decided meanwhile stays. */
    conclude: (...what: Parameters<typeof conclude>) => conclude(...what).finally(onChange),
  };
};

const numberDetail = reasons['survivor-number'];
const awayDetail = reasons['game-silent'];
const goneDetail = reasons['player-unlisted'];
const lostDetail = reasons.lost;
