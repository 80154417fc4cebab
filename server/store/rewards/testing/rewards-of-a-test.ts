import type { SectionValues } from '#contracts/operations/settings.ts';
import { type Database, openDatabase } from '#runtime/database/pool.ts';
import type { Tables } from '../../../kernel/database/tables.ts';
import { silentLog } from '../../../kernel/testing/feature-api.ts';
import { type MembersOfATest, membersOfATest } from '../../../people/members/testing/members-of-a-test.ts';
import { settingsOfATest, storeContextOfATest } from '../../testing/store-context-of-a-test.ts';
import { createRewards, type Rewards } from '../rewards.ts';

export interface ProcessOptions {
  readonly now: () => Date;
  readonly zone?: () => string;
  readonly gifts?: () => SectionValues<'rewards'>;
  readonly licenseHolds?: () => boolean;
}

export interface RewardsOfATest extends AsyncDisposable {
  readonly bench: MembersOfATest;
  /** As in a process of the API, with separate connections. */
  process(options: ProcessOptions): Rewards;
  /** Creates a Minecraft server. @returns its id */
  server(): Promise<string>;
  /** Writes a session, like presence does. @returns its id */
  session(stay: {
    readonly playerId: string;
    readonly serverId: string;
    readonly from: Date;
    readonly until: Date;
    readonly isOpen?: boolean;
  }): Promise<string>;
  /** Totals of the rewards in the ledger. */
  rewarded(memberId: string): Promise<{ entries: number; points: number }>;
}

let made = 0;

export const rewardsOfATest = async (): Promise<RewardsOfATest> => {
  const owned = new AsyncDisposableStack();
  const bench = owned.use(await membersOfATest());
  const { query } = bench;
  await query(
    `insert into clusters (id, name, name_key, description) values ('c', 'Cluster', 'cluster', '')`,
  );
  return {
    bench,
    process({ now, zone = () => 'UTC', gifts, licenseHolds = () => true }) {
      const own = new AsyncDisposableStack();
      const database: Database<Tables> = own.use(
        openDatabase<Tables>({ url: bench.database.url, applicationName: 'test', log: silentLog }),
      );
      const rewards = own.use(
        createRewards({
          ...storeContextOfATest(database.db),
          members: bench.members,
          settings: {
            values: async (section) =>
              settingsOfATest({
                general: { timeZone: zone() },
                rewards: gifts?.() ?? { giftsEnabled: true, giftMin: 1, giftMostPerDay: 1000 },
              }).values(section),
          },
          licenseHolds,
          now: () => now().getTime(),
        }),
      );
      return owned.use({ ...rewards, [Symbol.asyncDispose]: () => own.disposeAsync() });
    },
    async server() {
      made += 1;
      const id = `server-${made}`;
      await query(
        `insert into game_servers (id, cluster_id, name, name_key, game, port)
         values ($1, 'c', $1, $1, 'minecraft', 1)`,
        [id],
      );
      return id;
    },
    async session({ playerId, serverId, from, until, isOpen = false }) {
      const [row] = await query<{ id: string }>(
        `insert into player_sessions (player_id, server_id, handle, joined_at, confirmed_at, left_at)
         values ($1, $2, '', $3, $4::timestamptz, case when $5 then null else $4::timestamptz end) returning id`,
        [playerId, serverId, from, until, isOpen],
      );
      return row?.id ?? '';
    },
    async rewarded(memberId) {
      const [row] = await query<{ entries: number; points: string }>(
        `select count(*)::int as entries, coalesce(sum(amount), 0) as points from ledger
         where kind = 'reward' and to_member = $1`,
        [memberId],
      );
      return { entries: row?.entries ?? 0, points: Number(row?.points ?? 0) };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
