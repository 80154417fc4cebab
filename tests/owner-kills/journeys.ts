import { discordHttp } from '#contracts/discord/discord.ts';
import { discordEventsHttp } from '#contracts/discord/discord-events.ts';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { backupsHttp } from '#contracts/operations/backups.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { powerHttp } from '#contracts/servers/power.ts';
import { savesHttp } from '#contracts/servers/saves.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { seasonsHttp } from '#contracts/store/seasons.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { shopSignatureHeaders } from '#contracts/storefronts/shop-webhooks.ts';
import { shopsHttp } from '#contracts/storefronts/shops.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';
import { usualBot } from '#simulators/discord/discord.ts';
import { asked, type KillSteps } from './kill-steps.ts';
import { guildId, type OwnerStack, player } from './owner-stack.ts';

export interface Round {
  readonly stack: OwnerStack;
  readonly steps: KillSteps;
  /** From 1; what a journey makes is named after it. */
  readonly round: number;
}

const shopSecret = new Secret('whsec_of_a_shop_0123456789');
const patientMs = 120_000;

const idsOf =
  ({ stack }: Pick<Round, 'stack'>, text: string, ...values: unknown[]) =>
  async (): Promise<string[]> =>
    (await stack.query<{ id: string }>(text, values)).map(({ id }) => id);
/** Audit rows of an action about one thing. */
const audited = (round: Round, action: string, target: string) =>
  idsOf(round, 'select id::text from audit_logs where action = $1 and target = $2', action, target);
const countOf = (ids: () => Promise<readonly string[]>) => async () => (await ids()).length;

/** @returns its id */
const firstCluster = (round: Round): Promise<string> => {
  const name = `Cluster ${round.round}`;
  return round.steps.step('first server', {
    name: 'cluster',
    request: asked(clustersHttp.create, { body: { name, description: '' } }),
    made: idsOf(round, 'select id from clusters where name = $1', name),
  });
};

const firstServer = async (round: Round) => {
  const { stack, steps } = round;
  const journey = 'first server';
  const clusterId = await firstCluster(round);
  const server = `Server ${round.round}`;
  const body = { clusterId, name: server, game: 'minecraft', host: '127.0.0.1', port: 40_000 + round.round };
  const id = await steps.step(journey, {
    name: 'server',
    request: asked(gameServersHttp.create, { body }),
    made: idsOf(round, 'select id from game_servers where cluster_id = $1', clusterId),
  });
  const { version } = await stack.call(gameServersHttp.read, { params: { id } });
  await steps.step(journey, {
    name: 'its settings',
    request: asked(gameServersHttp.change, { params: { id }, body: { version, name: `${server}, renamed` } }),
    made: audited(round, 'servers.change', `server:${id}`),
  });
};

const firstCommand = async (round: Round) => {
  const { stack, steps } = round;
  const journey = 'first command';
  const command = `say hello ${round.round}`;
  await steps.step(journey, {
    name: 'command',
    request: asked(consoleHttp.run, { body: { serverIds: [stack.serverId], command } }),
    made: idsOf(round, 'select id::text from console_commands where command = $1', command),
    write: /insert into "?console_commands/,
  });
  await steps.expectOnce(journey, 'in the game', async () => {
    const [row] = await stack.query<{ outcome: string | null }>(
      'select outcome from console_commands where command = $1',
      [command],
    );
    const times = stack.game.world.commands.filter((line) => line === command).length;
    // Of what is unknown, the history says so.
    return row?.outcome === 'answered' || times > 1 ? times : Number(row?.outcome !== null);
  });
};

/** @returns the product's id; `round` pieces of the item are one purchase, which no other looks like */
const product = async (round: Round, journey: string, item: string): Promise<string> => {
  const { stack, steps } = round;
  const name = `${journey} ${round.round}`;
  const lines = [{ kind: 'item', item, quantity: round.round }];
  const draft = { name, price: 5, game: 'minecraft', lines, isEnabled: true };
  const id = await steps.step(journey, {
    name: 'product',
    request: asked(storeHttp.create, { body: draft }),
    made: idsOf(
      round,
      `select id from products where id in (select product_id from product_versions where name = $1)`,
      name,
    ),
  });
  const { version } = await stack.call(storeHttp.read, { params: { id } });
  await steps.step(journey, {
    name: 'its price',
    request: asked(storeHttp.change, { params: { id }, body: { ...draft, price: 6, version } }),
    made: idsOf(
      round,
      `select version::text as id from product_versions where product_id = $1 and price = 6`,
      id,
    ),
  });
  return id;
};

