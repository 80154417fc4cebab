import { readdir, readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';
import { permissionNames } from '#contracts/identity/permissions.ts';
import { eventKindNames } from '#contracts/kernel/event-kinds.ts';
import { problemCodes } from '#contracts/kernel/problems.ts';
import { settingsSections } from '#contracts/operations/settings.ts';
import { queueNames } from '../../server/kernel/queues/queues.ts';
import {
  type Category,
  type DeclaredNames,
  namesWithoutEffect,
  type Sources,
} from './names-without-effect.ts';
import { type SourceUses, usesIn } from './source-uses.ts';

const root = resolve(import.meta.dirname, '../..');
const programs = ['agent', 'bot', 'contracts', 'electron', 'games', 'portal', 'runtime', 'server'];

const declared: DeclaredNames = {
  permissions: permissionNames,
  problems: problemCodes,
  events: eventKindNames,
  queues: queueNames,
  settings: Object.entries(settingsSections).flatMap(([section, { fields }]) =>
    Object.keys(fields).map((field) => `${section}.${field}`),
  ),
};

/** Names that are ready for a planned feature, each with the feature. A name leaves this list once it has an effect. */
const awaited: Readonly<Record<Category, Readonly<Record<string, string>>>> = {
  permissions: {},
  problems: {},
  events: {},
  queues: {},
  settings: {
    'external-services.steamApiKey': 'mods',
    'external-services.modrinthApiKey': 'mods',
  },
  variables: {},
};

const langOf = (path: string) => (path.endsWith('x') ? 'tsx' : 'ts');

const readSources = async (): Promise<Sources> => {
  const sources = new Map<string, SourceUses>();
  for (const program of programs) {
    const names = await readdir(join(root, program), { recursive: true });
    for (const name of names) {
      const path = join(program, name).replaceAll(sep, '/');
      if (!/\.tsx?$/.test(path) || /\.test\.tsx?$|\/testing\//.test(path)) continue;
      sources.set(path, usesIn(await readFile(join(root, path), 'utf8'), langOf(path)));
    }
  }
  return sources;
};

// Guarantee: every declared name has an effect: no setting that changes nothing, no permission that opens nothing, no code,
// event or queue that never occurs, no variable that is never read.
test('no name without an effect', async () => {
  const found = namesWithoutEffect(await readSources(), declared);
  const sorted = Object.entries(found).map(([category, names]) => [category, [...names].sort()]);
  const expected = Object.entries(awaited).map(([category, names]) => [category, Object.keys(names).sort()]);
  expect(Object.fromEntries(sorted)).toEqual(Object.fromEntries(expected));
});

const madeUp = (texts: Readonly<Record<string, string>>): Sources =>
  new Map(Object.entries(texts).map(([path, text]) => [path, usesIn(text, langOf(path))]));

const used: Readonly<Record<string, string>> = {
  'contracts/identity/permissions.ts': `export const permissions = { 'cakes.read': 'See the cakes' };`,
  'contracts/cakes.ts': `export const list = endpoint({ access: 'cakes.read', problems: ['CAKE_GONE'] });`,
  'runtime/stack-config.ts': `
    export const stackEnv = z.object({ OVEN_PORT: port, OVEN_TLS: z.string().optional() }).check(() => true);
    const toConfig = (env: Env) => ({ ovenPort: env.OVEN_PORT, tls: env.OVEN_TLS && { file: resolve(env.OVEN_TLS) } });`,
  'portal/config.ts': `const portalEnv = z.object({ PORTAL_OVEN: port });
    export const read = () => { const env = readEnv(portalEnv); return { oven: env.PORTAL_OVEN }; };`,
  'portal/serve.ts': `listen(options.config.oven);`,
  'bot/config.ts': `const botEnv = z.object({ OVEN_PORT: port });
    export const read = () => { const env = readEnv(botEnv); return { ovenPort: env.OVEN_PORT }; };`,
  'bot/main.ts': `use(config.ovenPort)`,
  'electron/stack/bot-env.ts': `const values = { OVEN_PORT: config.ovenPort };`,
  'server/cakes.tsx': `
    if (gone) throw new Problem('CAKE_GONE');
    await query(\`insert into event_logs (kind) values ('cake.baked')\`);
    const worker = { queue: 'bake' as const };
    const { sugar } = await settings.values('kitchen');
    const key = await settings.secret('kitchen', 'ovenKey');
    const { tls } = config;`,
};
const cakes: DeclaredNames = {
  permissions: ['cakes.read'],
  problems: ['CAKE_GONE'],
  events: ['cake.baked'],
  queues: ['bake'],
  settings: ['kitchen.sugar', 'kitchen.ovenKey'],
};
const none = { permissions: [], problems: [], events: [], queues: [], settings: [], variables: [] };

test('every way in which a name has an effect is known', () => {
  expect(namesWithoutEffect(madeUp(used), cakes)).toEqual(none);
});

// Guarantee: this check can fail: a mere mention, as a type, a comparison, a key, a comment or an import, is no effect.
test.each<[Category, string, Readonly<Record<string, string>>]>([
  [
    'permissions',
    'cakes.read',
    { 'contracts/cakes.ts': `export const words = { 'cakes.read': call(nothing) };` },
  ],
  ['permissions', 'cakes.read', { 'contracts/cakes.ts': `type Access = 'cakes.read'; // 'cakes.read'` }],
  ['problems', 'CAKE_GONE', { 'server/cakes.tsx': `if (problem.code === 'CAKE_GONE') retry();` }],
  ['problems', 'CAKE_GONE', { 'server/cakes.tsx': `switch (code) { case 'CAKE_GONE': retry(); }` }],
  ['problems', 'CAKE_GONE', { 'server/cakes.tsx': `const answer = code as 'CAKE_GONE';` }],
  ['events', 'cake.baked', { 'server/cakes.tsx': `const icons = { 'cake.baked': cake };` }],
  ['queues', 'bake', { 'server/cakes.tsx': `import { bake } from 'bake';` }],
  ['settings', 'kitchen.sugar', { 'server/cakes.tsx': `const { salt } = settings.values('kitchen');` }],
  ['settings', 'kitchen.ovenKey', { 'server/cakes.tsx': `const { ovenKey } = settings.values('hall');` }],
  ['variables', 'OVEN_TLS', { 'server/cakes.tsx': `const { port } = config;` }],
  ['variables', 'PORTAL_OVEN', { 'portal/serve.ts': `listen(options.oven);` }],
])('%s: %s is missed', (category, name, changed) => {
  expect(namesWithoutEffect(madeUp({ ...used, ...changed }), cakes)[category]).toContain(name);
});

// Guarantee: a variable that is only passed on to the bot has an effect as long as the bot reads it.
test('a variable for the bot', () => {
  const variables = (changed: Readonly<Record<string, string>>) =>
    namesWithoutEffect(madeUp({ ...used, 'bot/main.ts': '', ...changed }), cakes).variables;
  expect(variables({})).toEqual(['OVEN_PORT']);
  expect(variables({ 'bot/config.ts': '' })).toEqual(['OVEN_PORT']);
});
