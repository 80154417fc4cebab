import { settingsHttp } from '#contracts/operations/settings.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { rewardsHttp } from '#contracts/store/rewards.ts';
import { chatTrustHttp } from '#contracts/storefronts/chat-trust.ts';
import { eventually } from '#harness/eventually.ts';
import { callAsOwner } from '#harness/owner-call.ts';
import { type MinecraftSimulator, startMinecraft } from '#simulators/minecraft-simulator.ts';
import { pickFrom, randomOf } from '../bench/harness/seeded-random.ts';
import { type PaidTimes, readPaidTimes } from './paid-times.ts';
import { openTwinApis, type TwinApi } from './twin-apis.ts';

export interface ClocksOptions {
  readonly steps: number;
  readonly seed: number;
  readonly terms: { readonly minutes: number; readonly points: number; readonly mostPerDay: number };
}

export interface ClocksOutcome {
  readonly kills: number;
  /** The number of kills in the middle of a payment. */
  readonly killsInPayments: number;
  readonly members: readonly (PaidTimes & {
    /** By the unshifted clock: between the first and the last list of each stay. */
    readonly playedMs: number;
    readonly stays: number;
  })[];
}

/** The games that a player was on at a step, by the unshifted clock. */
interface Sighting {
  readonly step: number;
  readonly atMs: number;
  readonly games: readonly MinecraftSimulator[];
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** One clock is ahead by this, the other behind. */
export const skewMs = 90_000;
/** One clock is set back by this while its process runs. */
export const setBackMs = 30_000;
/** With both skews and the rest of a step, less than ten minutes: a player who is seen again later has joined again. */
const stepMs = 5 * minuteMs;
const players = Array.from({ length: 9 }, (_, index) => `Player${index + 1}`);
/** Each game is asked for its players again within this time. */
const listedMs = 60_000;
const killDeadlineMs = 60_000;

/**
 * When the paying process is killed.
 * - `unpaid`: before the paying statement arrives
 * - `uncommitted`: the statement was executed, but the commit does not arrive
 * - `committed`: the commit was executed but not answered
 */
const moments = ['unpaid', 'uncommitted', 'committed'] as const;

/** Kills the first process that pays. @returns a promise of that process */
const killWhoPays = (twins: readonly TwinApi[], moment: (typeof moments)[number]): Promise<TwinApi> => {
  const { promise, resolve, reject } = Promise.withResolvers<TwinApi>();
  let payer: TwinApi | null = null;
  for (const twin of twins) {
    let transaction: object | null = null;
    twin.database.watch(
      (text, connection) => {
        if (connection === transaction && text.includes('commit'))
          return moment === 'committed' ? 'hold-answer' : 'hold';
        if (!text.includes('insert into reward_intervals') || (payer ?? twin) !== twin) return 'pass';
        payer = twin;
        transaction = connection;
        return moment === 'unpaid' ? 'hold' : 'pass';
      },
      () => twin.kill().then(() => resolve(twin), reject),
    );
  }
  return promise;
};

export const runClocks = async ({ steps, seed, terms }: ClocksOptions): Promise<ClocksOutcome> => {
  const random = randomOf(seed);
  await using opened = new AsyncDisposableStack();
  const games = [opened.use(await startMinecraft()), opened.use(await startMinecraft())];
  const { one, other, sql } = opened.use(await openTwinApis());
  const twins = [one, other];
  // Midnight falls in the middle.
  const begin = Date.now();
  const midnight = Math.ceil((begin + (steps / 2) * stepMs) / dayMs) * dayMs;
  let shiftMs = midnight - (steps / 2) * stepMs - begin;
  const setClocks = () => {
    one.clock.shift(shiftMs + skewMs);
    other.clock.shift(shiftMs - skewMs);
  };

  setClocks();
  await one.start();
  await one.api().ready;
  await setUp(one, games, terms);
  await one.kill();

  let kills = 0;
  let killsInPayments = 0;
  const seen = new Map<string, readonly Sighting[]>();
  for (let step = 0; step < steps; step += 1) {
    shiftMs += stepMs + Math.floor(random() * 10_000);
    setClocks();
    comeAndGo(games, step, random);
    const isDue = (await readPaidTimes(sql)).some(
      ({ provenMs, markedMs }) => provenMs - markedMs >= terms.minutes * minuteMs,
    );
    const paid = killWhoPays(twins, pickFrom(moments, random));
    for (const twin of random() < 0.5 ? twins : twins.toReversed()) await twin.start();
    if (isDue) {
      const victim = await within(paid, `no one pays at step ${step}`);
      for (const { database } of twins) database.open();
      kills += 1;
      killsInPayments += 1;
      await victim.start();
    } else for (const { database } of twins) database.open();
    await Promise.all(twins.map((twin) => listed(twin)));
    for (const name of players) {
      const on = games.filter(({ world }) => world.named(name));
      const sighting = { step, atMs: Date.now() + shiftMs, games: on };
      if (on.length > 0) seen.set(name, [...(seen.get(name) ?? []), sighting]);
    }
    const [killed, stopped] = random() < 0.5 ? [one, other] : [other, one];
    if (random() < 0.5) stopped.clock.shift(stopped.clock.shiftMs - setBackMs);
    if (random() < 0.5) await Promise.all([killed.kill(), stopped.stop()]);
    else {
      await stopped.stop();
      await killed.kill();
    }
    kills += 1;
  }

  // From here on no time is added.
  for (const { world } of games) world.vanish();
  // Twice, so that the second time nothing is left to pay; each process completes its round before it stops.
  for (let again = 0; again < 2; again += 1) {
    await Promise.all(twins.map((twin) => twin.start()));
    await Promise.all(twins.map((twin) => twin.api().ready));
    await Promise.all(twins.map((twin) => twin.stop()));
  }
  const members = (await readPaidTimes(sql)).map((paid) => ({
    ...paid,
    ...playedOf(seen.get(paid.name) ?? []),
  }));
  return { kills, killsInPayments, members };
};

const within = async <One>(promise: Promise<One>, why: string): Promise<One> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(why)), killDeadlineMs);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

