import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { discordHttp } from '#contracts/discord/discord.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { stackControl } from '#contracts/operations/stack.ts';
import type { ModFile } from '#contracts/servers/agent-mods.ts';
import { askDesktop, beLicensed, openDesktopMachine } from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import { currentPrograms } from '#harness/panel-programs.ts';
import { privateAuthority } from '#harness/private-authority.ts';
import { openReleaseServer } from '#harness/release-server.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { startFileHost } from '#simulators/file-host.ts';
import { type HttpsServer, startTlsFront } from '#simulators/https-server.ts';
import { type ModSources, openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { callSupervisor } from '../../../electron/control/control-client.ts';
import { type HeadlessHome, headlessHome } from '../../../electron/testing/headless-home.ts';
import { startFakePortal } from '../../../runtime/license/testing/fake-portal.ts';

const licenseKey = 'CSTL-0000-0000-0000-0000';
const root = 'Example Company Root';
const authority = privateAuthority(root);
const opened = new AsyncDisposableStack();
let folder: TemporaryFolder;
let discord: Discord;
let sources: ModSources;
let home: HeadlessHome;
/** Only with these variables is the authority in the store of the system, as OpenSSL knows it. */
let trusting: Readonly<Record<string, string>>;
let fronts: Readonly<Record<'portal' | 'discord' | 'modrinth' | 'steam', HttpsServer>>;
let castellan: string;

const portOf = (url: string) => Number(new URL(url).port);
const front = async (url: string) => opened.use(await startTlsFront(authority, portOf(url)));

beforeAll(async () => {
  folder = opened.use(await temporaryFolder('outside'));
  const store = join(folder.path, 'system-store.pem');
  await writeFile(store, authority.cert);
  trusting = { SSL_CERT_FILE: store };
  const portal = opened.use(await startFakePortal(() => Date.now()));
  discord = opened.use(await startDiscord());
  sources = opened.use(await openModSources());
  fronts = {
    portal: await front(portal.url),
    discord: await front(discord.url),
    modrinth: await front(sources.modrinthUrl),
    steam: await front(sources.steamUrl),
  };
  castellan = join(opened.use(await currentPrograms()).path, 'castellan.mjs');
  home = opened.use(await headlessHome());
  await home.writeEnv([
    `LICENSE_SERVER_URL=${fronts.portal.url}`,
    `LICENSE_SERVER_PUBLIC_KEY=${portal.key.publicKey}`,
    `DISCORD_API_URL=${fronts.discord.url}/api`,
    `DISCORD_GATEWAY_URL=${fronts.discord.url.replace('https', 'wss')}/`,
    `DISCORD_BOT_TOKEN=${usualBot.token}`,
    `MODRINTH_API_URL=${fronts.modrinth.url}/modrinth`,
    `STEAM_API_URL=${fronts.steam.url}/steam`,
  ]);
});
afterAll(() => opened.disposeAsync());

/** Runs a program to its end. */
const run = (args: readonly string[], env: Readonly<Record<string, string>>, input = '') =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const options = { env: { ...systemEnv(), CASTELLAN_HOME: home.path, ...env } };
    const child = execFile(process.execPath, [...args], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });

// Guarantee: what only the system's store trusts, the command line trusts; without it, it names who signed and what to do.
test('the command line', async () => {
  const refused = await run([castellan, 'license', 'activate'], {}, `${licenseKey}\n`);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(`signed by “${root}”`);
  expect(refused.stderr).toContain('TRUSTED_CA_FILE');
  expect(await run([castellan, 'license', 'activate'], trusting, `${licenseKey}\n`)).toMatchObject({
    code: 0,
  });
  const bundle = await run([castellan, 'diagnostics', '--out', folder.path], trusting);
  for (const [name, url] of Object.entries(fronts).map(([name, { url }]) => [name, url] as const))
    expect(bundle.stdout, name).toContain(`(${url}): reached directly in `);
  expect(bundle.stdout).toContain(`signed by ${root} (this computer's store)`);
  expect(bundle.stdout).toContain(`(${fronts.discord.url.replace('https', 'wss')}): reached directly`);
});

