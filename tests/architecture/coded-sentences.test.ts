import { glob, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { valueFaultOf } from '#contracts/kernel/value-faults.ts';
import { usesIn } from './source-uses.ts';

const root = resolve(import.meta.dirname, '../..');
/** The sentences of these files reach the panel in the reader's language, so each of them is in `contracts/kernel/reasons.ts`. */
const rooms = [
  'server/store/catalogue',
  'server/store/deliveries',
  'server/store/discounts',
  'server/store/entitlements',
  'server/store/orders',
  'server/store/points',
  'server/store/rewards',
  'server/store/seasons',
  'server/storefronts/shops',
  'server/store/store-figures',
  'server/store/orders.ts',
  'server/store/read-deliveries.ts',
  'server/store/sold-products.ts',
  'server/store/survivor-numbers.ts',
  // The state of servers, components and the bot.
  'server/servers/agents/agent-view.ts',
  'server/people/bans/inspect-bans.ts',
  'server/discord/bot-link',
  'server/servers/console-pool',
  'server/kernel/commands',
  'server/kernel/database/database-fault.ts',
  'server/kernel/database/latency.ts',
  'server/operations/health',
  'server/kernel/commands/lag.ts',
  'server/kernel/http/exposure.ts',
  'server/operations/health/secrets-health.ts',
  'server/servers/server-status',
  'games/ark/ark.ts',
  'games/console-check.ts',
  'games/link',
  'games/minecraft/minecraft.ts',
  'games/palworld/palworld.ts',
  'games/rest',
  'games/seven-days-to-die/seven-days-to-die.ts',
  'games/source-rcon',
  'games/telnet',
  'games/wire',
  'agent/game/game-view.ts',
  'agent/game/no-console.ts',
  'agent/game/server-state.ts',
  'bot/discord-connection.ts',
  'bot/discord-session.ts',
  'bot/settings-follower.ts',
  'bot/sign-in-verdict.ts',
] as const;

/** Sentences that never reach the panel. */
const readElsewhere: readonly string[] = [
  // Shown by an external shop, in its list of webhooks.
  'server/storefronts/shops/receive-webhook.ts',
  'server/storefronts/shops/shop-secrets.ts',
  // What the game itself says.
  'games/telnet/telnet.ts',
];

/** Schemas of values that only programs send: tokens, frames and releases. */
const forPrograms: ReadonlySet<string> = new Set(
  ['agent-protocol', 'audit-references', 'desktop-first-run', 'key-succession', 'licenses', 'stack'].map(
    (name) => `${name}.ts`,
  ),
);

const codeOf = (message: string): string =>
  valueFaultOf({ code: 'custom', path: [], message, input: undefined }).code;

/** A sentence, or a part of one with values in it: thrown and logged texts begin in lower case and end without a full stop. */
const isSentence = (text: string): boolean =>
  /^[A-Z][a-z]* [a-z]/.test(text) || /[a-z] .*[a-z][.!?]$/.test(text);

const sentencesIn = (source: string): readonly string[] =>
  [...usesIn(source, 'ts').texts].filter((text) => isSentence(text));

// Guarantee: no sentence of the store, the shops, the rewards or the seasons, and none about the state of a server or a component,
// stays in English in a panel that is read in Portuguese.
test.each(rooms)('%s says nothing without a code', async (room) => {
  const said: string[] = [];
  let files = 0;
  const pattern = room.endsWith('.ts') ? room : `${room}/**/*.ts`;
  for await (const name of glob(pattern, { cwd: root })) {
    const path = name.replaceAll('\\', '/');
    if (/\.test\.ts$|\/testing\//.test(path) || readElsewhere.includes(path)) continue;
    files += 1;
    const sentences = sentencesIn(await readFile(join(root, path), 'utf8'));
    said.push(...sentences.map((sentence) => `${path}: ${sentence}`));
  }
  expect(said).toEqual([]);
  expect(files, 'it has moved: name its new place in `rooms`').toBeGreaterThan(0);
});

// Guarantee: a schema's own message about a value has a code, so that forms word it in the reader's language.
test('messages of schemas', async () => {
  const bare: string[] = [];
  let files = 0;
  for await (const name of glob('contracts/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|(reasons|value-faults|-pt-br)\.ts$/.test(name) || forPrograms.has(basename(name)))
      continue;
    files += 1;
    const { texts } = usesIn(await readFile(join(root, name), 'utf8'), 'ts');
    for (const message of texts)
      if (/^(?:must|names) .*\S$/.test(message) && codeOf(message) === 'form')
        bare.push(`${name}: ${message}`);
  }
  expect(bare).toEqual([]);
  expect(files).toBeGreaterThan(100);
});

test('what a sentence is', () => {
  const source = `
    refuse('CONFLICT', 'The codes were changed meanwhile.');
    refuse('CONFLICT', isLate ? 'It has ended.' : reasons['lasting-over']);
    refuse('CONFLICT', \`A shop has \${most} secrets: remove one first.\`);
    refuse('INVALID_REQUEST', 'body.wipedAt: must not be in the future.');
    throw new Error('an order was given that is not known');
    log.info({ id }, 'external shop event');
    sql\`select from products where id = \${id} and name = \${name} for update\`;`;
  expect(sentencesIn(source)).toEqual([
    'The codes were changed meanwhile.',
    'It has ended.',
    'A shop has ',
    ' secrets: remove one first.',
    'body.wipedAt: must not be in the future.',
  ]);
});