const givenOf =
  ({ stack, round }: Round, item: string) =>
  () =>
    stack.game.world.given.filter(
      (given) => given.player === player && given.item === item && given.quantity === round,
    ).length;

const firstOrder = async (round: Round) => {
  const { stack, steps } = round;
  const { memberId } = stack;
  const item = 'minecraft:diamond';
  const productId = await product(round, 'first product', item);
  const journey = 'item delivered';
  const note = `start ${round.round}`;
  await steps.step(journey, {
    name: 'points',
    request: asked(membersHttp.grant, {
      params: { id: memberId },
      body: { kind: 'grant', points: 100, note },
    }),
    made: idsOf(round, 'select entry_id::text as id from ledger_notes where note = $1', note),
  });
  const orderId = await steps.step(journey, {
    name: 'order',
    request: asked(ordersHttp.place, { body: { memberId, lines: [{ productId }] } }),
    made: idsOf(round, 'select order_id as id from order_lines where product_id = $1', productId),
    write: /insert into "?order_requests/,
  });
  await arrives(round, journey, orderId, givenOf(round, item));
  await steps.expectOnce(
    journey,
    'points taken',
    countOf(idsOf(round, `select id::text from ledger where order_id = $1 and kind = 'purchase'`, orderId)),
  );
};

/** An order's delivery, killed while it is sent and while its end is stored. */
const arrives = async ({ stack, steps }: Round, journey: string, orderId: string, given: () => number) => {
  const isDelivered = async () => {
    const rows = await stack.query<{ state: string }>('select state from deliveries where order_id = $1', [
      orderId,
    ]);
    return rows.length > 0 && rows.every(({ state }) => state === 'delivered');
  };
  const writes = [
    ['sent', /insert into "?delivery_attempts/],
    ['arrived', /update "?deliveries"? .*delivered/s],
  ] as const;
  await steps.during(journey, writes, isDelivered);
  await steps.expectOnce(journey, 'item in the game', given);
  await steps.expectOnce(journey, 'delivered', async () => Number(await isDelivered()));
};

const moderator = async (round: Round) => {
  const { stack, steps } = round;
  const journey = 'moderator';
  const name = `Mona ${round.round}`;
  const id = await steps.step(journey, {
    name: 'made',
    request: asked(adminsHttp.create, {
      body: { name, password: 'a password of a moderator', role: 'moderator', serverGrants: [] },
    }),
    made: idsOf(round, 'select id from admins where name = $1', name),
  });
  const { rows } = await stack.call(adminsHttp.list);
  const version = rows.find((row) => row.id === id)?.version;
  await steps.step(journey, {
    name: 'her role',
    request: asked(adminsHttp.change, { params: { id }, body: { version, role: 'viewer' } }),
    made: audited(round, 'admins.change', `admin:${id}`),
  });
};

const discord = async (round: Round) => {
  const { stack, steps } = round;
  const journey = 'Discord';
  const { version } = await stack.call(discordHttp.read);
  await steps.step(journey, {
    name: 'settings',
    request: asked(discordHttp.change, { body: { version, token: usualBot.token, guildId } }),
    async made() {
      const now = await stack.call(discordHttp.read);
      return Array.from({ length: now.version - version }, (_, index) => String(index));
    },
  });
  const channelId = stack.discord.people.channelNamed(channelOf(round.round)).id;
  const kinds = ['shop.order-arrived', 'season.began'];
  await steps.step(journey, {
    name: 'rule',
    request: asked(discordEventsHttp.create, {
      body: { isEnabled: true, channelId, kinds, severities: [], serverIds: [], roleId: null },
    }),
    made: idsOf(round, 'select id from discord_event_rules where channel_id = $1', channelId),
  });
};

export const channelOf = (round: number): string => `log-${round}`;

/** How often the channel of the round's rule has a text. */
const postedIn =
  ({ stack, round }: Round, text: string) =>
  () => {
    const channel = stack.discord.people.channelNamed(channelOf(round));
    const shown = [...channel.messages.values()].flatMap(({ message }) => [
      message.content,
      ...message.embeds.map(({ description = '' }) => description),
    ]);
    return shown.join('\n').split(text).length - 1;
  };

const restore = async (round: Round) => {
  const { stack, steps } = round;
  const { world } = stack;
  const journey = 'world restored';
  const { serverId } = world;
  const params = { serverId };
  const saves = () => stack.call(savesHttp.read, { params });
  /** The agent comes back a moment after the API. */
  const isReady = () =>
    eventually(async () => {
      const { isAgentPresent, obstacle, list, act } = await saves();
      const power = await stack.call(powerHttp.read, { params });
      if (!isAgentPresent || obstacle !== null || list === null || act !== null || power.obstacle !== null)
        throw new Error('its agent is not back yet');
    }, patientMs);
  await isReady();
  await steps.step(journey, {
    name: 'started',
    request: asked(powerHttp.act, { params, body: { action: 'start' } }),
    made: idsOf(
      round,
      `select id from power_acts where server_id = $1 and idempotency_key not like 'restore-run:%'
        order by requested_at offset $2`,
      serverId,
      round.round - 1,
    ),
  });
  await eventually(async () => {
    const { act, process } = await stack.call(powerHttp.read, { params });
    if (act !== null || process?.report.state !== 'running') throw new Error('it does not run yet');
  }, patientMs);
  await isReady();
  const before = new Set((await saves()).list?.backups.map(({ name }) => name));
  await world.write(`kept-${round.round}`);
  await steps.step(journey, {
    name: 'backup',
    request: asked(savesHttp.act, { params, body: { action: 'backup' } }),
    made: idsOf(
      round,
      `select id from save_acts where server_id = $1 and action = 'backup' order by requested_at offset $2`,
      serverId,
      round.round - 1,
    ),
  });
  const backup = await eventually(async () => {
    const { act, list } = await saves();
    const made = list?.backups.find(({ name }) => !before.has(name));
    if (act !== null || !made) throw new Error('the backup is not made yet');
    return made.name;
  }, patientMs);
  await world.write(`lost-${round.round}`);
  await isReady();
  const runs = idsOf(round, 'select id from restore_runs where backup = $1', backup);
  const runId = await steps.step(journey, {
    name: 'restore',
    request: asked(savesHttp.run, {
      params,
      body: { action: 'restore', backup, countdownSeconds: 0, starts: true },
    }),
    made: runs,
  });
  const isOver = async () => (await saves()).run?.outcome !== null;
  const writes = [
    ['stop asked', /insert into "?power_acts/],
    ['stopped', /update "?restore_runs.*restoring/s],
    ['restore asked', /insert into "?save_acts/],
    ['replaced', /update "?restore_runs.*starting/s],
    ['start asked', /insert into "?power_acts/],
    ['done', /update "?restore_runs.*ended_at/s],
  ] as const;
  await steps.during(journey, writes, isOver);
  await steps.expectOnce(journey, 'whole', async () => {
    const { run } = await saves();
    if (run?.outcome === null) return 0;
    if (run?.outcome !== 'done') throw new Error(JSON.stringify(run));
    return (await world.read()) === `kept-${round.round}` ? 1 : 0;
  });
  for (const action of ['stop', 'start', 'restore'])
    await steps.expectOnce(
      journey,
      action,
      countOf(
        idsOf(
          round,
          `select id from power_acts where idempotency_key like $1 and action = $2
           union all select id from save_acts where idempotency_key like $1 and action = $2`,
          `restore-run:${runId}:%`,
          action,
        ),
      ),
    );
  await steps.expectOnce(
    journey,
    'event',
    countOf(
      idsOf(
        round,
        `select id::text from event_logs where kind = 'saves.restored' and payload ->> 'backup' = $1`,
        backup,
      ),
    ),
  );
  await isReady();
  const { act } = await stack
    .call(savesHttp.act, { params, body: { action: 'confirm', backup } })
    .then(saves);
  if (act) await eventually(async () => expectNull((await saves()).act), patientMs);
};

const expectNull = (value: unknown): void => {
  if (value !== null) throw new Error('it is still under way');
};

const ownBackup = async ({ stack, steps }: Round) => {
  const names = async () =>
    (await stack.call(backupsHttp.status)).backups
      .filter(({ kind, fault }) => kind !== 'database' && fault === null)
      .map(({ name }) => name);
  const before = new Set(await names());
  await steps.step('Castellan’s backup', {
    name: 'backup',
    request: asked(backupsHttp.take),
    made: async () => (await names()).filter((name) => !before.has(name)),
    isOnlyBegun: true,
  });
};

const shop = async (round: Round) => {
  const { stack, steps } = round;
  const item = 'minecraft:emerald';
  const productId = await product(round, 'outside product', item);
  const journey = 'external shop';
  const name = `Shop ${round.round}`;
  const id = await steps.step(journey, {
    name: 'shop',
    request: asked(shopsHttp.create, {
      body: { kind: 'generic', name, game: 'minecraft', allowsNames: true, secret: shopSecret.reveal() },
    }),
    made: idsOf(round, 'select id from shops where name = $1', name),
  });
  const { rows } = await stack.call(shopsHttp.list);
  const version = rows.find((row) => row.id === id)?.version;
  await steps.step(journey, {
    name: 'its products',
    request: asked(shopsHttp.setProducts, {
      params: { id },
      body: { version, products: [{ key: 'kit', productId }] },
    }),
    made: idsOf(round, 'select product_id as id from shop_products where shop_id = $1', id),
  });
  // Without punctuation, which a message in Discord escapes.
  const order = `shopOrder${round.round}`;
  const event = {
    id: `evt-${round.round}`,
    type: 'paid',
    orderId: order,
    lines: [{ product: 'kit', quantity: 1 }],
    receiver: { game: 'minecraft', name: player },
  };
  const body = JSON.stringify(event);
  await steps.step(journey, {
    name: 'paid event',
    request: {
      method: 'POST',
      path: `/api/store/webhooks/${id}`,
      headers: {
        [shopSignatureHeaders.generic]: signed(body, new Date(), shopSecret),
        Authorization: 'none',
      },
      body,
      isRepeated: true,
    },
    made: idsOf(round, 'select id from shop_orders where external_id = $1', order),
    write: /insert into "?shop_events/,
  });
  const ordered = idsOf(round, `select order_id as id from order_lines where product_id = $1`, productId);
  const settled = [['settled', /insert into "?order_requests/]] as const;
  await steps.during(journey, settled, async () => (await ordered()).length > 0);
  await steps.expectOnce(journey, 'order', countOf(ordered));
  const [orderId = ''] = await ordered();
  await arrives(round, journey, orderId, givenOf(round, item));
  await steps.expectOnce(journey, 'message in Discord', postedIn(round, order));
};

const season = async (round: Round) => {
  const { stack, steps } = round;
  const journey = 'season';
  const name = `Season ${round.round} of all`;
  const plan = { game: 'minecraft', balances: { kind: 'cap', most: 0, whose: 'everyone' } };
  // So that there is something to take.
  await stack.call(membersHttp.grant, {
    params: { id: stack.memberId },
    body: { kind: 'grant', points: 10 },
  });
  const { digest } = await stack.call(seasonsHttp.preview, { body: plan });
  const id = await steps.step(journey, {
    name: 'season',
    request: asked(seasonsHttp.begin, { body: { ...plan, name, digest } }),
    made: idsOf(round, 'select id from seasons where name = $1', name),
  });
  const isOver = async () => (await stack.call(seasonsHttp.read, { params: { id } })).state === 'done';
  await steps.during(journey, [['points', /insert into "?ledger/]], isOver);
  await steps.expectOnce(journey, 'done', async () => Number(await isOver()));
  await steps.expectOnce(
    journey,
    'points taken',
    countOf(
      idsOf(
        round,
        `select id::text from ledger where kind = 'season' and from_member = $1
           and at >= (select created_at from seasons where id = $2)`,
        stack.memberId,
        id,
      ),
    ),
  );
  await steps.expectOnce(journey, 'message in Discord', postedIn(round, name));
};

/** The journeys of a new owner, in their order; later ones use what earlier ones made. */
export const journeys: readonly ((round: Round) => Promise<void>)[] = [
  firstServer,
  firstCommand,
  firstOrder,
  moderator,
  discord,
  restore,
  ownBackup,
  shop,
  season,
];
