import { afterEach, expect, test, vi } from 'vitest';

const keptWith = (timeZone: string) =>
  JSON.stringify({
    state: { community: { name: 'Otters', language: null, logo: null, timeZone } },
    version: 1,
  });

const openPanel = async (kept: string) => {
  const storage = { getItem: () => kept, setItem: () => undefined, removeItem: () => undefined };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('window', { localStorage: storage });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.resetModules();
  return (await import('./community-state.ts')).presentCommunity();
};
afterEach(() => vi.unstubAllGlobals());

// Guarantee: a stored time zone that this browser does not support never reaches a formatter, which would throw at every time.
test('a stored time zone', async () => {
  expect(await openPanel(keptWith('America/Sao_Paulo'))).toMatchObject({
    name: 'Otters',
    timeZone: 'America/Sao_Paulo',
  });
  expect(await openPanel(keptWith('Mars/Olympus'))).toMatchObject({ name: 'Otters', timeZone: null });
});
