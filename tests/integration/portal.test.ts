import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { licensesHttp } from '#contracts/license/licenses.ts';
import { eventually } from '#harness/eventually.ts';
import { newHwid } from '#harness/portal.ts';
import { freePort } from '#harness/ports.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { programsFolder } from '../../build/bundle.ts';

const entry = join(programsFolder, 'portal.mjs');

let folder: TemporaryFolder;
let env: Record<string, string>;
let portal: ChildProcess | undefined;

beforeAll(async () => {
  folder = await temporaryFolder('portal');
  env = {
    ...systemEnv(),
    PORTAL_HOME: folder.path,
    PORTAL_PORT: '0',
    PORTAL_POSTGRES_PORT: String(await freePort()),
  };
});
afterAll(async () => {
  await stop('SIGTERM');
  await folder[Symbol.asyncDispose]();
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const runWith = (stdin: string, ...args: string[]): Promise<Ended> =>
  new Promise((settle) => {
    const child = execFile(process.execPath, [entry, ...args], { env }, (error, stdout, stderr) =>
      settle({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    );
    // A command that does not read stdin may end earlier.
    child.stdin?.on('error', () => undefined).end(stdin);
  });
const run = (...args: string[]): Promise<Ended> => runWith('', ...args);

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly lines: readonly string[];
}

const serve = async (more: Record<string, string> = {}): Promise<Running> => {
  const child = spawn(process.execPath, [entry], {
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  portal = child;
  const lines: string[] = [];
  const ready = Promise.withResolvers<number>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const { msg, port } = JSON.parse(line);
    if (msg === 'portal ready') ready.resolve(port);
  });
  child.once('exit', () => ready.reject(new Error(lines.join('\n'))));
  return { child, url: `http://127.0.0.1:${await ready.promise}`, lines };
};

const stop = async (signal: NodeJS.Signals): Promise<unknown> => {
  if (!portal || portal.exitCode !== null || portal.signalCode !== null) return;
  const exited = once(portal, 'exit');
  portal.kill(signal);
  const [code] = await exited;
  return code;
};

const postmasterPid = async () =>
  Number((await readFile(join(folder.path, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

const activate = async (url: string, licenseKey: string, hwid = newHwid()) => {
  const response = await fetch(url + licensesHttp.activate.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      licenseKey,
      hwid,
      instanceId: '7f0c1c6e-6a43-4b8e-9a57-3d8d2ac2b9d1',
      version: '1.0.0',
    }),
  });
  return { status: response.status, body: (await response.json()) as { token: string } };
};

// Guarantee: a first command on an empty machine creates everything it needs, also if two run at the same time, and leaves no
// process behind.
test('the first licenses are issued before any portal ran', async () => {
  const issue = (email: string) => json('license', 'issue', '--email', email, '--features', 'store,mods');
  const [issued, other] = await Promise.all([issue('first@example.com'), issue('second@example.com')]);
  expect(other.status).toBe('active');
  expect(issued).toMatchObject({
    licenseKey: expect.stringMatching(/^CSTL(-[0-9A-Z]{4}){4}$/),
    status: 'active',
    tier: 'standard',
    features: ['store', 'mods'],
    maxClusters: null,
    expiresAt: null,
    machine: null,
  });
  expect(existsSync(join(folder.path, 'postgres/data/postmaster.pid'))).toBe(false);
  expect((await stat(join(folder.path, '.env'))).mode & 0o777).toBe(0o600);
});

let url: string;
let issuedLicense: { readonly id: string; readonly licenseKey: string; readonly hwid: string };

// Guarantee: the whole life of a license works from the command line, next to a running portal that sees each change immediately.
test('issue, show, search', async () => {
  ({ url } = await serve());
  const { licenseKey, ...issued } = await json(
    ...['license', 'issue', '--email', 'owner@example.com', '--tier', 'pro', '--max-clusters', '3'],
    ...['--expires', '2999-12-31', '--purchase-id', 'order-1'],
  );
  expect(issued).toMatchObject({ tier: 'pro', maxClusters: 3, purchaseId: 'order-1' });
  expect(issued.expiresAt).toBe('3000-01-01T00:00:00.000Z');
  const again = await json('license', 'issue', '--email', 'OWNER@example.com', '--tenant', issued.tenantId);
  expect(again.tenantId).toBe(issued.tenantId);

  const hwid = newHwid();
  expect((await activate(url, licenseKey, hwid)).status).toBe(200);
  const shown = await run('license', 'show', licenseKey.toLowerCase());
  expect(shown.stdout).toContain(hwid);
  expect(shown.stdout).toContain(`CSTL-****-****-****-${licenseKey.slice(-4)}`);
  expect(shown.stdout).not.toContain(licenseKey);
  expect(shown.stderr).toContain('Others on this machine can read arguments');
  const asked = await runWith(`${licenseKey}\n`, 'license', 'show');
  expect(asked).toEqual({ ...shown, stderr: '' });
  const searched = await runWith(licenseKey, 'license', 'search', '-');
  expect(searched).toMatchObject({ code: 0, stdout: expect.stringContaining(issued.id), stderr: '' });
  expect(await runWith(licenseKey, 'license', 'events', '-')).toMatchObject({
    stdout: expect.stringContaining(issued.id),
    stderr: '',
  });

  issuedLicense = { id: issued.id, licenseKey, hwid };
});

test('suspend, resume, extend, revoke', async () => {
  const { id, licenseKey, hwid } = issuedLicense;
  expect((await json('license', 'suspend', id)).status).toBe('suspended');
  expect((await activate(url, licenseKey, hwid)).status).toBe(403);
  expect(await run('license', 'suspend', id)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'The license is suspended; only an active one can be suspended.\n',
  });
  expect((await json('license', 'resume', id)).status).toBe('active');
  expect((await activate(url, licenseKey, hwid)).status).toBe(200);
  expect((await json('license', 'extend', id, '--days', '2')).expiresAt).toBe('3000-01-03T00:00:00.000Z');
  expect((await json('license', 'revoke', id)).status).toBe('revoked');
  expect((await run('license', 'resume', id)).code).toBe(1);
  const key = await json('key', 'show');
  expect(key.publicKey).toMatch(/^[\w-]{43}$/);
  expect((await run('key', 'show')).stdout).toBe(`${key.publicKey}\n`);
});

// Beside the running portal, which spares each command the start of Postgres.

// Guarantee: wrong usage says what is wrong, on stderr, by the exit code, and changes nothing.
test.each([
  [2, /--email/, ['license', 'issue']],
  [2, /e-mail/, ['license', 'issue', '--email', 'nobody']],
  [2, /YYYY-MM-DD/, ['license', 'issue', '--email', 'a@example.com', '--expires', 'soon']],
  [2, /passed/, ['license', 'issue', '--email', 'a@example.com', '--expires', '2001-01-01']],
  [2, /no such license/, ['license', 'show', 'CSTL-0000-0000-0000-0000']],
  [2, /no such license/, ['license', 'revoke', `c${'0'.repeat(24)}`]],
  [2, /by its id, or give its key/, ['license', 'show']],
  [2, /--until/, ['license', 'extend', 'x']],
  // Terminal control characters are escaped in the output.
  [1, /^\/none\/\\x1b\[2J\\u\{202e\} cannot/, ['license', 'export', '--output', '/none/\x1b[2J\u{202e}']],
  [2, /unknown command/, ['license', 'delete', 'x']],
  [1, /no tenant/, ['license', 'issue', '--email', 'a@example.com', '--tenant', `c${'0'.repeat(24)}`]],
])('exit code %i and %s', async (code, message, args) => {
  const ended = await run(...args);
  expect(ended.code).toBe(code);
  expect(ended.stdout).toBe('');
  expect(ended.stderr).toMatch(message);
  expect(ended.stderr).not.toMatch(/\n\s+at /);
});

test('help is no error', async () => {
  const help = await run('license', 'issue', '--help');
  expect(help.code).toBe(0);
  expect(help.stdout).toContain('--max-clusters');
});

// Guarantee: a wrong configuration ends server and commands with 78, naming the errors.
test('exit code 78', async () => {
  const wrong = { ...env, TRUST_PROXY: '*', LOG_LEVEL: 'loud' };
  for (const args of [[], ['key', 'show']]) {
    const child = spawn(process.execPath, [entry, ...args], { env: wrong, stdio: 'pipe' });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const [code] = await once(child, 'close');
    expect(code).toBe(78);
    expect(said).toMatch(/TRUST_PROXY/);
    expect(said).toMatch(/LOG_LEVEL/);
  }
});

// Guarantee: a data folder has one portal; a second one says which process holds it and disturbs nothing.
test('a second portal in the same home is refused', async () => {
  const { port } = JSON.parse(await readFile(join(folder.path, 'portal.json'), 'utf8'));
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(said).toContain(`in use by process ${portal?.pid}`);
  expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
});

// Guarantee: a stop ends the portal and its Postgres, and nothing says that they still run.
test('a stop', async () => {
  expect(await stop('SIGTERM')).toBe(0);
  expect(existsSync(join(folder.path, 'portal.json'))).toBe(false);
  expect(existsSync(join(folder.path, 'postgres/data/postmaster.pid'))).toBe(false);
});

// Guarantee: if Postgres dies it is restarted; a killed portal leaves no postmaster, and the next portal starts.
test('kill -9', async () => {
  await serve();
  const pid = await postmasterPid();
  process.kill(pid, 'SIGKILL');
  const { port } = JSON.parse(await readFile(join(folder.path, 'portal.json'), 'utf8'));
  const restarted = await eventually(async () => {
    const next = await postmasterPid();
    expect(next).not.toBe(pid);
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
    return next;
  }, 30_000);
  await stop('SIGKILL');
  await eventually(() => expect(isAlive(restarted)).toBe(false), 5000);
  const { url } = await serve();
  expect((await fetch(`${url}/ready`)).status).toBe(200);
});

// Guarantee: a stop lets requests in flight finish, also for clients that keep sending on the same connection.
test('stopping under load loses no answer', async () => {
  await stop('SIGTERM');
  const { url, child } = await serve({ TRUST_PROXY: 'loopback' });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const body = JSON.stringify({ tenantId: `c${'0'.repeat(24)}`, token: 'a.b.c', hwid: newHwid() });
  const answers: (number | string)[] = [];
  let next = 0;
  const ask = () =>
    new Promise<boolean>((settle) => {
      next += 1;
      const request = httpRequest(url + licensesHttp.validate.path, {
        method: 'POST',
        agent,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          'X-Forwarded-For': `10.9.${next >> 8}.${next & 255}`,
        },
      });
      request.on('response', (response) => {
        answers.push(response.statusCode ?? 0);
        response.resume().on('end', () => settle(true));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // A request that could not be sent is not a lost answer.
        if (!(error.code === 'ECONNREFUSED' || (error.code === 'ECONNRESET' && request.reusedSocket)))
          answers.push(error.message);
        settle(false);
      });
      request.end(body);
    });
  const clients = Array.from({ length: 8 }, async () => {
    while (next < 20_000 && (await ask()));
  });
  await eventually(() => expect(answers.length).toBeGreaterThan(100));
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.all(clients);
  agent.destroy();
  expect(new Set(answers)).toEqual(new Set([403]));
  expect(await exited).toEqual([0, null]);
});

// Guarantee: no output or log contains a secret.
test('logs hold no secret', async () => {
  const { lines } = await serve({ LOG_LEVEL: 'trace' });
  const key = /PORTAL_MASTER_KEY=(\w+)/.exec(await readFile(join(folder.path, '.env'), 'utf8'))?.[1] ?? '';
  const password = (await readFile(join(folder.path, 'postgres/superuser.password'), 'utf8')).trim();
  expect(key).toHaveLength(64);
  await stop('SIGTERM');
  const text = lines.join('\n');
  expect(text).toContain('portal ready');
  for (const secret of [key, password]) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/postgresql:\/\/\w+:[^[]/);
});
