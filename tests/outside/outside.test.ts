import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import * as rights from '#contracts/identity/permissions.ts';
import { auditActions } from '#contracts/kernel/audit-actions.ts';
import { eventKinds } from '#contracts/kernel/event-kinds.ts';
import { clientMessage, liveCloseCodes, liveTopics, serverMessage } from '#contracts/kernel/live.ts';
import { problems } from '#contracts/kernel/problems.ts';
import { observabilityHttp } from '#contracts/operations/observability.ts';
import { settingsSections } from '#contracts/operations/settings.ts';
import { sectionJsonSchema } from '#contracts/operations/settings-fields.ts';
import { portalHttp } from '#contracts/portal/portal.ts';
import * as agents from '#contracts/servers/agent-protocol.ts';
import type { TestDatabase } from '#harness/database.ts';
import { portalDatabase, startTestPortal } from '#harness/portal.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { stackEnv } from '#runtime/stack-config.ts';
import { portalEnv } from '../../portal/config.ts';
import { apiDatabase } from '../../server/kernel/testing/api-database.ts';
import { ask } from '../../server/kernel/testing/ask.ts';
import { silentLog } from '../../server/kernel/testing/feature-api.ts';
import { startTestApi } from '../../server/kernel/testing/test-api.ts';
import { schemaSql } from './schema-sql.ts';
import { tableTypes } from './table-types.ts';

/**
 * What others rely on: released desktops, agents, homes, shops and programs of owners. A change here is a change for them, so its
 * commit says why; `npx vitest run --project integration tests/outside -u` then writes the new state.
 */
const frozen = (file: string) => resolve(import.meta.dirname, file);

/** Texts for people may change, and so does the version with each release. */
const freeToChange: readonly string[] = ['description', 'summary', 'version'];
const withoutTexts = (name: string, value: unknown): unknown =>
  freeToChange.includes(name) && typeof value === 'string' ? undefined : value;

/** The first three levels on lines of their own, so that a difference shows what changed and an operation stays one line. */
const asLines = (value: unknown, level = 0): string => {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (level === 3 || entries.length === 0) return JSON.stringify(value, withoutTexts);
  const indent = ' '.repeat(level + 1);
  const lines = entries.map(([name, entry]) =>
    Array.isArray(value)
      ? indent + asLines(entry, level + 1)
      : `${indent}${JSON.stringify(name)}: ${asLines(entry, level + 1)}`,
  );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${' '.repeat(level)}${close}`;
};

const asJson = (value: unknown): string => `${asLines(JSON.parse(JSON.stringify(value, withoutTexts)))}\n`;

const sorted = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The order of paths and schemas is the one in which domains bind their routes, and no promise. */
const byName = (document: Readonly<Record<string, unknown>>): unknown => {
  const { paths, components } = document as Record<'paths' | 'components', Record<string, unknown>>;
  const { schemas } = components as Record<'schemas', Record<string, unknown>>;
  return { ...document, paths: sorted(paths), components: { ...components, schemas: sorted(schemas) } };
};

const shape = (schema: z.ZodType): unknown => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
};

const shapes = (schemas: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, value]) => [name, value instanceof z.ZodType ? shape(value) : value]),
  );

const mapped = <Entry>(
  entries: Readonly<Record<string, Entry>>,
  to: (entry: Entry) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, to(entry)]));

const writeAgain = 'npx vitest run --project integration tests/outside -u';

/** Of the API or the portal, after all migrations. */
interface DatabaseFiles {
  /** Begins the files' first sentences, such as "The API's". */
  readonly whose: string;
  readonly schema: string;
  /** The folder of tables.ts and column-types.ts. */
  readonly folder: string;
  /** The type that has all tables. */
  readonly name: string;
}

const expectDatabase = async (
  { url }: TestDatabase,
  { whose, schema, folder, name }: DatabaseFiles,
): Promise<void> => {
  await using database = openDatabase({ url, applicationName: 'schema', log: silentLog });
  const sql = `-- ${whose} database after all migrations, as a reference: no program reads this file.
-- tests/outside/outside.test.ts writes it. Do not edit it: change the migrations, then run
--   ${writeAgain}

${await schemaSql(database.pool)}`;
  await expect(sql, `The schema has changed. Run: ${writeAgain}`).toMatchFileSnapshot(frozen(schema));
  const file = (named: string) => frozen(`${folder}/${named}`);
  const types = `// ${whose} tables as types, from its database after all migrations and from column-types.ts.
// tests/outside/outside.test.ts writes this file; only its comments are written by hand, and stay. For the rest, change the
// migrations or column-types.ts, then run
//   ${writeAgain}

${await tableTypes(database.pool, {
  name,
  former: await readFile(file('tables.ts'), 'utf8'),
  columnTypes: await readFile(file('column-types.ts'), 'utf8'),
})}`;
  await expect(types, `The schema or column-types.ts has changed. Run: ${writeAgain}`).toMatchFileSnapshot(
    file('tables.ts'),
  );
};

// Guarantee: the API's calls and its database change only on purpose.
test('the API', async () => {
  await using database = await apiDatabase();
  await expectDatabase(database, {
    whose: "The API's",
    schema: '../../docs/schema.sql',
    folder: '../../server/kernel/database',
    name: 'Tables',
  });
  await using api = await startTestApi({ databaseUrl: database.url });
  const { json } = await ask(api.port, observabilityHttp.openApi.path);
  await expect(asJson(byName(json))).toMatchFileSnapshot(frozen('api.snap'));
});

// Guarantee: so do the portal's.
test('the portal', async () => {
  await using database = await portalDatabase();
  await expectDatabase(database, {
    whose: "The license portal's",
    schema: '../../docs/schema-portal.sql',
    folder: '../../portal/database',
    name: 'PortalTables',
  });
  await using portal = await startTestPortal({ databaseUrl: database.url });
  const answer = await fetch(portal.url + portalHttp.openApi.path);
  await expect(asJson(await answer.json())).toMatchFileSnapshot(frozen('portal.snap'));
});

// Guarantee: what agents and panels exchange with the API, and the names that roles, alarms and files use, change only on purpose.
test.for([
  ['agents.snap', shapes(agents)],
  [
    'live.snap',
    { clientMessage: shape(clientMessage), serverMessage: shape(serverMessage), liveCloseCodes, liveTopics },
  ],
  ['problems.snap', mapped(problems, ({ status }) => status)],
  ['permissions.snap', rights],
  ['audit-actions.snap', auditActions],
  [
    'event-kinds.snap',
    mapped(eventKinds, ({ payload, severity }) => ({
      severity: typeof severity === 'function' ? 'by its payload' : severity,
      payload: shape(payload),
    })),
  ],
  ['settings.snap', mapped(settingsSections, sectionJsonSchema)],
  ['environment.snap', { stack: shape(stackEnv), portal: shape(portalEnv) }],
] as const)('%s', async ([file, value]) => {
  await expect(asJson(value)).toMatchFileSnapshot(frozen(file));
});
