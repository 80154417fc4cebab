import { createHmac } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { WaitingKind } from '#contracts/operations/waiting.ts';
import { waitingWords } from '#contracts/operations/waiting-words.ts';
import { shopSignatureHeaders } from '#contracts/storefronts/shop-webhooks.ts';
import { shopsHttp } from '#contracts/storefronts/shops.ts';
import type { Panel } from '#harness/panel.ts';
import { navigationWords } from '../../../renderer/shell/navigation.words.ts';
import { waitingOnPages } from '../../../renderer/shell/waiting-on-pages.ts';
import { grantPoints, insertMember, insertOrder } from '../../../server/kernel/testing/store-rows.ts';
import { genericPaid } from '../../../server/storefronts/shops/testing/documented-events.ts';
import { from, type Situation } from './situation.ts';

export interface Ground {
  readonly panel: Panel;
  /** Of the stack, and of the portal. */
  readonly db: pg.Pool;
  readonly portalDb: pg.Pool;
  readonly castellan: (...args: readonly string[]) => Promise<string>;
}

interface Plant {
  readonly name: string;
  readonly kind: WaitingKind;
  readonly count?: number;
  readonly plant: () => Promise<unknown>;
  readonly solve: () => Promise<unknown>;
  /** The component that it affects; absent: none, so that health says nothing. */
  readonly component?: string;
}

