// @module-tag identity

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { stackHealth } from '#contracts/operations/health.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { playersHttp, serverPlayers } from '#contracts/people/players.ts';
import type { PowerAction, ProcessState } from '#contracts/servers/agent-tasks.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { gameIds } from '#contracts/servers/games.ts';
import { powerHttp } from '#contracts/servers/power.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { type Demo, startDemo } from '#harness/demo.ts';
import { eventually } from '#harness/eventually.ts';
import { killsEverywhere } from '#harness/kill-count.ts';
import { currentPrograms } from '#harness/panel-programs.ts';
import { isAlive } from '#harness/script.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';

const run = promisify(execFile);

let programs: TemporaryFolder;
let demo: Demo;
beforeAll(async () => {
  // That the demo builds its programs, and the agent's afterwards, is for `npm-scripts.test.ts`.
  programs = await currentPrograms();
  demo = await startDemo(undefined, { discord: true, programs: programs.path });
});
afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  await programs?.[Symbol.asyncDispose]();
});

const castellan = async (...args: string[]) => {
  const program = join(programs.path, 'castellan.mjs');
  return (await run(process.execPath, [program, ...args, '--home', demo.info.home])).stdout;
};

const health = async () => {
  const response = await fetch(`${demo.info.apiUrl}/api/health`);
  expect(response.status).toBe(200);
  return stackHealth.parse(await response.json());
};

const healthyAgain = () =>
  eventually(async () => {
    expect((await health()).status).toBe('ok');
  }, 30_000);

const component = async (name: string) => {
  const status = JSON.parse(await castellan('status', '--json'));
  return status.components.find((one: { name: string }) => one.name === name);
};

// Guarantee: one short command starts a portal, issues a license, starts a healthy licensed stack, and says where everything is.
test('the demo is what its ready line says', async () => {
  const { info } = demo;
  expect(Object.keys(info).sort()).toEqual([
    'admin',
    'apiUrl',
    'databaseUrl',
    'discord',
    'home',
    'hwid',
    'licenseKey',
    'licensePublicKey',
    'pids',
    'portalDatabaseUrl',
    'portalUrl',
    'servers',
    'store',
  ]);
  expect(await health()).toMatchObject({ status: 'ok', license: 'valid' });
  for (const pid of Object.values(info.pids)) expect(isAlive(pid)).toBe(true);
  for (const url of [info.databaseUrl, info.portalDatabaseUrl]) {
    const client = new pg.Client({ connectionString: url.replace(/\?.*/, '') });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  }
});

const mostMiB = 150;

// Guarantee: the demo itself is small.
test('the memory of the demo', async () => {
  const status = await readFile(`/proc/${demo.info.pids.demo}/status`, 'utf8');
  expect(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024).toBeLessThan(mostMiB);
});

// Guarantee: the demo says what it does while a person waits, and the command that it prints works as it is printed.
test('what the demo prints', async () => {
  const steps = ['starting the portal …', 'starting the stack …', 'starting simulated game servers'];
  const at = steps.map((step) => demo.said.findIndex((line) => line.startsWith(step)));
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  expect(at).not.toContain(-1);
  const command = demo.said.find((line) => line.trim().startsWith('npm run castellan'))?.trim() ?? '';
  expect(command).toContain(demo.info.home);
  const { stdout } = await run('sh', ['-c', command]);
  expect(stdout).toContain('Castellan is running');
});

// Guarantee: with a simulated Discord, the bot is signed in on the server that the ready line names, and its page shows it.
test('the simulated Discord', async () => {
  const { discord } = demo.info;
  expect(Object.keys(discord?.channelIds ?? {})).toEqual(['welcome', 'status', 'events', 'chat']);
  await eventually(async () =>
    expect((await health()).components.bot.detail).toBe(
      'connected: Signed in as Castellan Bot. It works on the Discord server The Keep.',
    ),
  );
  const page = await fetch(discord?.url ?? '');
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<!doctype html>')]);
});

