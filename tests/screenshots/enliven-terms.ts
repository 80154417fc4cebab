import { randomBytes } from 'node:crypto';
import { membersHttp } from '#contracts/people/members.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { discountsHttp } from '#contracts/store/discounts.ts';
import { rewardsHttp } from '#contracts/store/rewards.ts';
import { seasonsHttp } from '#contracts/store/seasons.ts';
import { shopsHttp } from '#contracts/storefronts/shops.ts';
import type { Panel } from '#harness/panel.ts';

/** An owner's setup besides products: discounts, rewards, an external shop, a season, a ban. */
export const enlivenTerms = async ({ call, info }: Pick<Panel, 'call' | 'info'>): Promise<void> => {
  await call(discountsHttp.create, {
    body: { name: 'Weekend of kits', off: { kind: 'percent', percent: 20 }, categories: ['Kits'] },
  });
  await call(discountsHttp.create, {
    body: {
      name: 'Welcome back',
      off: { kind: 'points', points: 50 },
      code: 'WELCOME-BACK',
      mostUses: 100,
      mostPerMember: 1,
    },
  });
  await call(rewardsHttp.createRule, {
    body: { name: 'Time online', isEnabled: true, terms: { kind: 'interval', points: 5, minutes: 30 } },
  });
  await call(rewardsHttp.createRule, {
    body: { name: 'Daily points', isEnabled: true, terms: { kind: 'daily', points: 20, streakPoints: 5 } },
  });
  await call(rewardsHttp.createBatch, { body: { name: 'Stream of the launch', points: 100, count: 8 } });
  const shop = await call(shopsHttp.create, {
    body: { name: 'Web shop', kind: 'tebex', game: 'minecraft', secret: randomBytes(16).toString('hex') },
  });
  await call(shopsHttp.setProducts, {
    params: { id: shop.id },
    body: {
      version: shop.version,
      products: [{ key: '4711', productId: info.store?.productId ?? null, quantity: 1 }],
    },
  });
  const plan = { game: 'seven-days-to-die' } as const;
  const { digest } = await call(seasonsHttp.preview, { body: plan });
  await call(seasonsHttp.begin, { body: { ...plan, name: 'Autumn in Navezgane', digest } });
  await banOne({ call });
};

/** Bans a player of a game that keeps its bans, who has nothing to receive. */
const banOne = async ({ call }: Pick<Panel, 'call'>): Promise<void> => {
  const { rows } = await call(playersHttp.online, { query: {} });
  const { rows: members } = await call(membersHttp.search, { query: {} });
  const poor = new Set(
    members.filter(({ balance }) => balance === 0).flatMap(({ players }) => players.map(({ id }) => id)),
  );
  for (const { serverId, players } of rows) {
    const one = players?.find(({ playerId }) => poor.has(playerId));
    if (!one) continue;
    const body = { serverId, action: 'ban', text: 'Sold what was not theirs' } as const;
    await call(playersHttp.act, { params: { id: one.playerId }, body });
    return;
  }
};