/** Before the demo began, so that every deadline has passed. */
const old = '2026-01-02T03:04:05.000Z';
const signed = (body: string, secret: string): string => {
  const time = Math.floor(Date.now() / 1000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
};

const countOf = (plants: readonly Plant[]): number => plants.reduce((sum, { count = 1 }) => sum + count, 0);

const situationOf = (
  { name, kind, count = 1, plant, solve, component }: Plant,
  _index: number,
  planted: readonly Plant[],
): Situation => {
  const { en } = waitingWords;
  const says = en.things[kind](count);
  const [page] = Object.keys(
    waitingOnPages({
      rows: [{ kind, count, since: null, tone: 'warn', to: '' }],
      isWhole: true,
    }),
  ) as (keyof typeof navigationWords.en.pages)[];
  return {
    name,
    plant,
    undo: solve,
    about: {
      overview: new RegExp(`^${says}$`),
      badge: new RegExp(`^${page ? navigationWords.en.pages[page] : ''}.*for you\\)`),
      // The tray counts: once it has counted all of them, it has counted this one.
      tray: new RegExp(`${countOf(planted)} things wait for you`),
      discord: new RegExp(`Needs you: ${says}`),
      ...(component
        ? { health: new RegExp(`^(?:${component} |no answer)`), status: new RegExp(component) }
        : // That a busy machine does not answer in time says nothing about it.
          { health: /^(?!no answer)/ }),
    },
    promised: {
      ...{ overview: from(5), badge: from(5), tray: from(30), discord: from(30) },
      health: component ? from(5) : 'quiet',
    },
  };
};

/** What waits for a person and is no fault of a component. */
export const waitingPlants = ({ panel, db, portalDb, castellan }: Ground): readonly Situation[] => {
  const { info } = panel;
  const serverIds = Object.fromEntries(info.servers.map(({ game, id }) => [game, id]));
  const query = (text: string, values: unknown[] = []) => db.query(text, values);
  /** No agent reports the saves and mods of these servers. */
  const [arkId, sevenDaysId, oldArkId] = [
    serverIds['ark-asa'],
    serverIds['seven-days-to-die'],
    serverIds['ark-se'],
  ];
  const saves = (serverId: string | undefined, unconfirmed: string | null, failedAt: string | null) =>
    query(
      `insert into server_saves (server_id, list, listed_at, nightly_failure_at) values ($1, $2, now(), $3)
       on conflict (server_id) do update set list = excluded.list, nightly_failure_at = excluded.nightly_failure_at`,
      [serverId, JSON.stringify({ backups: [], unconfirmed, nightly: null, freeBytes: null }), failedAt],
    );
  const orderOf = async (states: readonly string[]) => {
    const memberId = await insertMember(db);
    await grantPoints(db, memberId, 100);
    return { memberId, ...(await insertOrder(db, memberId, states, 1)) };
  };
  const shop = async () => {
    const secret = 'a secret of the shop of this test';
    const { id, path, version } = await panel.call(shopsHttp.create, {
      body: { kind: 'generic', name: 'Shop', game: 'minecraft', secret: secret.replaceAll(' ', '-') },
    });
    await panel.call(shopsHttp.setProducts, {
      params: { id },
      body: { version, products: [{ key: 'kit', productId: info.store?.productId ?? '' }] },
    });
    const body = JSON.stringify(genericPaid('order-1', [{ product: 'kit', quantity: 1 }]));
    const answer = await fetch(info.apiUrl + path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        [shopSignatureHeaders.generic]: signed(body, secret.replaceAll(' ', '-')),
      },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
  };

  const plants: readonly Plant[] = [
    {
      name: 'A delivery at the desk',
      kind: 'deliveries',
      async plant() {
        const { deliveryIds } = await orderOf(['unknown']);
        await query(`update deliveries set desk_reason = 'unknown', desk_at = now() where id = any ($1)`, [
          deliveryIds,
        ]);
      },
      solve: () => query(`update deliveries set desk_reason = null, desk_at = null`),
    },
    {
      name: 'An external order that waits',
      kind: 'shop-orders',
      plant: shop,
      async solve() {
        const { rows } = await panel.call(shopsHttp.orders, { query: {} });
        for (const { id, version, state } of rows)
          if (state === 'person' || state === 'waiting')
            await panel.call(shopsHttp.dismiss, { params: { id }, body: { version } });
      },
    },
    {
      name: 'An external order that left something in the game',
      kind: 'shop-orders-left',
      async plant() {
        const { orderId } = await orderOf(['delivered']);
        await query(
          `update deliveries set line = '{"kind": "item"}', refunded_at = now() where order_id = $1`,
          [orderId],
        );
        await query(
          `insert into shops (id, kind, name, is_enabled, game, allows_names, checks_address)
           values ('former', 'generic', 'Former shop', true, 'minecraft', false, false)`,
        );
        await query(
          `insert into shop_orders (id, shop_id, external_id, refs, state, order_id)
           values ('taken', 'former', 'taken', '{}', 'given', $1)`,
          [orderId],
        );
        await query(`update shop_orders set state = 'taken-back', reason = 'refunded' where id = 'taken'`);
      },
      solve: () => query(`update shop_orders set state = 'set-aside' where id = 'taken'`),
    },
    {
      name: 'A restored world to confirm',
      kind: 'restores',
      plant: () => saves(arkId, '2026-01-02T03-04-05Z', null),
      solve: () => saves(arkId, null, null),
    },
    {
      name: "A world's nightly backup that failed",
      kind: 'world-backups',
      plant: () => saves(oldArkId, null, old),
      solve: () => saves(oldArkId, null, null),
    },
    {
      name: 'Updates of mods',
      kind: 'mod-updates',
      count: 2,
      async plant() {
        const mods = ['a', 'b'].map((key) => ({ key, version: '1' }));
        const updates = Object.fromEntries(
          mods.map(({ key }) => [key, { from: '1', version: '2', name: '2', isByHand: false }]),
        );
        // In one statement: between two, the API would begin to check the mods itself.
        await query(
          `with kept as (insert into server_mods (server_id, list, listed_at) values ($1, $2, now()))
           insert into mod_checks (server_id, checked_at, next_at, found) values ($1, now(), 'infinity', $3)`,
          [
            sevenDaysId,
            JSON.stringify({ installed: mods, found: [] }),
            JSON.stringify({ updates, projects: {}, known: {}, faults: [] }),
          ],
        );
      },
      async solve() {
        await query(`delete from mod_checks where server_id = $1`, [sevenDaysId]);
        await query(`delete from server_mods where server_id = $1`, [sevenDaysId]);
      },
    },
    {
      name: 'A change of mods that failed',
      kind: 'mod-failures',
      plant: () =>
        query(
          `insert into mod_jobs (id, server_id, kind, request, change, lines, actor, actor_name, address, state, ended_at)
           values (gen_random_uuid(), $1, 'change', '{}', '{}', '[]', 'a', 'a', '', 'failed', now())`,
          [oldArkId],
        ),
      solve: () => query(`update mod_jobs set state = 'done' where server_id = $1`, [oldArkId]),
    },
    {
      name: 'A season half done',
      kind: 'seasons',
      async plant() {
        const { memberId } = await orderOf(['delivered']);
        // In one statement: a season without a step is over. What is given again waits until tomorrow.
        await query(
          `with winter as (
             insert into seasons (id, name, game, began_at, created_at, balances, actor)
             values ('winter', 'Winter', 'palworld', now(), now(), '{"kind": "none"}', 'test') returning id)
           insert into season_steps (season_id, kind, member_id, product_id, quantity, next_try_at)
           select id, 'regrant', $1, 'p', 1, now() + interval '1 day' from winter`,
          [memberId],
        );
      },
      solve: () => query(`update seasons set state = 'done'`),
    },
    {
      name: 'A product that needs approval',
      kind: 'approvals',
      async plant() {
        await query(`insert into products (id) values ('op')`);
        await query(
          `insert into product_versions (product_id, version, name, name_key, description, category, price, game, lines,
                                         approved_by, approved_at)
           values ('op', 1, 'Op', 'op', '', '', 1, 'minecraft', '[{"kind": "command", "command": "op {player}"}]', 'admin:gone', now())`,
        );
        await query(`update products set is_enabled = true where id = 'op'`);
      },
      solve: () => query(`update products set is_enabled = false where id = 'op'`),
    },
    {
      name: 'A product off sale',
      kind: 'held-products',
      async plant() {
        await query(`insert into products (id) values ('held')`);
        await query(
          `insert into product_versions (product_id, version, name, name_key, description, category, price, game, lines)
           values ('held', 1, 'Held', 'held', '', '', 1, 'minecraft', '[]')`,
        );
        await query(
          `update products set is_enabled = true, held_at = now(), held_reason = 'x' where id = 'held'`,
        );
      },
      solve: () => query(`update products set held_at = null where id = 'held'`),
    },
    {
      name: 'A license that ends in 10 days',
      kind: 'license',
      async plant() {
        await portalDb.query(`update licenses set expires_at = now() + interval '10 days'`);
        await castellan('license', 'check');
      },
      async solve() {
        await portalDb.query(`update licenses set expires_at = null`);
        await castellan('license', 'check');
      },
    },
  ];
  return plants.map(situationOf);
};

/** What waits for a person because a component is affected. */
export const componentPlants = ({ panel, db }: Ground): readonly Situation[] => {
  const { info } = panel;
  const palworldId = info.servers.find(({ game }) => game === 'palworld')?.id;
  const attempt = async (damage: object | null, outcome: 'failed' | 'taken') => {
    const folder = join(info.home, 'backups');
    await mkdir(folder, { recursive: true });
    const at = new Date().toISOString();
    const tried = { at, outcome, path: null, reason: 'test', bytes: null, detail: 'no room', damage };
    await writeFile(join(folder, 'last-attempt.json'), JSON.stringify(tried));
  };
  const plants: readonly Plant[] = [
    {
      name: 'An overdue removal',
      kind: 'removals',
      component: 'entitlements',
      async plant() {
        const memberId = await insertMember(db);
        await grantPoints(db, memberId, 100);
        const { deliveryIds } = await insertOrder(db, memberId, ['delivered'], 1);
        const { rows } = await db.query<{ id: string }>(
          `insert into entitlements (member_id, game, key, ends_at, ended_at)
           values ($1, 'minecraft', 'rank', now(), now()) returning id`,
          [memberId],
        );
        await db.query(
          `insert into entitlement_places (entitlement_id, server_id, delivery_id, state, changed_at, next_try_at)
           values ($1, $2, $3, 'taking', $4, 'infinity')`,
          [rows[0]?.id, palworldId, deliveryIds[0], old],
        );
      },
      solve: () => db.query(`update entitlement_places set state = 'taken'`),
    },
    {
      name: 'A backup that failed',
      kind: 'backups',
      component: 'backups',
      plant: () => attempt(null, 'failed'),
      solve: () => attempt(null, 'taken'),
    },
    {
      name: 'Damaged data',
      kind: 'damage',
      component: 'integrity',
      plant: () => attempt({ since: new Date().toISOString(), detail: 'page 7' }, 'failed'),
      solve: () => attempt(null, 'taken'),
    },
  ];
  return plants.map(situationOf);
};