// Guarantee: the chat of a simulated game and a channel of the simulated Discord are linked: a person at the page sees the chat
// and can take part.
test('the chat relay', { timeout: 180_000 }, async () => {
  const { discord, home } = demo.info;
  const url = discord?.url ?? '';
  const channel = discord?.channelIds.chat ?? '';
  const look = async () => {
    const seen = await fetch(`${url}/look?${new URLSearchParams({ channel, member: '' })}`);
    return (await seen.json()) as {
      member: string;
      messages: { content: string; webhook_id?: string; author: { username: string } }[];
    };
  };
  const patienceMs = 90_000;
  await eventually(
    async () => expect((await look()).messages.some(({ webhook_id }) => webhook_id)).toBe(true),
    patienceMs,
  );
  const { member } = await look();
  const said = 'hello from the page';
  const act = { kind: 'message', member, channel, locale: 'en-US', content: said };
  const acted = await fetch(`${url}/act`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(act),
  });
  expect(acted.status).toBe(200);
  const gameLog = join(home, 'games', 'minecraft.log');
  await eventually(
    async () => expect(await readFile(gameLog, 'utf8')).toMatch(/\[Discord\] .+: hello from the page/),
    patienceMs,
  );
  expect((await look()).messages.filter(({ content }) => content.includes(said))).toHaveLength(1);
});

// Guarantee: the simulated Discord shows who joins and leaves, and the state of each server.
test('events and status', { timeout: 180_000 }, async () => {
  const { discord, servers } = demo.info;
  const titles = async (channel = '') => {
    const seen = await fetch(`${discord?.url}/look?${new URLSearchParams({ channel, member: '' })}`);
    const { messages } = (await seen.json()) as { messages: { embeds: { title?: string }[] }[] };
    return messages.flatMap(({ embeds }) => embeds.map(({ title = '' }) => title));
  };
  await eventually(async () => {
    const shown = await titles(discord?.channelIds.status);
    expect(shown.length).toBe(servers.length);
    for (const { name } of servers) expect(shown.join()).toContain(name);
    expect((await titles(discord?.channelIds.events)).length).toBeGreaterThan(0);
  }, 90_000);
});

// Guarantee: the token is a plain Ed25519 JWT that a program without our libraries can verify.
test('openssl verifies the token from the raw public key', { tags: 'openssl' }, async () => {
  await using folder = await temporaryFolder('openssl');
  const record = JSON.parse(await readFile(join(demo.info.home, 'license.json'), 'utf8'));
  const [header = '', payload = '', signature = ''] = String(record.token).split('.');
  const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
  const der = Buffer.concat([spkiPrefix, Buffer.from(demo.info.licensePublicKey, 'base64url')]);
  const file = (name: string) => join(folder.path, name);
  await writeFile(file('key.der'), der);
  await writeFile(file('signed'), `${header}.${payload}`);
  await writeFile(file('signature'), Buffer.from(signature, 'base64url'));
  const key = ['-pubin', '-inkey', file('key.der'), '-keyform', 'DER'];
  const verify = [
    'pkeyutl',
    '-verify',
    ...key,
    '-rawin',
    '-in',
    file('signed'),
    '-sigfile',
    file('signature'),
  ];
  expect((await run('openssl', verify)).stdout).toContain('Verified Successfully');
  await writeFile(file('signed'), `${header}.${payload}x`);
  await expect(run('openssl', verify)).rejects.toThrow();
});

// Guarantee: each game that the product knows is there once and online, answers a command, one of them through its Game Agent, and
// its players are shown.
test('the simulated games', { timeout: 180_000 }, async () => {
  const { apiUrl, servers, admin } = demo.info;
  const { token } = (await (
    await fetch(apiUrl + sessionsHttp.signIn.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...admin, transport: 'bearer' }),
    })
  ).json()) as { token: string };
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  expect(servers.map(({ game }) => game).toSorted()).toEqual(gameIds.toSorted());
  expect(servers[0]?.game).toBe('minecraft');
  for (const [game, command, via] of [
    ['minecraft', 'list', 'agent'],
    ['ark-asa', 'ListPlayers', 'direct'],
    ['seven-days-to-die', 'lp', 'direct'],
    ['ark-se', 'ListPlayers', 'direct'],
    ['palworld', 'players', 'direct'],
  ]) {
    const serverIds = servers.filter((server) => server.game === game).map(({ id }) => id);
    const answer = await fetch(apiUrl + consoleHttp.run.path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ serverIds, command }),
    });
    expect(await answer.json()).toMatchObject({ entries: [{ outcome: 'answered', via }] });
  }
  const listed = await fetch(apiUrl + gameServersHttp.list.path, { headers });
  const { rows: shown } = gameServersHttp.list.response.parse(await listed.json());
  expect(shown.map(({ status }) => status.state)).toEqual(servers.map(() => 'online'));
  // A game is asked for its players every half minute, and less often if it has not answered; its players come and go.
  const patienceMs = 120_000;
  await eventually(async () => {
    const online = await fetch(apiUrl + playersHttp.online.path, { headers });
    const { rows } = z.object({ rows: z.array(serverPlayers) }).parse(await online.json());
    expect(rows).toHaveLength(servers.length);
    for (const { players } of rows) expect(players?.length).toBeGreaterThan(0);
  }, patienceMs);
});

