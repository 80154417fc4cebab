import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SettingsSection, settingsHttp, settingsSection } from '#contracts/operations/settings.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { type Notifications, openNotifications } from '../kernel/database/notifications.ts';
import { inspectSecrets } from '../kernel/secrets/inspect-secrets.ts';
import { createSecrets, demandReadable } from '../kernel/secrets/secrets.ts';
import { type Answer, ask } from '../kernel/testing/ask.ts';
import {
  type MigratedDatabase,
  migratedDatabase,
  serveFeature,
  silentLog,
} from '../kernel/testing/feature-api.ts';
import { bindSettingsRoutes } from './settings/settings.routes.ts';
import { settingsSecrets } from './settings/settings-secrets.ts';
import { createSettings, type Settings } from './settings.ts';

const newKey = () => new Secret(randomBytes(32).toString('hex'));
const canary = 'canary-of-the-settings-0123456789';

let owned: AsyncDisposableStack;
let database: MigratedDatabase;
let key: Secret;
beforeEach(async () => {
  owned = new AsyncDisposableStack();
  database = owned.use(await migratedDatabase());
  key = newKey();
});
afterEach(() => owned.disposeAsync());

interface Process {
  readonly settings: Settings;
  readonly notifications: Notifications;
  readonly patch: (section: string, body: unknown) => Promise<Answer>;
  readonly section: (name: string) => Promise<SettingsSection>;
}

