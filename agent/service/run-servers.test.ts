import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { openTestProxy } from '#harness/outside-servers.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { agentHome } from '../configuration/agent-home.ts';
import { startAgentProcess } from '../testing/agent-process.ts';
import { runServers } from './run-servers.ts';

const config = (name: string, password = 'console-password') => ({
  apiUrl: 'http://127.0.0.1:9',
  serverId: name,
  secret: 'a-secret-long-enough',
  game: 'minecraft',
  console: { port: 9, password },
});

const openHome = async (path: string) => {
  const home = agentHome(path, {});
  const put = async (id: string, content: unknown) => {
    await mkdir(dirname(home.configPath(id)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(home.configPath(id), text, { mode: 0o600 });
  };
  const count = (text: string, pattern: RegExp) => text.match(new RegExp(pattern, 'g'))?.length ?? 0;
  return { home, put, count };
};

// Guarantee: one process runs all servers; a broken one is named and stops no other; only a server that is added, changed or
// removed is started, restarted or stopped.
test('servers come, change and go', async () => {
  await using folder = await temporaryFolder('run');
  const { home, put, count } = await openHome(join(folder.path, 'home Ж'));
  await put('one', config('one'));
  await put('broken', '{"secret": "hidden-value-here');
  await using agent = startAgentProcess('run', '--home', home.folder);
  const saw = (pattern: RegExp, times = 1) =>
    eventually(() => expect(count(agent.stderr(), pattern)).toBe(times), 20_000);
  await saw(/running server="one"/);
  await saw(/is not JSON[^\n]* server="broken"|is not JSON/);
  await put('two', config('two'));
  await saw(/running server="two"/);
  await put('broken', config('broken'));
  await saw(/running server="broken"/);
  await put('one', config('one', 'another-password'));
  await saw(/running server="one"/, 2);
  await rm(home.serverFolder('two'), { recursive: true });
  await saw(/configuration removed; stopping server="two"/);
  expect(count(agent.stderr(), /running server="broken"/)).toBe(1);
  agent.kill('SIGTERM');
  expect(await agent.exited).toBe(0);
  const kept = await readFile(join(home.folder, 'agent.log'), 'utf8');
  expect(kept).toBe(agent.stderr());
  for (const secret of ['a-secret-long-enough', 'console-password', 'hidden-value'])
    expect(kept).not.toContain(secret);
});

// Guarantee: the proxy that a server's configuration names leads all servers of the machine to an API outside the network, and no log
// has its password.
test('a proxy to the API', async () => {
  await using folder = await temporaryFolder('run');
  await using proxy = await openTestProxy(() => 'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\n\r\n');
  const { home, put } = await openHome(join(folder.path, 'home'));
  const outside = { proxy: `http://me:pass-word@127.0.0.1:${proxy.port}` };
  await put('one', { ...config('one'), apiUrl: 'https://one.example' });
  await put('two', { ...config('two'), apiUrl: 'https://two.example', outside });
  await using agent = startAgentProcess('run', '--home', home.folder);
  const asked = () => new Set(proxy.heads.map((head) => head.split(' ')[1]));
  await eventually(() => expect(asked()).toEqual(new Set(['one.example:443', 'two.example:443'])), 60_000);
  await eventually(() => expect(agent.stderr()).toMatch(/does not accept the name and the password/), 60_000);
  agent.kill('SIGTERM');
  expect(await agent.exited).toBe(0);
  expect(agent.stderr()).not.toContain('pass-word');
});

// Guarantee: a server keeps its last good configuration while its file is broken.
test('a running one whose file breaks', async () => {
  await using folder = await temporaryFolder('run');
  const { home, put, count } = await openHome(folder.path);
  await put('one', config('one'));
  await using agent = startAgentProcess('run', '--home', home.folder);
  await eventually(() => expect(agent.stderr()).toContain('running server="one"'), 20_000);
  await put('one', '{');
  await eventually(() => expect(agent.stderr()).toContain('is not JSON'), 20_000);
  expect(agent.stderr()).not.toContain('configuration removed');
  await put('one', { ...config('one'), useWebSocket: false });
  await eventually(() => expect(count(agent.stderr(), /running server="one"/)).toBe(2), 20_000);
});

// Guarantee: a servers' folder that cannot be read is logged once, not at each look, and again when it was readable in between.
test('a folder that cannot be read', async () => {
  await using folder = await temporaryFolder('run');
  const home = agentHome(folder.path, {});
  const servers = join(folder.path, 'servers');
  const lines: string[] = [];
  const log = createLog({ component: 'agent', destination: { write: (line) => void lines.push(line) } });
  const looks = { failed: 0, done: 0 };
  const counted = async () => {
    try {
      const ids = await home.serverIds();
      looks.done += 1;
      return ids;
    } catch (error) {
      looks.failed += 1;
      throw error;
    }
  };
  const complaints = () => lines.filter((line) => line.includes("could not read the game servers' folder"));
  await writeFile(servers, '');
  await using _running = runServers({
    home: { ...home, serverIds: counted },
    logFor: () => log,
    log,
    events: { onConnection: () => undefined, onRelease: () => undefined, renewal: () => null },
    lookEveryMs: 5,
  });
  await eventually(() => expect(looks.failed).toBeGreaterThan(3));
  expect(complaints()).toHaveLength(1);
  await rename(servers, join(folder.path, 'aside'));
  await eventually(() => expect(looks.done).toBeGreaterThan(1));
  await rename(join(folder.path, 'aside'), servers);
  const before = looks.failed;
  await eventually(() => expect(looks.failed).toBeGreaterThan(before + 2));
  expect(complaints()).toHaveLength(2);
});

// Guarantee: a second agent with the same data folder exits and says why.
test('twice', async () => {
  await using folder = await temporaryFolder('run');
  await using first = startAgentProcess('run', '--home', folder.path);
  await eventually(() => expect(first.stderr()).toContain('starting Castellan'), 20_000);
  await using second = startAgentProcess('run', '--home', folder.path);
  expect(await second.exited).toBe(69);
  expect(second.stderr()).toContain('already');
});
