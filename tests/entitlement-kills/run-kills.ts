import { entitlementsHttp } from '#contracts/store/entitlements.ts';
import { eventually } from '#harness/eventually.ts';
import { pickFrom, randomOf } from '../bench/harness/seeded-random.ts';
import {
  allKinds,
  counterCommandOf,
  type Kind,
  keyOf,
  type LastingStack,
  openLastingStack,
  type Way,
} from './lasting-stack.ts';
import { killAt, type Moment, moments } from './moments.ts';

export interface KillsOptions {
  readonly way: Way;
  /** Each happens at the end of a different entitlement, while a second one ends undisturbed. */
  readonly kills: number;
  readonly seed: number;
}

/** An entitlement, and which commands of its end the game carried out. */
export interface Ended {
  readonly what: string;
  /** Null: no process was killed at its end. */
  readonly moment: Moment | null;
  /** The state at the place where it was given, once everything has settled. */
  readonly state: string;
  /** Removal commands that reached the game, and those of them that it carried out. */
  readonly received: number;
  readonly executed: number;
}

export interface KillsOutcome {
  readonly kills: number;
  readonly ends: readonly Ended[];
  /** Entitlements that were bought again after an end that a kill had interrupted. */
  readonly boughtAgain: readonly Ended[];
  /** After a person has had the unknown commands sent again, and everything that was bought again has ended, too. */
  readonly atLast: readonly Ended[];
}

interface Lasting {
  readonly player: string;
  readonly kind: Kind;
  readonly endsAfterMs: number;
  moment: Moment | null;
}

const hourMs = 3_600_000;
/** Past the end, and past the time in which the process that sent a command may still store its result. */
const pastMs = 600_000;
const killDeadlineMs = 90_000;
const settleDeadlineMs = 90_000;

export const runKills = async ({ way, kills, seed }: KillsOptions): Promise<KillsOutcome> => {
  const random = randomOf(seed);
  const lasting: Lasting[] = Array.from({ length: 2 * kills }, (_, index) => ({
    player: `Player${Math.floor(index / allKinds.length) + 1}`,
    kind: allKinds[index % allKinds.length] ?? 'rank',
    endsAfterMs: (Math.floor(index / 2) + 1) * hourMs,
    moment: null,
  }));
  const players = [...new Set(lasting.map(({ player }) => player))];
  await using stack = await openLastingStack(way, players);
  const bought: string[] = [];
  for (const { player, kind, endsAfterMs } of lasting)
    bought.push(await stack.buy(player, kind, endsAfterMs / 1000));
  await stack.delivered(bought);
  await stack.kill();

  const possible = shuffled(
    moments.filter((moment) => way === 'direct' || moment !== 'ignored'),
    random,
  );
  for (let kill = 0; kill < kills; kill += 1) {
    const victim = lasting[2 * kill + Math.floor(random() * 2)];
    const moment = possible[kill % possible.length];
    if (!victim || !moment) throw new Error('nothing to be killed at');
    victim.moment = moment;
    await killOnce(stack, victim, { moment, endsWhileItRuns: random() < 0.5, longest: (kills + 1) * hourMs });
  }

  stack.clock.shift(kills * hourMs + pastMs + hourMs / 2);
  await stack.start();
  await settled(stack);
  const ends = await readEnds(stack, lasting);
  const again = lasting.filter(({ moment }) => moment === 'executed');
  const orders = again.map(({ player, kind }) => stack.buy(player, kind, (2 * kills * hourMs) / 1000));
  await stack.delivered(await Promise.all(orders));
  await settled(stack);
  const boughtAgain = await readEnds(stack, again);
  for (const { id, state } of await stack.places())
    if (state === 'unknown') await stack.call(entitlementsHttp.retry, { params: { id }, body: {} });
  await settled(stack);
  await stack.kill();
  stack.clock.shift(3 * kills * hourMs);
  await stack.start();
  await settled(stack);
  return { kills, ends, boughtAgain, atLast: await readEnds(stack, lasting) };
};

const killOnce = async (
  stack: LastingStack,
  { player, kind, endsAfterMs }: Lasting,
  { moment, endsWhileItRuns, longest }: { moment: Moment; endsWhileItRuns: boolean; longest: number },
): Promise<void> => {
  const { game, database, clock } = stack;
  const end = () => clock.shift(endsAfterMs + pastMs);
  if (moment === 'bought-again') {
    await stack.start();
    await stack.delivered([await stack.buy(player, kind, longest / 1000)]);
    await stack.kill();
    return end();
  }
  const { promise: killed, resolve: isKilled, reject } = Promise.withResolvers<void>();
  const kill = () => stack.kill().then(isKilled, reject);
  killAt(moment, counterCommandOf(kind, player), { database, quirks: game.quirks, kill });
  if (!endsWhileItRuns) end();
  await stack.start(false);
  if (endsWhileItRuns) {
    await stack.api().ready;
    end();
  }
  const late = setTimeout(
    () => reject(new Error(`not killed: ${moment} of ${kind} for ${player}, ${endsWhileItRuns}`)),
    killDeadlineMs,
  );
  await killed.finally(() => clearTimeout(late));
  database.open();
  game.quirks.fateOf = () => 'answer';
};

const shuffled = <One>(all: readonly One[], random: () => number): One[] => {
  const left = [...all];
  return all.map(() => {
    const one = pickFrom(left, random);
    left.splice(left.indexOf(one), 1);
    return one;
  });
};

/** Resolves when no end is due or in progress, and every purchase is added up. */
const settled = (stack: LastingStack): Promise<void> =>
  eventually(async () => {
    const places = await stack.places();
    const [due] = await stack.query<{ count: number }>(
      `select count(*)::int from entitlements as one where ended_at is null and ends_at <= $1
         or exists (select from entitlement_news as news where news.entitlement_id = one.id)`,
      [new Date(stack.clock.now())],
    );
    const open = places.filter(({ state, isSent }) => isSent || state === 'taking' || state === 'giving');
    if (due?.count !== 0 || open.length > 0) throw new Error(`${due?.count} due, ${JSON.stringify(open)}`);
  }, settleDeadlineMs);

const readEnds = async (stack: LastingStack, lasting: readonly Lasting[]): Promise<Ended[]> => {
  const places = await stack.places();
  const { world } = stack.game;
  return lasting.map(({ player, kind, moment }) => {
    const command = counterCommandOf(kind, player);
    const timesIn = (lines: readonly string[]) => lines.filter((line) => line === command).length;
    const mine = places.filter(
      ({ memberId, key }) => memberId === stack.members.get(player) && key === keyOf(kind),
    );
    return {
      what: `${kind} of ${player}`,
      moment,
      state: mine.map(({ state }) => state).join(' and '),
      received: timesIn(world.received),
      executed: timesIn(world.commands),
    };
  });
};
