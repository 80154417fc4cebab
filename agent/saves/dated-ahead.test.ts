import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { noteDatedAhead } from './dated-ahead.ts';

// Guarantee: an agent that starts with an empty battery's clock forgets, once it is right, that all backups looked dated ahead; one
// that still is stays known.
test('a clock that was behind', async () => {
  await using folder = await temporaryFolder('ahead');
  const backups = [1, 2, 900].map((month) => ({
    name: `${month}`,
    at: new Date(Date.UTC(2026, month)).toISOString(),
  }));
  const noted = async (now: Date) => Object.keys(await noteDatedAhead(folder.path, backups, now));
  expect(await noted(new Date(Date.UTC(2000, 0)))).toEqual(['1', '2', '900']);
  expect(await noted(new Date(Date.UTC(2026, 6)))).toEqual(['900']);
  expect(await noted(new Date(Date.UTC(2026, 6)))).toEqual(['900']);
});
