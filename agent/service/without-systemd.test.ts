import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { withoutSystemd } from './without-systemd.ts';

// Guarantee: where no systemd runs, the words name what starts services there (Alpine and Gentoo, Void, WSL as installed), and the
// command that it has to start.
test.each([
  [['run/openrc/softlevel'], /OpenRC .*rc-update add.*: castellan-agent run/],
  [['run/runit/stopit'], /runit .*\/etc\/sv.*: castellan-agent run/],
  [['run/s6/services'], /s6 start/],
  [['run/dinitctl'], /dinit start/],
  [['proc/version'], /WSL.*systemd=true.*wsl --shutdown/],
  [['proc/version', '.dockerenv'], /container.*: castellan-agent run/],
  [[], /container.*: castellan-agent run/],
])('%j', async (files, words) => {
  await using root = await temporaryFolder('without-systemd');
  for (const file of files) {
    await mkdir(dirname(join(root.path, file)), { recursive: true });
    await writeFile(join(root.path, file), 'Linux version 6.6.87.2-microsoft-standard-WSL2');
  }
  expect(withoutSystemd('castellan-agent run', root.path)).toMatch(words);
});