/** The game that the demo's agent holds, and its holder, as recorded on the disk. */
const held = async () => {
  const text = await readFile(join(demo.info.home, 'games', 'power', 'holder.json'), 'utf8');
  const pid = z.object({ pid: z.int() });
  return z.object({ holder: pid, game: pid }).parse(JSON.parse(text));
};

// Guarantee: one game is a process that its agent holds: a kill is reported with its last lines and the game comes back; the
// panel's buttons stop and start it.
test('the game that an agent manages', { timeout: 180_000, tags: 'night' }, async () => {
  const { apiUrl, admin, servers } = demo.info;
  const signedIn = await fetch(apiUrl + sessionsHttp.signIn.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...admin, transport: 'bearer' }),
  });
  const { token } = (await signedIn.json()) as { token: string };
  const path = apiUrl + powerHttp.read.path.replace(':serverId', servers[0]?.id ?? '');
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const read = async () => powerHttp.read.response.parse(await (await fetch(path, { headers })).json());
  const act = async (action: PowerAction) => {
    const body = JSON.stringify({ action, countdownSeconds: 0 });
    expect((await fetch(path, { method: 'POST', headers, body })).status).toBe(200);
  };
  const patienceMs = 60_000;
  const before = await read();
  expect(before).toMatchObject({
    obstacle: null,
    lastCrash: null,
    machine: { startMethod: 'holder', allows: { power: true } },
    process: { report: { state: 'running' } },
  });
  expect(JSON.stringify(before)).not.toContain((await readFile(passwordFile(), 'utf8')).trim());
  const { pid } = (await held()).game;
  process.kill(pid, 'SIGKILL');
  await eventually(async () => {
    const { lastCrash, process: now } = await read();
    expect(lastCrash).toMatchObject({ signal: 'SIGKILL' });
    expect(lastCrash?.lines.join()).toContain('RCON running');
    expect(now?.report).toMatchObject({ state: 'running', crashes: 1 });
    expect(now?.report.pid).not.toBe(pid);
  }, patienceMs);
  await act('stop');
  /** The act ends a moment after its state is reported. */
  const settled = (state: ProcessState) =>
    eventually(
      async () => expect(await read()).toMatchObject({ act: null, process: { report: { state } } }),
      patienceMs,
    );
  await settled('stopped');
  await act('start');
  await settled('running');
});
const passwordFile = () => join(demo.info.home, 'games', 'password.txt');

// Guarantee: the store sells, and its member's order is in the game: each line was delivered, and paid with points.
test('the store', async () => {
  const { apiUrl, admin, store } = demo.info;
  const { productId = '', memberId = '' } = store ?? {};
  const signedIn = await fetch(apiUrl + sessionsHttp.signIn.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...admin, transport: 'bearer' }),
  });
  const { token } = (await signedIn.json()) as { token: string };
  const read = async (path: string) =>
    (await fetch(apiUrl + path, { headers: { Authorization: `Bearer ${token}` } })).json();
  const product = storeHttp.read.response.parse(await read(storeHttp.read.path.replace(':id', productId)));
  expect(product).toMatchObject({ isEnabled: true, notForSale: null });
  const member = membersHttp.read.response.parse(await read(membersHttp.read.path.replace(':id', memberId)));
  expect(member.balance).toBe(1000 - product.price);
  const { rows } = deliveriesHttp.list.response.parse(
    await read(`${deliveriesHttp.list.path}?memberId=${memberId}`),
  );
  expect(rows.map(({ state, certainty }) => [state, certainty])).toEqual(
    product.lines.map(() => ['delivered', 'proven']),
  );
});

