import { expect, test } from 'vitest';
import { serverSection } from './server-section.ts';

const linuxRoot = { platform: 'linux', isRoot: true } as const;
const windows = { platform: 'win32', isRoot: false } as const;
const holder = { by: 'holder', command: ['./start.sh'] };

const faults = (value: unknown, machine: Parameters<typeof serverSection>[0] = linuxRoot) =>
  (serverSection(machine).safeParse(value).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

// Guarantee: omitted settings allow nothing and start nothing.
test('defaults', () => {
  expect(serverSection(linuxRoot).parse({ folder: '/srv/games//ark/' })).toEqual({
    folder: '/srv/games/ark/',
    start: { by: 'none' },
    allow: { power: false, files: false, mods: false },
  });
  expect(serverSection(linuxRoot).parse({ folder: '/a', start: holder }).start).toEqual({
    ...holder,
    account: null,
  });
});

// Guarantee: folders with spaces, letters of any language and network drives are accepted; anything but an absolute path is not.
test('folders', () => {
  for (const folder of ['/srv/Größe von 遊戲', '/mnt/João – 方舟']) expect(faults({ folder })).toEqual([]);
  for (const folder of ['D:\\Jeux de société', '\\\\nas\\games\\ark', 'd:/games'])
    expect(faults({ folder }, windows)).toEqual([]);
  for (const folder of ['ark', './ark', '', 'a\0b']) expect(faults({ folder })).not.toEqual([]);
  for (const folder of ['\\games', 'games', 'D:games']) expect(faults({ folder }, windows)).not.toEqual([]);
});

// Guarantee: each wrong start setting is reported in words that name the remedy.
test.each([
  [{ by: 'systemd', unit: 'a.service' }, windows, /"systemd", which this system does not have/],
  [{ by: 'windows-service', service: 'x' }, linuxRoot, /"windows-service", which this system does not have/],
  [{ by: 'systemd', unit: '--user' }, linuxRoot, /must be the name of a unit/],
  [{ by: 'systemd', unit: 'a/../b.service' }, linuxRoot, /must be the name of a unit/],
  [{ by: 'systemd', unit: 'game.target' }, linuxRoot, /must be the name of a unit/],
  [{ by: 'windows-service', service: '/x' }, windows, /must be the name of a service/],
  [{ by: 'holder', command: './start.sh' }, linuxRoot, /must be a list of texts/],
  [{ by: 'holder', command: [] }, linuxRoot, /is empty/],
  [{ by: 'holder', command: ['a\0'] }, linuxRoot, /no program accepts/],
  [{ ...holder, account: 'steam' }, { platform: 'linux', isRoot: false } as const, /agent that runs as root/],
  [{ ...holder, account: 'steam' }, windows, /for Linux only/],
  [{ ...holder, account: '-rf' }, linuxRoot, /name of an account/],
  [{ ...holder, shell: true }, linuxRoot, /Unrecognized|not known/],
  [{ by: 'ssh' }, linuxRoot, /"by" is "holder"/],
])('start %j', (start, machine, expected) => {
  const folder = machine.platform === 'win32' ? 'C:\\g' : '/g';
  expect(faults({ folder, start }, machine).join('\n')).toMatch(expected);
});