/** The settings as in one process: with its own cache, listening connection and listener. */
const startProcess = async (...keys: [Secret, ...Secret[]]): Promise<Process> => {
  const notifications = owned.use(openNotifications(database.url, silentLog));
  const settings = createSettings({ db: database.db, secrets: createSecrets(keys), notifications });
  const { port } = owned.use(await serveFeature((routes) => bindSettingsRoutes(routes, settings)));
  return {
    settings,
    notifications,
    patch: (section, body) =>
      ask(port, `/api/settings/${section}`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async section(name) {
      const { json } = await ask(port, settingsHttp.list.path);
      const found = settingsSection
        .array()
        .parse(json.sections)
        .find((each) => each.name === name);
      if (!found) throw new Error(`no section ${name}`);
      return found;
    },
  };
};

const auditRows = () => database.db.selectFrom('audit_logs').selectAll().orderBy('id').execute();

// Guarantee: a panel gets everything a form needs: schema, labels in both languages, values, and for secrets only whether
// they are set.
test('the description of the sections', async () => {
  const { section } = await startProcess(key);
  const general = await section('general');
  expect(general).toMatchObject({
    version: 0,
    title: { en: 'General', 'pt-BR': 'Geral' },
    values: { communityName: 'My community', timeZone: 'UTC', language: 'en' },
    secrets: {},
  });
  expect(general.schema).toMatchObject({
    type: 'object',
    properties: { language: { enum: ['en', 'pt-BR'], default: 'en' }, communityName: { maxLength: 200 } },
  });
  const services = await section('external-services');
  expect(services.schema).toMatchObject({ properties: { steamApiKey: { writeOnly: true } } });
  expect(services.values).toEqual({});
  expect(services.secrets.steamApiKey).toEqual({ set: false, keyId: null, fault: null });
});

// Guarantee: a change names only what it changes; its audit row has the values before and after.
test('a partial change', async () => {
  const { patch, section, settings } = await startProcess(key);
  const changed = await patch('general', { version: 0, values: { timeZone: 'America/Sao_Paulo' } });
  expect(changed.json).toMatchObject({
    version: 1,
    values: { communityName: 'My community', timeZone: 'America/Sao_Paulo' },
  });
  expect(await section('general')).toEqual(changed.json);
  expect((await settings.values('general')).timeZone).toBe('America/Sao_Paulo');
  expect(await auditRows()).toMatchObject([
    {
      action: 'settings.change',
      target: 'settings:general',
      before: { timeZone: 'UTC' },
      after: { timeZone: 'America/Sao_Paulo' },
    },
  ]);
});

// Guarantee: of changes based on the same version one is saved and the others are refused; none is lost silently.
test('a lost update', async () => {
  const { patch, section } = await startProcess(key);
  const answers = await Promise.all(
    ['One', 'Two', 'Three', 'Four'].map((communityName) =>
      patch('general', { version: 0, values: { communityName } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.json.code).toBe('CONFLICT');
  const winner = answers.find(({ status }) => status === 200);
  expect((await section('general')).values).toEqual(winner?.json.values);
  expect(await auditRows()).toHaveLength(1);
});

// Guarantee: a chat word stands for one command, however it is written: giving it to a second one is refused at its field,
// and nothing is saved. Words that were used twice before a command was added do not block other changes.
test('a word for two commands', async () => {
  const { patch, section } = await startProcess(key);
  for (const word of ['loja', 'LOJA', 'ｌｏｊａ']) {
    const refused = await patch('chat-shop', { version: 0, values: { buyWords: `buy ${word}` } });
    expect([refused.status, refused.json.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(refused.json.errors).toEqual([
      {
        path: 'body.values.buyWords',
        message: `must share no word with shopWords: “${word}” is already used there`,
        code: 'WORD_TAKEN',
        values: [word, 'shop loja'],
      },
    ]);
  }
  const both = await patch('chat-shop', { version: 0, values: { buyWords: 'köp', shopWords: 'KÖP' } });
  expect((both.json.errors as { path: string }[]).map(({ path }) => path)).toEqual([
    'body.values.shopWords',
    'body.values.buyWords',
  ]);
  expect(await section('chat-shop')).toMatchObject({ version: 0, values: { buyWords: 'buy comprar' } });

  const swapped = { shopWords: 'buy comprar', buyWords: 'shop loja' };
  expect(await patch('chat-shop', { version: 0, values: swapped })).toMatchObject({ status: 200 });
  await database.pool.query(`update settings set values = values || '{"claimWords": "claim redeem"}'`);
  const opened = await patch('chat-shop', { version: 1, values: { isOpen: true } });
  expect(opened).toMatchObject({ status: 200 });
  expect((await patch('chat-shop', { version: 2, values: { claimWords: 'Redeem' } })).status).toBe(400);
});

// Guarantee: a sensitive value is written and never read back: not in answers, not in the audit log, not in the table.
test('a sensitive field is set, kept and cleared', async () => {
  const { patch, section, settings } = await startProcess(key);
  const services = 'external-services';
  const set = await patch(services, { version: 0, values: { steamApiKey: canary } });
  const { keyId } = createSecrets([key]);
  expect(set.json).toMatchObject({ version: 1, secrets: { steamApiKey: { set: true, keyId, fault: null } } });
  const kept = await patch(services, { version: 1, values: { curseforgeApiKey: `${canary}-2` } });
  expect(kept.json).toMatchObject({
    secrets: { steamApiKey: { set: true }, curseforgeApiKey: { set: true } },
  });
  const opened = await settings.secret(services, 'steamApiKey');
  expect(opened && demandReadable(opened).reveal()).toBe(canary);
  const cleared = await patch(services, { version: 2, values: { steamApiKey: null } });
  expect(cleared.json).toMatchObject({
    secrets: { steamApiKey: { set: false }, curseforgeApiKey: { set: true } },
  });
  expect(await settings.secret(services, 'steamApiKey')).toBeNull();
  const rows = await auditRows();
  expect(rows.map(({ after }) => after)).toEqual([
    { steamApiKey: 'changed' },
    { curseforgeApiKey: 'changed' },
    { steamApiKey: 'cleared' },
  ]);
  const stored = await database.db.selectFrom('settings_secrets').selectAll().execute();
  const everything = JSON.stringify([set.text, kept.text, rows, stored, await section(services)]);
  expect(everything).not.toContain(canary);
});

// Guarantee: an invalid value is refused by its field and saves nothing; no answer repeats what was sent.
test.each([
  ['an unknown field', 'general', { [canary]: 1 }, 'body.values'],
  ['a secret in a plain field', 'general', { language: canary }, 'body.values.language'],
  ['no time zone', 'general', { timeZone: `Mars/${canary}` }, 'body.values.timeZone'],
  ['a plain field cleared', 'general', { communityName: null }, 'body.values.communityName'],
  ['an inherited name', 'general', { constructor: canary }, 'body.values'],
  [
    'a secret that is no text',
    'external-services',
    { steamApiKey: { [canary]: canary } },
    'body.values.steamApiKey',
  ],
  [
    'a secret with spaces',
    'external-services',
    { steamApiKey: `${canary} ${canary}` },
    'body.values.steamApiKey',
  ],
  [
    'a secret that is too long',
    'external-services',
    { curseforgeApiKey: canary.repeat(100) },
    'body.values.curseforgeApiKey',
  ],
])('%s', async (_what, name, values, path) => {
  const { patch, section } = await startProcess(key);
  const answer = await patch(name, { version: 0, values: { ...values } });
  expect(answer.json).toMatchObject({ status: 400, code: 'INVALID_REQUEST', errors: [{ path }] });
  expect(answer.text).not.toContain(canary);
  expect((await section(name)).version).toBe(0);
});

// Guarantee: what one process caches is dropped when another process saves.
test('two processes', async () => {
  const one = await startProcess(key);
  const two = await startProcess(key);
  const name = async () => (await two.settings.values('general')).communityName;
  expect(await name()).toBe('My community');
  await one.patch('general', { version: 0, values: { communityName: 'Renamed' } });
  await eventually(async () => expect(await name()).toBe('Renamed'));
  await one.patch('general', { version: 1, values: { communityName: 'Again' } });
  await eventually(async () => expect(await name()).toBe('Again'));
});

// Guarantee: while the listening connection is cut nothing stale is served, and it is opened again.
test('a cut listening connection', async () => {
  const { settings } = await startProcess(key);
  const cut = () =>
    database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'castellan-api-listen'`,
    );
  const listens = () =>
    eventually(async () => {
      const { rowCount } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and query = 'listen "castellan_settings"'`,
      );
      expect(rowCount).toBe(1);
    });
  await listens();
  expect((await settings.values('general')).communityName).toBe('My community');
  await cut();
  await database.pool.query(
    `insert into settings values ('general', 1, '{"communityName": "Changed elsewhere"}')`,
  );
  await eventually(async () =>
    expect((await settings.values('general')).communityName).toBe('Changed elsewhere'),
  );
  await listens();
});

// Guarantee: a swapped, truncated or foreign ciphertext is reported as unreadable, by its field; no other row's secret comes out.
test('a ciphertext that was moved', async () => {
  const { patch, section, settings } = await startProcess(key);
  await patch('external-services', {
    version: 0,
    values: { steamApiKey: `${canary}-steam`, curseforgeApiKey: `${canary}-curse` },
  });
  await database.pool.query(
    `update settings_secrets a set sealed = b.sealed from settings_secrets b where a.field <> b.field`,
  );
  const other = await startProcess(key);
  for (const field of ['steamApiKey', 'curseforgeApiKey'] as const) {
    expect((await section('external-services')).secrets[field]).toMatchObject({
      set: true,
      fault: 'damaged',
    });
    const opened = await other.settings.secret('external-services', field);
    expect(opened).toMatchObject({ outcome: 'unreadable', fault: 'damaged' });
    expect(() => opened && demandReadable(opened)).toThrow(
      expect.objectContaining({ code: 'SECRET_UNREADABLE', status: 409 }),
    );
  }
  expect(await settings.secret('external-services', 'modrinthApiKey')).toBeNull();
});

// Guarantee: under another key a secret is unreadable, saving other fields leaves its ciphertext alone, and only entering it
// again replaces it.
test('an unreadable ciphertext is overwritten by an explicit save alone', async () => {
  const before = await startProcess(key);
  await before.patch('external-services', { version: 0, values: { steamApiKey: canary } });
  const sealed = async () =>
    (await database.pool.query(`select sealed from settings_secrets where field = 'steamApiKey'`)).rows[0]
      ?.sealed;
  const old = await sealed();
  const after = await startProcess(newKey());
  await after.patch('external-services', { version: 1, values: { curseforgeApiKey: canary } });
  expect(await sealed()).toBe(old);
  expect((await after.section('external-services')).secrets.steamApiKey).toMatchObject({
    fault: 'unknown-key',
  });
  expect(await after.settings.secret('external-services', 'steamApiKey')).toMatchObject({
    fault: 'unknown-key',
    what: '"Steam API key" in the settings',
  });
  await after.patch('external-services', { version: 2, values: { steamApiKey: canary } });
  expect((await after.section('external-services')).secrets.steamApiKey).toMatchObject({ fault: null });
});

// Guarantee: values and secrets of a section from an older version stay where they are and obstruct nothing.
test('what is stored for a section that is gone', async () => {
  const { patch, section } = await startProcess(key);
  const secrets = createSecrets([key]);
  const sealed = secrets.seal(settingsSecrets, ['notifications', 'webhookUrl'], new Secret(canary));
  await database.pool.query(`insert into settings values ('notifications', 1, '{"level": "alert"}')`);
  await database.pool.query(`insert into settings_secrets values ('notifications', 'webhookUrl', $1)`, [
    sealed,
  ]);
  expect((await section('general')).values.communityName).toBe('My community');
  const saved = await patch('general', { version: 0, values: { communityName: 'Renamed' } });
  expect(saved).toMatchObject({ status: 200 });
  expect(await patch('notifications', { version: 1, values: {} })).toMatchObject({ status: 400 });
  expect(await inspectSecrets(database.db, [settingsSecrets], secrets)).toMatchObject({
    total: 1,
    unreadable: 0,
  });
  const other = await inspectSecrets(database.db, [settingsSecrets], createSecrets([newKey()]));
  expect(other.faults).toEqual([
    { secret: 'notifications.webhookUrl in the settings', fault: 'unknown-key' },
  ]);
});
