// @module-tag slow

import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { type HeadlessHome, headlessHome, pidsOf } from '../testing/headless-home.ts';
import { wellBehaved, writePrograms } from '../testing/stand-ins.ts';

let home: HeadlessHome;
beforeEach(async () => {
  home = await headlessHome();
});
afterEach(() => home[Symbol.asyncDispose]());

// Guarantee: a secret that was changed is cut out of the logs for as long as something may still run with it.
test('an old secret stays out of the logs', async () => {
  const old = 'the-old-secret-of-the-agents';
  await writePrograms(home.programs, {
    bot: `setInterval(() => console.log('still ${old}, then the-new-secret-of-the-agents'), 100); ${wellBehaved}`,
  });
  await home.writeEnv([`GAME_AGENT_SECRET=${old}`]);
  home.launch();
  await home.whenRuns();
  await appendFile(stackEnvPath(home.path), 'GAME_AGENT_SECRET=the-new-secret-of-the-agents\n');
  expect(await home.run('restart', 'api')).toMatchObject({ exitCode: 0 });
  const log = () => readFile(join(home.path, 'logs/bot.log'), 'utf8');
  await eventually(async () => expect(await log()).toContain('still [redacted], then [redacted]'));
  expect(await log()).not.toContain(old);
});

// Guarantee: the bot gets its own variables and no other secret; no secret reaches a log or a process argument.
test('who is told what', async () => {
  const token = 'the-token-of-the-discord-bot';
  await writePrograms(home.programs, {
    bot: `console.log(JSON.stringify({ env: process.env })); console.log(process.env.INTERNAL_API_SECRET);
      process.on('message', ({ type, id }) => (type === 'stop' ? process.exit() : process.send({ type: 'pong', id })));
      process.on('disconnect', () => process.exit());`,
  });
  await home.writeEnv([`DISCORD_BOT_TOKEN=${token}`, 'LOG_LEVEL=warn']);
  home.launch();
  const stack = await home.whenRuns();
  // It counts as running once it answers; its output is written a little later.
  const log = await eventually(async () => {
    const text = await readFile(join(home.path, 'logs/bot.log'), 'utf8');
    expect(text.split('\n').length).toBeGreaterThan(2);
    return text;
  });
  const { env } = JSON.parse(log.split('\n')[0] ?? '');
  const own = Object.keys(env).filter((name) => !(name in systemEnv()));
  expect(own.sort()).toEqual(['API_URL', 'DISCORD_BOT_TOKEN', 'INTERNAL_API_SECRET', 'LOG_LEVEL']);
  const settings = await readFile(stackEnvPath(home.path), 'utf8');
  const secrets = [
    ...settings.matchAll(/^(?:\w+_SECRET|CONFIG_ENCRYPTION_KEY|DISCORD_BOT_TOKEN)=(.+)$/gm),
  ].map(([, value]) => value ?? '');
  expect(secrets).toHaveLength(4);
  const logs = await Promise.all(
    (await readdir(join(home.path, 'logs'))).map((name) => readFile(join(home.path, 'logs', name), 'utf8')),
  );
  const args = await Promise.all(
    [...pidsOf(stack), stack.pid].map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')),
  );
  for (const secret of [...secrets, 'a-password-of-the-api'])
    expect([...logs, ...args].join('\n')).not.toContain(secret);
});
