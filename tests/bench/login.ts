import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { healthHttp } from '#contracts/operations/health.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { openCluster } from '#runtime/postgres/cluster.ts';
import { Secret } from '#runtime/secret.ts';
import { testDesktopCredential } from '../../server/kernel/testing/test-api.ts';
import { type LoadResult, postRequest, runLoad } from './harness/load.ts';
import { cpuSeconds } from './harness/process-usage.ts';
import type { Bench } from './harness/report.ts';
import { type Subject, toSubject } from './portal-subjects.ts';

const guesses = 10_000;
const guessesPerSecond = 500;
const guessers = 32;
const attackSeconds = guesses / guessesPerSecond;
const goodPerSecond = 2;
const healthPerSecond = 50;

const owner = { name: 'The Owner', password: 'the password of the owner' };
const ownersAddress = '198.51.100.7';

const from = (address: string) => ({ 'X-Forwarded-For': address });
const signIn = (body: { name: string; password: string }, address: string) =>
  postRequest(sessionsHttp.signIn.path, { ...body, transport: 'bearer' }, from(address));
const addressOf = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
const wrong = (index: number) => `guess number ${index}`;

/** The body of each guess, by kind of attack. */
const attacks: Readonly<Record<string, (index: number) => string>> = {
  "the owner's password, from one address": (index) =>
    signIn({ name: owner.name, password: wrong(index) }, '203.0.113.9'),
  "the owner's password, from 10,000 addresses": (index) =>
    signIn({ name: owner.name, password: wrong(index) }, addressOf(index)),
  'any names, from 10,000 addresses': (index) =>
    signIn({ name: `name ${index}`, password: wrong(index) }, addressOf(index)),
};

const startSubject = (databaseUrl: string): Promise<Subject> => {
  const program = join(import.meta.dirname, 'login-api-main.ts');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin?.end(databaseUrl);
  return toSubject(child, Number);
};

/** Retries, since the database may not be ready yet. */
const makeOwner = (port: number): Promise<void> =>
  eventually(async () => {
    const response = await fetch(`http://127.0.0.1:${port}${adminsHttp.create.path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${testDesktopCredential}`,
        [confirmationHeader]: confirmationBy(new Secret(testDesktopCredential)),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ ...owner, role: 'owner' }),
    });
    if (!response.ok && response.status !== 409) throw new Error(await response.text());
    const health = await fetch(`http://127.0.0.1:${port}${healthHttp.database.path}`);
    const { status } = (await health.json()) as { status?: unknown };
    if (status !== 'ok') throw new Error('the database is not in use yet');
  });

/** The owner signs in and a client polls health for as long as an attack lasts. */
const ordinaryLife = async (port: number) => {
  const [good, health] = await Promise.all([
    runLoad({
      port,
      connections: 1,
      requests: goodPerSecond * attackSeconds,
      perSecond: goodPerSecond,
      request: () => signIn(owner, ownersAddress),
    }),
    runLoad({
      port,
      connections: 1,
      requests: healthPerSecond * attackSeconds,
      perSecond: healthPerSecond,
      request: () => `GET ${healthHttp.stack.path} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    }),
  ]);
  return { good, health };
};

const figures = ({ good, health }: { good: LoadResult; health: LoadResult }) => ({
  'sign-in p50 ms': good.p50Ms,
  'sign-in p99 ms': good.p99Ms,
  'sign-ins refused': good.requests - (good.statuses['200'] ?? 0),
  'health p50 ms': health.p50Ms,
  'health p99 ms': health.p99Ms,
});

export const loginBench: Bench = {
  summary: '10,000 password guesses: how many are looked at, and what the others notice of it',
  async run(say) {
    await using resources = new AsyncDisposableStack();
    const folder = resources.use(await temporaryFolder('bench-login'));
    const cluster = await openCluster({ folder: folder.path, port: await freePort() });
    await cluster.start();
    resources.defer(() => cluster.stop());
    const url = cluster.connectionUrl('postgres', cluster.superuserPassword, 'postgres').reveal();
    const { port, pid } = resources.use(await startSubject(url));
    await makeOwner(port);

    say('nobody guesses');
    const quiet = figures(await ordinaryLife(port));
    const rows: Record<string, Record<string, number>> = { 'nobody guesses': quiet };
    const aims = [];
    for (const [what, request] of Object.entries(attacks)) {
      say(what);
      const before = cpuSeconds(pid);
      const [attack, life] = await Promise.all([
        runLoad({ port, connections: guessers, requests: guesses, perSecond: guessesPerSecond, request }),
        ordinaryLife(port),
      ]);
      const looked = guesses - (attack.statuses['429'] ?? 0);
      const row = figures(life);
      rows[what] = {
        ...row,
        'guesses looked at': looked,
        'guess p99 ms': attack.p99Ms,
        'CPU s': cpuSeconds(pid) - before,
      };
      const slower = row['sign-in p50 ms'] / quiet['sign-in p50 ms'];
      aims.push(
        {
          what: `${what}: sign-ins refused to the owner`,
          value: row['sign-ins refused'],
          aim: '0',
          met: row['sign-ins refused'] === 0,
        },
        {
          what: `${what}: sign-in p50, times that of a quiet time`,
          value: slower,
          aim: '< 2',
          met: slower < 2,
        },
        {
          what: `${what}: sign-in p99, ms`,
          value: row['sign-in p99 ms'],
          aim: '< 1000',
          met: row['sign-in p99 ms'] < 1000,
        },
        {
          what: `${what}: health p99, ms`,
          value: row['health p99 ms'],
          aim: '< 100',
          met: row['health p99 ms'] < 100,
        },
      );
      if (what.startsWith('the owner'))
        aims.push({ what: `${what}: guesses looked at`, value: looked, aim: '≤ 10', met: looked <= 10 });
    }
    return {
      title: `Password guesses: ${guesses} in ${attackSeconds} s, while the owner signs in and health is asked`,
      tables: { 'What the others notice': rows },
      aims,
    };
  },
};
