import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { openTestProxy } from '#harness/outside-servers.ts';
import { privateAuthority } from '#harness/private-authority.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { startTlsFront } from '#simulators/https-server.ts';

// Guarantee: behind a proxy that looks into TLS, the bot comes online: its requests and its gateway go through the proxy, and trust the
// company's authority of the system's store (discordjs/discord.js#10716, #3039).
test('the bot signs in through a proxy', async () => {
  await using folder = await temporaryFolder('outside');
  await using discord = await startDiscord();
  const company = privateAuthority('Example Corp TLS Inspection');
  const { port } = new URL(discord.apiUrl);
  await using front = await startTlsFront(company, Number(port), ['discord.example', 'gateway.example']);
  await using proxy = await openTestProxy(() => front.port);
  const root = join(folder.path, 'root.pem');
  await writeFile(root, company.cert);
  const bot = spawn(process.execPath, [resolve(import.meta.dirname, '../../bot/main.ts')], {
    env: {
      ...systemEnv(),
      SSL_CERT_FILE: root,
      DISCORD_BOT_TOKEN: usualBot.token,
      API_URL: 'http://127.0.0.1:1',
      INTERNAL_API_SECRET: 'of an API that is not there',
      DISCORD_API_URL: 'https://discord.example/api',
      DISCORD_GATEWAY_URL: 'wss://gateway.example/',
      OUTSIDE_PROXY: `http://me:p%40ss-word@127.0.0.1:${proxy.port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await using _ = {
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => bot.once('close', resolve));
      bot.kill('SIGKILL');
      await ended;
    },
  };
  let said = '';
  for (const stream of [bot.stdout, bot.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()));
  await eventually(() => expect(said).toContain(`Signed in as ${usualBot.name}.`), 30_000);
  expect(new Set(proxy.heads.map((head) => head.split(' ')[1]))).toEqual(
    new Set(['discord.example:443', 'gateway.example:443']),
  );
  expect(said).not.toMatch(/p(?:@|%40)ss-word/);
});
