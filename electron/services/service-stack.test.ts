import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { wellBehaved, writePrograms } from '../testing/stand-ins.ts';
import { writeServiceEnvs } from './service-env.ts';
import { openServiceStack } from './service-stack.ts';

const server = { url: 'https://portal.example', publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

// Guarantee: no variable of the bot's service that holds a secret reaches its log, even if the bot prints all of them.
test('what the service of the bot is told stays out of its log', async () => {
  await using folder = await temporaryFolder('service-stack');
  const home = join(folder.path, 'home');
  await mkdir(join(home, 'logs'), { recursive: true });
  const settings = [
    'HTTPS_PROXY=me:pass-word@proxy.example:8080',
    'DISCORD_BOT_TOKEN=the-token-of-the-discord-bot',
    'NO_PROXY=portal.example',
  ];
  await writeFileAtomically(stackEnvPath(home), `${settings.join('\n')}\n`, 0o600);
  await ensureEnv(home, server);
  const config = await readStackConfig(home);
  await writeServiceEnvs(home, config);
  const programsFolder = await writePrograms(join(folder.path, 'programs'), {
    bot: `console.log(Object.entries(process.env).map((pair) => pair.join('=')).join(' '), 'the end'); ${wellBehaved}`,
  });
  await using stack = await openServiceStack({
    component: 'bot',
    home,
    programsFolder,
    node: process.execPath,
    onChange: () => undefined,
    complain: () => undefined,
  });
  await stack.start();
  const log = await eventually(async () => {
    const text = await readFile(join(home, 'logs/bot.log'), 'utf8');
    expect(text).toContain('the end');
    return text;
  });
  expect(log).toContain('OUTSIDE_PROXY=[redacted]');
  expect(log).toContain('OUTSIDE_NO_PROXY=portal.example');
  for (const secret of ['pass-word', 'the-token-of', config.internalApiSecret.reveal()])
    expect(log).not.toContain(secret);
});
