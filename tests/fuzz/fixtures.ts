import { createHmac } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AgentProgramsManifest,
  agentPrograms,
  agentProgramsFolder,
  agentProgramsManifestName,
} from '#contracts/servers/agent-downloads.ts';
import { rewardsHttp } from '#contracts/store/rewards.ts';
import { shopSignatureHeaders } from '#contracts/storefronts/shop-webhooks.ts';
import { shopsHttp } from '#contracts/storefronts/shops.ts';
import { call, newServer } from '../../server/kernel/testing/call.ts';
import { grantPoints, insertOrder } from '../../server/kernel/testing/store-rows.ts';
import { type TestApi, testDesktopCredential } from '../../server/kernel/testing/test-api.ts';

const as = testDesktopCredential;
const discordUserIds = [1, 2, 3, 4, 5, 6].map((digit) => `${digit}`.repeat(18));
/** Enough that some are left when requests have merged, erased and archived others. */
const count = { members: 24, servers: 4 } as const;
const shopSecret = 'whsec_of_a_shop_in_a_fuzz_run';

/** Something to hand out under each name that agents ask for. */
export const writePrograms = async (folder: string): Promise<void> => {
  const programs = join(folder, agentProgramsFolder);
  await mkdir(programs, { recursive: true });
  const files = Object.entries(agentPrograms).map(([file, system]) => ({
    ...{ file, system, stored: file, coding: 'none' as const },
    ...{ bytes: 1, sha256: '0'.repeat(64) },
  }));
  for (const { file } of files) await writeFile(join(programs, file), 'x');
  const manifest = { files } as AgentProgramsManifest;
  await writeFile(join(programs, agentProgramsManifestName), JSON.stringify(manifest));
};

export interface Fixtures {
  readonly serverIds: readonly string[];
  readonly memberIds: readonly string[];
  /** Of members with points. */
  readonly discordUserIds: readonly string[];
  readonly shopSecret: string;
  /** Requests archive servers and unlink, merge and erase members: brings back what others need. */
  repair(): Promise<void>;
  /** Requests also change and remove shops. @returns its id */
  newShop(): Promise<string>;
  /** As such a shop signs. */
  readonly signatureOf: (body: string) => Record<string, string>;
}

/** What requests alone would take long to bring about: players, points, an order, a shop whose secret is known. */
export const addFixtures = async ({ port, context }: TestApi): Promise<Fixtures> => {
  const { pool } = context.database;
  const serverIds = [await newServer(port, { game: 'ark-se' })];
  while (serverIds.length < count.servers) serverIds.push(await newServer(port));
  const memberIds: string[] = [];
  while (memberIds.length < count.members) {
    const name = `player ${memberIds.length}`;
    const identity = `steam:${name}`;
    await pool.query(
      `insert into players (identity, game, platform_id, name, name_key) values ($1, 'minecraft', $1, $2, $2)`,
      [identity, name],
    );
    const { rows } = await pool.query<{ member_id: string }>(
      'select member_id from players where identity = $1',
      [identity],
    );
    const memberId = rows[0]?.member_id ?? '';
    const discordId = discordUserIds[memberIds.length];
    if (discordId !== undefined)
      await pool.query('update members set discord_id = $1 where id = $2', [discordId, memberId]);
    memberIds.push(memberId);
    await grantPoints(pool, memberId, 1_000_000);
    await insertOrder(pool, memberId, ['waiting', 'delivered'], 5);
  }
  const newShop = async () => {
    const shop = await call(port, shopsHttp.create, {
      as,
      body: { name: 'Fuzz', isEnabled: true, kind: 'generic', game: 'minecraft', secret: shopSecret },
    });
    if (shop.status !== 200) throw new Error(shop.text);
    return String(shop.json.id);
  };
  const batch = await call(port, rewardsHttp.createBatch, {
    as,
    body: { name: 'Fuzz', points: 1, count: 2 },
  });
  if (batch.status !== 200) throw new Error(batch.text);
  return {
    ...{ serverIds, memberIds, discordUserIds, shopSecret, newShop },
    async repair() {
      // Others may have taken their names.
      for (const [table, ids] of [
        ['clusters', null],
        ['game_servers', serverIds],
      ] as const)
        await pool.query(
          `update ${table} set archived_at = null, name = 'Repaired ' || id, name_key = 'repaired ' || id
           where archived_at is not null and ($1::text[] is null or id = any($1))`,
          [ids],
        );
      await pool.query(
        `update members set discord_id = wanted.id
         from (
           select id, row_number() over () as place from unnest($1::text[]) id
           where id not in (select discord_id from members where discord_id is not null)
         ) wanted
         join (
           select id, row_number() over () as place from members
           where discord_id is null and merged_into is null and erased_at is null
         ) free using (place)
         where members.id = free.id`,
        [discordUserIds],
      );
    },
    signatureOf(body) {
      const seconds = Math.floor(Date.now() / 1000);
      const mac = createHmac('sha256', shopSecret).update(`${seconds}.`).update(body).digest('hex');
      return { [shopSignatureHeaders.generic]: `t=${seconds},v1=${mac}` };
    },
  };
};