const setUp = async (
  { api }: TwinApi,
  games: readonly MinecraftSimulator[],
  { minutes, points, mostPerDay }: ClocksOptions['terms'],
): Promise<void> => {
  const call = <E extends Parameters<typeof callAsOwner>[1]>(
    endpoint: E,
    input: Parameters<typeof callAsOwner>[2],
  ) => callAsOwner(api(), endpoint, input);
  const body = { version: 0, values: { timeZone: 'UTC' } };
  await call(settingsHttp.change, { params: { section: 'general' }, body });
  const { id: clusterId } = await call(clustersHttp.create, { body: { name: 'One', description: '' } });
  for (const { port, password } of games) {
    const server = { clusterId, name: `Game ${port}`, game: 'minecraft', host: '127.0.0.1', port, password };
    const { id } = await call(gameServersHttp.create, { body: server });
    // Else it would earn nothing for those who were first seen on the other one.
    await call(chatTrustHttp.set, { params: { id }, body: { version: 0, isTrusted: true } });
  }
  const rule = { kind: 'interval', minutes, points, mostPerDay };
  await call(rewardsHttp.createRule, { body: { name: 'Playing', isEnabled: true, terms: rule } });
};

/** At first all players join, some of them both games. */
const comeAndGo = (games: readonly MinecraftSimulator[], step: number, random: () => number): void => {
  for (const { world } of games)
    for (const name of players) {
      if (world.named(name)) {
        if (random() < 0.15) world.leave(name);
      } else if (random() < (step === 0 ? 0.6 : 0.25)) world.join(name);
    }
};

/** Resolves when both games have sent their players to this process since its start. */
const listed = async (twin: TwinApi): Promise<void> => {
  await twin.api().ready;
  await eventually(async () => {
    const { rows } = await callAsOwner(twin.api(), playersHttp.online);
    const known = rows.filter(({ players: there, source }) => there !== null && source === 'direct');
    if (known.length < 2) throw new Error(`${twin.name}: ${JSON.stringify(rows)}`);
  }, listedMs);
};

/** The time between two steps with the player on the same game: for other steps no process can know when they left. */
const playedOf = (seen: readonly Sighting[]) => {
  let playedMs = 0;
  let stays = 0;
  for (const [index, { step, atMs, games }] of seen.entries()) {
    const before = seen[index - 1];
    const isStill = before?.step === step - 1 && games.some((game) => before.games.includes(game));
    if (isStill) playedMs += atMs - before.atMs;
    else stays += 1;
  }
  return { playedMs, stays };
};
