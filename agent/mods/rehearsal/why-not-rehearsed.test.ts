import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownWorker } from '../folder/folder-worker.ts';
import { openRehearsedServer } from './testing/rehearsed-server.ts';
import { type RehearsedConfig, whyNotRehearsed } from './why-not-rehearsed.ts';

// Guarantee: nothing is started beside a server that would reach beyond its copy.
test('what cannot be rehearsed', async () => {
  const it = await openRehearsedServer();
  const { config, folder } = it;
  const { server } = config;
  if (!server) throw new Error('no server');
  const started = (...command: [string, ...string[]]): RehearsedConfig => ({
    ...config,
    server: { ...server, start: { by: 'holder', command, account: null } },
  });
  expect(await whyNotRehearsed(config, ownWorker)).toBeNull();
  expect(await whyNotRehearsed({ ...config, game: 'ark-asa' }, ownWorker)).toContain('is not rehearsed');
  expect(await whyNotRehearsed({ ...config, server: null }, ownWorker)).toContain('holder');
  expect(
    await whyNotRehearsed(
      { ...config, server: { ...server, start: { by: 'systemd', unit: 'a.service' } } },
      ownWorker,
    ),
  ).toContain('holder');
  expect(
    await whyNotRehearsed(started('java', '-jar', 'server.jar', '--port', '25565'), ownWorker),
  ).toContain('--port');
  expect(await whyNotRehearsed(started('java', '-Xmx900000G', '-jar', 'server.jar'), ownWorker)).toContain(
    'memory',
  );
  for (const outside of [`--plugins=${folder}-data/plugins`, `-I${folder}`])
    expect(await whyNotRehearsed(started('java', outside), ownWorker), outside).toContain(
      'begins as that of the server',
    );
  await writeFile(join(folder, 'bukkit.yml'), 'settings:\n  world-container: /srv/worlds\n');
  expect(await whyNotRehearsed(config, ownWorker)).toContain('outside its folder');
  await writeFile(join(folder, 'bukkit.yml'), 'settings:\n  world-container: worlds\n');
  expect(
    await whyNotRehearsed(
      started('java', '-agentlib:jdwp=transport=dt_socket,address=5005', '-jar', 'a.jar'),
      ownWorker,
    ),
  ).toContain('-agentlib:jdwp');
  for (const line of [
    `cd "${folder}"`,
    'cd /srv/mc && java -jar a.jar',
    'exec screen -dmS mc java -jar a.jar',
    'cd ~/mc',
  ]) {
    await writeFile(join(folder, 'run.sh'), `#!/bin/sh\n${line}\n`);
    expect(await whyNotRehearsed(started('./run.sh'), ownWorker), line).toContain('run.sh');
    expect(await whyNotRehearsed(started('/bin/bash', join(folder, 'run.sh')), ownWorker), line).toContain(
      'run.sh',
    );
  }
  await writeFile(join(folder, 'run.sh'), '#!/bin/sh\n# cd /srv/mc\ncd "$(dirname "$0")"\njava -jar a.jar\n');
  expect(await whyNotRehearsed(started('./run.sh'), ownWorker)).toBeNull();
  await symlink('/tmp', join(folder, 'plugins'));
  expect(await whyNotRehearsed(config, ownWorker)).toContain('link to a folder');
});
