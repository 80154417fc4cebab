import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { queuesHttp } from '#contracts/operations/queues.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { rewardsHttp } from '#contracts/store/rewards.ts';
import { createApp } from '#runtime/http/routes.ts';
import { bindFeatures } from '../../app.ts';
import { createApiRoutes } from '../access/authorize.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { ask } from '../testing/ask.ts';
import { call, newCluster } from '../testing/call.ts';
import { testDesktopCredential as as } from '../testing/test-api.ts';

const running = apiForThisFile();
const mostInteger = 2 ** 31 - 1;

// Guarantee: a version that its column cannot hold, or cannot count on from, is the caller's error.
test.each([mostInteger, mostInteger + 1, Number.MAX_SAFE_INTEGER, -1])('the version %i', async (version) => {
  const { port } = running();
  const batch = await call(port, rewardsHttp.createBatch, { as, body: { name: `B ${version}`, points: 1 } });
  const params = { id: String(batch.json.id) };
  const body = { version, isEnabled: false };
  const switched = await call(port, rewardsHttp.switchBatch, { as, params, body });
  expect([switched.status, switched.json.code]).toEqual([400, 'INVALID_REQUEST']);
  const changed = await call(port, clustersHttp.change, {
    as,
    params: { id: await newCluster(port) },
    body: { version, name: 'other' },
  });
  expect([changed.status, changed.json.code]).toEqual([400, 'INVALID_REQUEST']);
});

// Guarantee: a cursor that no page has handed out is refused, also one that only looks like a time or an id.
test.each([
  '2026-01-01T00:00:70.000000Z|00000000-0000-4000-8000-000000000000',
  '2026-02-30T00:00:00.000000Z|00000000-0000-4000-8000-000000000000',
  '0000-01-01T00:00:00.000000Z|00000000-0000-4000-8000-000000000000',
  '2026-01-01T00:00:00.000000Z|------------------------------------',
  '2026-01-01T00:00:00.000000Z',
])('the cursor %s', async (place) => {
  const cursor = Buffer.from(place).toString('base64url');
  const path = queuesHttp.jobs.path.replace(':name', 'delivery');
  const headers = { Authorization: `Bearer ${as}` };
  const { status, json } = await ask(running().port, `${path}?cursor=${cursor}`, { headers });
  expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
});

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Where a request may hold a number that no `integer` column can. */
const largeNumbers = (schema: Schema, path: string): string[] => {
  const { type, properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const isLarge =
    schema.const === undefined && !((schema.maximum ?? Number.POSITIVE_INFINITY) <= mostInteger);
  return [
    ...((type === 'integer' || type === 'number') && isLarge ? [path] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => largeNumbers(inner, `${path}.${name}`)),
    ...[...anyOf, ...oneOf].flatMap((inner) => largeNumbers(inner, path)),
    ...(items ? largeNumbers(items, path) : []),
    ...(typeof additionalProperties === 'object' ? largeNumbers(additionalProperties, path) : []),
  ];
};

const schemaOf = (of: z.ZodType): Schema =>
  z.toJSONSchema(of, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema;

// Guarantee: a number in a request fits an `integer`, or is one of these: they are stored in wider columns, or not at all.
test('numbers of every request', () => {
  const routes = createApiRoutes(createApp(false), {
    authorize: () => {
      throw new Error('nothing is asked here');
    },
  });
  bindFeatures(routes, running().api.context);
  const large = routes.endpoints.flatMap((endpoint: Endpoint) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const of = endpoint[part];
      return of ? largeNumbers(schemaOf(of), `${endpoint.method} ${endpoint.path} ${part}`) : [];
    }),
  );
  expect([...new Set(large)].sort()).toEqual([
    // Compared with the age up to which a message is said.
    'POST /api/internal/bot/chat/messages body.messages.ageMs',
    // Must follow the last one, from 0.
    'POST /api/internal/bot/guild-members body.number',
    // Compared with the price.
    'POST /api/internal/discord/orders body.expectedTotal',
    'POST /api/orders body.expectedTotal',
    'POST /api/orders/preview body.expectedTotal',
    // Up to 2^31, in a `bigint`.
    'POST /api/servers/:serverId/mods/uploads body.bytes',
    // In JSON; more than the most pieces waits for a person.
    'POST /api/store/webhooks/:shop body.lines.quantity',
    // Kept in memory only.
    'PUT /api/internal/bot/status body.latencyMs',
    'PUT /api/internal/bot/status body.traffic.errors.count',
    'PUT /api/internal/bot/status body.traffic.errors.status',
    'PUT /api/internal/bot/status body.traffic.failingChannels',
    'PUT /api/internal/bot/status body.traffic.oldestWaitMs',
    'PUT /api/internal/bot/status body.traffic.waiting',
    // A place in a file.
    'PUT /api/servers/:serverId/mods/uploads/:upload query.from',
  ]);
});
