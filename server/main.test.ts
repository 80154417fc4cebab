import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtProgram } from '#harness/built-program.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { configExitCode } from '#runtime/program.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { ask } from './kernel/testing/ask.ts';

const entry = builtProgram('api', resolve(import.meta.dirname, 'main.ts'));

let home: TemporaryFolder;
beforeEach(async () => {
  home = await temporaryFolder('api');
});
afterEach(() => home[Symbol.asyncDispose]());

const run = () => {
  const child = spawn(process.execPath, [entry], {
    env: { ...systemEnv(), CASTELLAN_HOME: home.path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // When its output has ended, too.
  return { child, output: () => output, exited: once(child, 'close') as Promise<[number | null]> };
};

/** From its sources every module is read and stripped of its types first; the supervisor waits at least as long. */
const startDeadlineMs = 30_000;

const goodEnv = (port: number) => ({
  CONFIG_ENCRYPTION_KEY: 'ab'.repeat(32),
  DATABASE_URL: 'postgresql://castellan:the-database-password@127.0.0.1:1/castellan?connection_limit=5',
  API_PORT: String(port),
  LICENSE_SERVER_URL: 'http://127.0.0.1:1',
  LICENSE_SERVER_PUBLIC_KEY: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  INSTANCE_ID: '6f0e1f5a-5d39-4b3c-9a51-3a1d2b8f0c11',
  INTERNAL_API_SECRET: 'the-secret-of-the-bot',
  GAME_AGENT_SECRET: 'the-secret-of-the-agents',
});

const writeEnv = async (variables: Record<string, string>): Promise<string> => {
  const text = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  const path = join(home.path, '.env');
  await writeFile(path, `# kept\n${text.join('')}`);
  return path;
};

// Guarantee: a wrong configuration ends the start with the code that the supervisor does not restart on; all faults are
// named together, no value is shown, and the file is left alone.
test.each([
  ['the wrong length', 'ab'.repeat(31)],
  ['no hex', 'zz'.repeat(32)],
  ['nothing', ''],
])('an encryption key of %s, and two more faults', async (_what, key) => {
  const path = await writeEnv({
    ...goodEnv(3001),
    CONFIG_ENCRYPTION_KEY: key,
    LICENSE_GRACE_PERIOD_DAYS: '31',
    EVENT_LOG_RETENTION_DAYS: '6',
  });
  const before = await readFile(path, 'utf8');
  const { exited, output } = run();
  const [code] = await exited;
  expect(code).toBe(configExitCode);
  for (const variable of ['CONFIG_ENCRYPTION_KEY', 'LICENSE_GRACE_PERIOD_DAYS', 'EVENT_LOG_RETENTION_DAYS'])
    expect(output()).toContain(variable);
  if (key) expect(output()).not.toContain(key);
  expect(output()).not.toContain('the-database-password');
  expect(await readFile(path, 'utf8')).toBe(before);
});

// Guarantee: the API listens without its database and without a license, shows no secret, and stops in order when asked.
test('a start and an orderly stop', async () => {
  const port = await freePort();
  await writeEnv(goodEnv(port));
  const { child, exited, output } = run();
  try {
    await eventually(
      async () =>
        expect((await ask(port, '/api/health')).json).toMatchObject({
          status: 403,
          // The latter on a machine without an identity.
          license: {
            state: 'unlicensed',
            code: expect.stringMatching(/^(LICENSE_REQUIRED|HWID_UNAVAILABLE)$/),
          },
        }),
      startDeadlineMs,
    );
    child.kill('SIGTERM');
    expect((await exited)[0]).toBe(0);
    for (const secret of ['the-database-password', 'the-secret-of-the-bot', 'ab'.repeat(32)])
      expect(output()).not.toContain(secret);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
});

// Guarantee: a taken port ends the start with one sentence, before the database was touched.
test('a taken port', async () => {
  const port = await freePort();
  await writeEnv(goodEnv(port));
  const first = run();
  try {
    await eventually(() => ask(port, '/'), startDeadlineMs);
    const second = run();
    expect((await second.exited)[0]).toBe(1);
    expect(second.output()).toContain(`Port ${port} on 127.0.0.1 is taken.`);
  } finally {
    first.child.kill('SIGKILL');
    await first.exited;
  }
});