// Guarantee: the command writes what an agent needs, readable only by its owner, and overwrites nothing.
test('castellan agent config', async () => {
  await using folder = await temporaryFolder('agent-config');
  const out = join(folder.path, 'config.json');
  expect(await castellan('agent', 'config', 'the quarry', '--out', out)).toContain('--check');
  const config = JSON.parse(await readFile(out, 'utf8'));
  const [quarry] = demo.info.servers;
  expect(config).toMatchObject({ serverId: quarry?.id, game: 'minecraft', console: { port: quarry?.port } });
  const used = JSON.parse(await readFile(join(demo.info.home, 'games', 'config.json'), 'utf8'));
  expect(config.secret).toBe(used.secret);
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  await expect(castellan('agent', 'config', 'The Quarry', '--out', out)).rejects.toThrow(/already exists/);
  await expect(castellan('agent', 'config', 'nowhere', '--out', `${out}2`)).rejects.toThrow(/no game server/);
});

// Guarantee: every killed component comes back by itself, and nothing that was committed is lost.
const killed = killsEverywhere ? ['api', 'postgres', 'bot'] : ['api'];
test.each(killed)('kill -9 on %s heals', { tags: ['kills', 'night'] }, async (name) => {
  await healthyAgain();
  const before = await component(name);
  const began = performance.now();
  process.kill(before.pid, 'SIGKILL');
  await eventually(async () => {
    const now = await component(name);
    expect(now.pid).not.toBe(before.pid);
    expect(now.state).toBe('running');
  }, 30_000);
  await healthyAgain();
  process.stdout.write(`kill -9 on ${name}: healthy after ${Math.round(performance.now() - began)} ms\n`);
  expect((await component(name)).restarts).toBe(before.restarts + 1);
});

// Guarantee: the operator's SQL is limited, and each statement adds an audit row.
test('castellan sql reads, is limited, and is audited', async () => {
  const rows = JSON.parse(await castellan('sql', '--json', 'select 1 as one'));
  expect(JSON.stringify(rows)).toContain('"one":1');
  await expect(castellan('sql', 'drop table audit_logs')).rejects.toThrow();
  await expect(castellan('sql', 'select rolname, rolpassword from pg_authid')).rejects.toThrow();
  // What would undo its audit row.
  await expect(castellan('sql', '/* unseen */ rollback')).rejects.toThrow(/ROLLBACK is not possible/);
  await expect(castellan('sql', 'select 1; select 2')).rejects.toThrow(/multiple commands/);
  const audit = await castellan('sql', '--json', "select detail from audit_logs where actor = 'operator'");
  expect(audit).toContain('select 1 as one');
});

// Guarantee: a suspended license closes the whole API, does not make the supervisor restart it, and recovers once resumed.
test('suspend and resume, end to end', { tags: 'night' }, async () => {
  const vendor = (...args: string[]) =>
    run(process.execPath, [join(programs.path, 'portal.mjs'), 'license', ...args], {
      env: { ...process.env, PORTAL_HOME: join(demo.info.home, 'portal') },
    });
  const { restarts } = await component('api');
  await vendor('suspend', demo.info.licenseKey);
  await castellan('restart', 'api');
  await eventually(async () => {
    const response = await fetch(`${demo.info.apiUrl}/api/anything`);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'SUSPENDED', license: { state: 'rejected' } });
  });
  await eventually(async () => {
    const status = JSON.parse(await castellan('status', '--json'));
    expect(status.state).toBe('unlicensed');
  });
  expect(await component('api')).toMatchObject({ state: 'running', restarts });
  await vendor('resume', demo.info.licenseKey);
  await castellan('restart', 'api');
  await healthyAgain();
});

// Guarantee: Ctrl-C ends everything within five seconds and leaves no process, port or file.
test('ending the demo leaves nothing', async () => {
  const status = JSON.parse(await castellan('status', '--json'));
  const { holder, game } = await held();
  const pids = [
    holder.pid,
    game.pid,
    ...Object.values(demo.info.pids),
    ...status.components.map(({ pid }: { pid: number }) => pid),
  ];
  const exited = once(demo.process, 'exit');
  demo.process.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  await eventually(() => expect(pids.filter(isAlive)).toEqual([]), 5000);
  await expect(stat(demo.info.home)).rejects.toThrow(/ENOENT/);
});
