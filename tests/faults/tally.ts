import type { GameId } from '#contracts/servers/games.ts';
import type { DeliveryState } from '#contracts/store/deliveries.ts';
import type { AcceptedOrder, Purchase } from './customers.ts';
import type { FaultGame, Gift } from './fault-game.ts';
import type { FaultStack } from './fault-stack.ts';
import { readLedgerSum } from './ledger-sum.ts';
import type { FaultOutcome } from './outcome.ts';

interface DeliveryRow {
  readonly id: string;
  readonly game: GameId;
  readonly order_id: string;
  readonly item: string;
  readonly quantity: number;
  readonly state: DeliveryState;
  readonly certainty: string | null;
  readonly generation: number;
  readonly desk_reason: string | null;
  readonly is_rolled_back: boolean;
  readonly is_refunded: boolean;
  readonly commands: readonly string[];
  /** An attempt's answer proves that it arrived. */
  readonly is_proven: boolean;
}

const readDeliveries = `
  select deliveries.id, game, order_id, line ->> 'item' as item, (line ->> 'quantity')::int as quantity,
         state, certainty, generation, desk_reason,
         rolled_back_at is not null as is_rolled_back, refunded_at is not null as is_refunded,
         coalesce(array_agg(attempt.command_id) filter (where attempt.number is not null), '{}') as commands,
         coalesce(bool_or(attempt.outcome = 'answered' and attempt.verdict = 'done'), false) as is_proven
  from deliveries left join delivery_attempts as attempt on attempt.delivery_id = deliveries.id group by deliveries.id`;

interface Fact extends DeliveryRow {
  readonly rule: Purchase['rule'];
  /** How often it was carried out for one of the member's players. */
  readonly arrived: number;
  /** A fault may have taken the answer to one of its commands. */
  readonly isHit: boolean;
}

/** Players of one member may get each other's gifts, which no two of them bought alike. */
type MemberOf = (game: GameId, player: string) => string;

const readMembers = async ({ query }: Pick<FaultStack, 'query'>): Promise<MemberOf> => {
  const rows = await query<{ game: GameId; name: string; member_id: string }>(
    'select game, name, member_id from players',
  );
  const members = new Map(rows.map(({ game, name, member_id }) => [`${game} ${name}`, member_id]));
  return (game, player) => members.get(`${game} ${player}`) ?? `unseen ${player}`;
};

const keyOf = (
  memberOf: MemberOf,
  game: GameId,
  { player, item, quantity }: Pick<Gift, 'player' | 'item' | 'quantity'>,
): string => JSON.stringify([game, memberOf(game, player), item, quantity]);

const isTold = ({ desk_reason }: DeliveryRow): boolean =>
  desk_reason === 'late-result' || desk_reason === 'contradiction';
const isSentAgainByRule = ({ rule, generation }: Fact): boolean => rule === 'send-again' && generation > 1;
/** Its end could not be known, and the owner had decided in advance what then happens. */
const isDecidedByRule = (fact: Fact): boolean =>
  fact.isHit && (fact.is_refunded ? fact.rule === 'refund' && !fact.is_proven : isSentAgainByRule(fact));

const isDoubled = (fact: Fact): boolean => fact.arrived > 1 && !isDecidedByRule(fact);
const isFalselyRefunded = (fact: Fact): boolean =>
  fact.is_refunded && fact.arrived > 0 && !isTold(fact) && !isDecidedByRule(fact);
const isDropped = (fact: Fact): boolean =>
  fact.state !== 'delivered' &&
  !isTold(fact) &&
  // ARK's answers prove nothing.
  (fact.is_proven || (fact.arrived > 0 && !fact.isHit && fact.game !== 'ark-asa')) &&
  !isSentAgainByRule(fact);

/**
 * Compares what the games did with what the database says.
 * @param isForgotten orders that the database cannot know, since it was restored to a time before them
 */
export const tally = async (
  stack: Pick<FaultStack, 'query' | 'hit'>,
  hosts: readonly { readonly game: FaultGame }[],
  orders: readonly AcceptedOrder[],
  isForgotten: (order: AcceptedOrder) => boolean,
  say: (line: string) => void,
): Promise<Omit<FaultOutcome, 'kills' | 'merges' | 'stopped_gifts' | 'cut_short' | 'seed'>> => {
  const rows = await stack.query<DeliveryRow>(readDeliveries);
  const memberOf = await readMembers(stack);
  const given = hosts.flatMap(({ game: { game, gifts } }) =>
    gifts().map((gift) => ({ ...gift, key: keyOf(memberOf, game, gift) })),
  );
  const byKey = Map.groupBy(given, ({ key }) => key);
  const byOrder = new Map(orders.map((order) => [order.orderId, order]));
  const facts = rows.map((row): Fact => {
    const { player = '', purchases = [] } = byOrder.get(row.order_id) ?? {};
    const { item, quantity, commands } = row;
    const gifts = byKey.get(keyOf(memberOf, row.game, { player, item, quantity })) ?? [];
    return {
      ...row,
      rule: purchases.find((one) => one.item === item)?.rule ?? null,
      arrived: gifts.length,
      isHit: gifts.some(({ isLost }) => isLost) || commands.some((id) => stack.hit.ids.has(id)),
    };
  });
  const meant = new Set(
    orders.flatMap(({ game, player, purchases }) =>
      purchases.map((purchase) => keyOf(memberOf, game, { ...purchase, player })),
    ),
  );
  const count = (is: (fact: Fact) => boolean) => facts.filter(is).length;
  const countFaults = (name: string, is: (fact: Fact) => boolean) => {
    const found = facts.filter(is);
    for (const fact of found) say(`${name}: ${JSON.stringify(fact)}`);
    return found.length;
  };
  const known = Map.groupBy(rows, ({ order_id }) => order_id);
  const missing = orders
    .filter((order) => !isForgotten(order))
    .map(({ orderId, purchases }) => purchases.length - (known.get(orderId)?.length ?? 0));
  const isUnknown = ({ state }: Fact) => state === 'unknown';
  const isOver = ({ state }: Fact) => state === 'delivered' || state === 'unknown';
  return {
    deliveries: rows.length,
    doubled: countFaults('doubled', isDoubled),
    misplaced: given.filter(({ key }) => !meant.has(key)).length,
    false_delivered: countFaults(
      'false delivered',
      ({ state, certainty, arrived }) =>
        state === 'delivered' && certainty !== 'unconfirmed' && arrived === 0,
    ),
    falsely_refunded: countFaults('falsely refunded', isFalselyRefunded),
    vanished:
      missing.reduce((sum, lost) => sum + Math.abs(lost), 0) +
      countFaults('vanished', (fact) => !isOver(fact) && !fact.is_refunded),
    result_dropped: countFaults('result dropped', isDropped),
    known_late: count((fact) => fact.is_refunded && fact.arrived > 0 && isTold(fact)),
    decided_by_rule: count(
      (fact) => isDecidedByRule(fact) && fact.arrived > (fact.is_refunded ? 0 : 1) && !isTold(fact),
    ),
    unknown: count(isUnknown),
    unknown_minecraft: count((fact) => isUnknown(fact) && fact.game === 'minecraft'),
    rolled_back: count(({ is_rolled_back }) => is_rolled_back),
    unconfirmed: count(({ certainty }) => certainty === 'unconfirmed'),
    ledger_sum: await readLedgerSum(stack),
  };
};