// Guarantee: so do the processes that a supervisor starts: the bot signs in over REST and gateway, and the API's check reaches Discord.
test('the service', async () => {
  const child = spawn(process.execPath, [castellan, 'start'], {
    env: { ...systemEnv(), CASTELLAN_HOME: home.path, ...trusting },
    stdio: 'ignore',
  });
  try {
    await eventually(async () => {
      expect((await callSupervisor(home.path, stackControl.status))?.state).toBe('running');
    }, 90_000);
    await eventually(async () => expect(discord.gateway.sessions.size).toBeGreaterThan(0), 60_000);
    const password = 'correct horse battery staple';
    await run([castellan, 'admin', 'create', '--name', 'Zoe', '--role', 'owner'], {}, password);
    const ask = async (path: string, body: object, token = '') => {
      const response = await fetch(`http://127.0.0.1:${home.apiPort}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Record<string, string>;
    };
    const session = await ask(sessionsHttp.signIn.path, { name: 'Zoe', password, transport: 'bearer' });
    const asked = { token: usualBot.token, clientId: '', guildId: '' };
    expect(await ask(discordHttp.test.path, asked, session.token)).toMatchObject({ outcome: 'fine' });
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});

// Guarantee: a Game Agent downloads a mod from such a server.
test('a mod', async () => {
  const host = opened.use(
    await startFileHost({ tls: authority.issue(['localhost', '127.0.0.1']), host: '127.0.0.1' }),
  );
  const content = Buffer.from('a mod');
  host.put('/one.jar', content);
  const file: ModFile = {
    name: 'one.jar',
    bytes: content.length,
    hashes: { sha512: createHash('sha512').update(content).digest('hex') },
    from: { kind: 'address', url: host.url('/one.jar'), key: null },
  };
  const program = resolve(import.meta.dirname, '../../../agent/mods/downloads/testing/fetch-main.ts');
  const question = JSON.stringify({
    file,
    cacheFolder: join(folder.path, 'cache'),
    allowHosts: [host.hostPort],
  });
  expect((await run([program, question], trusting)).stdout).toContain(`whole ${file.hashes.sha512}`);
});

// Guarantee: so does the desktop: activation, the check with Discord, and the update check, whose Chromium has another store.
test('the desktop', { tags: 'desktop' }, async () => {
  await using machine = await openDesktopMachine();
  const releases = opened.use(await temporaryFolder('releases'));
  const server = opened.use(await openReleaseServer(releases.path));
  const updates = await front(server.url);
  const portal = await front(machine.portal.url);
  await server.publish({ version: '9.9.9', installer: Buffer.from('an installer') });
  await writeFile(
    join(machine.programs, 'update-source.json'),
    JSON.stringify({ url: `${updates.url}/`, publicKeys: [server.publicKey] }),
  );
  const lines = { LICENSE_SERVER_URL: portal.url, MODRINTH_API_URL: `${fronts.modrinth.url}/modrinth` };
  const addresses = {
    DISCORD_API_URL: `${fronts.discord.url}/api`,
    DISCORD_GATEWAY_URL: `${fronts.discord.url.replace('https', 'wss')}/`,
    STEAM_API_URL: `${fronts.steam.url}/steam`,
  };
  await editEnvFile(join(machine.home, '.env'), { ...lines, ...addresses });
  const appImage = join(folder.path, 'Castellan.AppImage');
  await writeFile(appImage, '', { mode: 0o755 });
  await using desktop = await machine.start({ env: { ...trusting, APPIMAGE: appImage } });
  const page = await desktop.page();
  await beLicensed(page, machine.licenseKey);
  const state = await askDesktop(page, 'updates.check');
  expect(state.trouble).toBeNull();
  expect(state.offer?.version).toBe('9.9.9');
  const { addresses: used } = await askDesktop(page, 'addresses.list');
  const tested = await Promise.all(used.map(({ kind }) => askDesktop(page, 'addresses.test', { kind })));
  for (const one of tested)
    expect(one, one?.kind).toMatchObject({ fault: null, signedBy: { name: root, source: 'system' } });
  expect(used.map(({ kind }) => kind)).toEqual(['license-portal', 'modrinth', 'steam', 'updates']);
  expect(JSON.parse(await readFile(join(machine.home, 'system-proxy.json'), 'utf8'))).toMatchObject({
    proxy: '',
  });
});
