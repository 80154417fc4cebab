import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { usesIn } from './source-uses.ts';

const server = resolve(import.meta.dirname, '../../server');
/** What these say reaches the panel in the reader's language, so each sentence stands in `contracts/reasons.ts`. */
const rooms = [
  'catalogue',
  'deliveries',
  'discounts',
  'entitlements',
  'orders',
  'points',
  'rewards',
  'seasons',
  'shops',
  'store-figures',
  'store-terms',
] as const;

/** Sentences that no one reads in the panel. */
const readElsewhere: readonly string[] = [
  // In both languages, for the chat of games.
  'rewards/claimed-text.ts',
  // At an outside shop, in its list of webhooks.
  'shops/receive-webhook.ts',
  'shops/shop-secrets.ts',
];

/** A sentence, or a part of one with values in it: what is thrown or logged begins small and ends without a full stop. */
const isSentence = (text: string): boolean =>
  /^[A-Z][a-z]* [a-z]/.test(text) || /[a-z] .*[a-z][.!?]$/.test(text);

const sentencesIn = (source: string): readonly string[] =>
  [...usesIn(source, 'ts').texts].filter((text) => isSentence(text));

// Guarantee: no sentence of the store, the shops, the rewards or the seasons stays in English in a panel that is read in Portuguese.
test.each(rooms)('%s says nothing without a code', async (room) => {
  const said: string[] = [];
  for await (const name of glob('**/*.ts', { cwd: join(server, room) })) {
    const path = `${room}/${name.replaceAll('\\', '/')}`;
    if (/\.test\.ts$|\/testing\//.test(path) || readElsewhere.includes(path)) continue;
    const sentences = sentencesIn(await readFile(join(server, path), 'utf8'));
    said.push(...sentences.map((sentence) => `${path}: ${sentence}`));
  }
  expect(said).toEqual([]);
});

test('what a sentence is', () => {
  const source = `
    refuse('CONFLICT', 'The codes were changed meanwhile.');
    refuse('CONFLICT', isLate ? 'It has ended.' : reasons['lasting-over']);
    refuse('CONFLICT', \`A shop has \${most} secrets: remove one first.\`);
    refuse('INVALID_REQUEST', 'body.wipedAt: must not be in the future.');
    throw new Error('an order was given that is not known');
    log.info({ id }, 'event of an outside shop');
    sql\`select from products where id = \${id} and name = \${name} for update\`;`;
  expect(sentencesIn(source)).toEqual([
    'The codes were changed meanwhile.',
    'It has ended.',
    'A shop has ',
    ' secrets: remove one first.',
    'body.wipedAt: must not be in the future.',
  ]);
});
