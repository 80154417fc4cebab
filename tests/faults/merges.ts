import { membersHttp } from '#contracts/people/members.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import type { FaultStack } from './fault-stack.ts';
import { canShareMember } from './market.ts';
import { openStates } from './open-states.ts';

interface Player {
  readonly name: string;
  readonly game: GameId;
  readonly member_id: string;
}

const mergeDeadlineMs = 60_000;
/** How long to wait for a gift in flight; without one, a member whose deliveries wait is merged. */
const inFlightMs = 3000;
/** Half of the merges are into a member without players. */
const freshShare = 0.5;

/** Whether the deliveries of these players can still be told apart when they are one member. */
const canBeOne = (players: readonly Player[]): boolean =>
  [...Map.groupBy(players, ({ game }) => game).values()].every(
    ([one, other, ...more]) => more.length === 0 && (!one || !other || canShareMember(one.name, other.name)),
  );

/**
 * Merges a member with open deliveries into another one: without players, of another game, or of the same game.
 * @returns whether there was one
 */
export const createMerge =
  (
    { query, call }: Pick<FaultStack, 'query' | 'call'>,
    {
      random,
      say,
      onMerged,
    }: {
      readonly random: () => number;
      readonly say: (line: string) => void;
      readonly onMerged: (players: readonly Pick<Player, 'name' | 'game'>[]) => void;
    },
  ) =>
  async (): Promise<boolean> => {
    const findOpen = () =>
      query<{ id: string; is_sending: boolean }>(
        `select coalesce(merged_into, members.id) as id, bool_or(state = 'sending') as is_sending
         from deliveries join members on members.id = member_id where state = any($1) group by 1 order by 1`,
        [openStates],
      );
    const inFlight = await eventually(async () => {
      const found = (await findOpen()).filter(({ is_sending }) => is_sending);
      if (found.length === 0) throw new Error('nothing is in flight');
      return found;
    }, inFlightMs).catch(() => null);
    const candidates = inFlight ?? (await findOpen());
    if (candidates.length === 0) return false;
    const { id: mergedId } = pickFrom(candidates, random);

    const players = await query<Player>('select name, game, member_id from players order by id');
    const byMember = Map.groupBy(players, ({ member_id }) => member_id);
    const own = byMember.get(mergedId) ?? [];
    const others = [...byMember].filter(([id, theirs]) => id !== mergedId && canBeOne([...own, ...theirs]));
    const isFresh = others.length === 0 || random() < freshShare;
    const [fresh] = isFresh
      ? await query<{ id: string }>('insert into members default values returning id')
      : [];
    const keptId = fresh?.id ?? pickFrom(others, random)[0];
    await eventually(async () => {
      const [row] = await query<{ merged_into: string | null }>(
        'select merged_into from members where id = $1',
        [mergedId],
      );
      // An answer may have been lost.
      if (row?.merged_into !== null) return;
      await call(membersHttp.merge, { params: { id: keptId }, body: { mergedId } });
    }, mergeDeadlineMs);
    onMerged([...own, ...(byMember.get(keptId) ?? [])]);
    say(
      `a member ${inFlight ? 'with a gift in flight' : 'whose deliveries wait'} was merged into one ` +
        (isFresh ? 'without players' : 'with players'),
    );
    return true;
  };
