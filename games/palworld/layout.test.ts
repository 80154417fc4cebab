import { expect, test } from 'vitest';
import { palworldLayout } from './layout.ts';
import { palworld } from './palworld.ts';

const root = '/srv/PalServer';

// Guarantee: a running server is found by its program or by the script that starts it.
test.each([
  [`${root}/Pal/Binaries/Linux/PalServer-Linux-Shipping`, ['PalServer-Linux-Shipping', 'Pal'], root],
  [`${root}/Pal/Binaries/Linux/PalServer-Linux-Test`, ['Pal'], root],
  ['/usr/bin/bash', ['/bin/sh', './PalServer.sh', '-port=8211'], root],
  ['C:\\pal\\Pal\\Binaries\\Win64\\PalServer-Win64-Shipping-Cmd.exe', ['Pal'], 'C:\\pal'],
  ['C:\\pal\\PalServer.exe', ['PalServer.exe'], 'C:\\pal'],
  ['/usr/bin/java', ['java', '-jar', 'server.jar'], null],
])('%s', (executable, command, folder) => {
  expect(palworldLayout.folderOf({ executable, command, workingFolder: root })).toBe(folder);
});

test('its worlds', async () => {
  const folders = (there: readonly string[]) => ({
    read: async () => null,
    folders: async (path: string) => (path === 'Pal/Saved/SaveGames' ? [...there] : []),
    files: async () => [],
    links: async () => [],
  });
  expect(await palworld.saves.find(folders(['0']), [])).toMatchObject({ places: ['Pal/Saved/SaveGames/0'] });
  expect(await palworld.saves.find(folders([]), [])).toMatchObject({ places: [] });
});
