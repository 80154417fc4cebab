import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { licensesHttp } from '#contracts/license/licenses.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openCluster } from '#runtime/postgres/cluster.ts';
import type { Secret } from '#runtime/secret.ts';
import { postRequest, runLoad } from './harness/load.ts';
import { cpuSeconds, familyCpuSeconds } from './harness/process-usage.ts';
import type { Bench } from './harness/report.ts';
import { alternate } from './harness/statistics.ts';
import { baselineNames } from './portal-baselines.ts';
import { activationOf, mintValidations, type Seed, seedPortal } from './portal-seed.ts';
import { type Subject, startBaselineSubject, startPortalSubject } from './portal-subjects.ts';

const connections = 32;
const validationsPerRun = 6000;
const warmUp = 500;
const activationsPerRound = 1000;
const daySeconds = 86_400;

const few = 1000;
/** Suits a database of this size; Postgres's default is for a small one. */
const sharedBuffers = '1GB';

const captions = {
  bare: 'bare Express, constant answer (a)',
  naive: 'naive validate (b)',
  tuned: 'hand-tuned minimum (c)',
  portal: 'portal',
  small: 'portal, 1,000 licenses',
} as const;

/** Every request has its own address, so that the limiter counts it but lets it pass. */
const addressOf = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

export const portalBench: Bench = {
  summary: 'requests per second, latency and CPU of validate and activate, beside three baselines',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        // Licenses in the table that are bound to their machines.
        licenses: { type: 'string', default: '1000000' },
        rounds: { type: 'string', default: '5' },
        json: { type: 'boolean' },
      },
    });
    const many = Number(values.licenses);
    const rounds = Number(values.rounds);
    await using resources = new AsyncDisposableStack();
    const folder = resources.use(await temporaryFolder('bench-portal'));
    const cluster = await openCluster({
      folder: folder.path,
      port: await freePort(),
      settings: { shared_buffers: sharedBuffers },
    });
    const postmaster = await cluster.start();
    resources.defer(() => cluster.stop());
    const urlOf = (database: string) =>
      cluster.connectionUrl('postgres', cluster.superuserPassword, database);
    const databaseUrl = urlOf('postgres');
    const client = await cluster.connect();
    await client.query('create database small');
    await client.end();
    say(`seeding ${many.toLocaleString('en')} licenses`);
    const seed = await seedPortal(databaseUrl, {
      bound: many,
      unbound: activationsPerRound * (rounds + 1),
    });
    const smallSeed = await seedPortal(urlOf('small'), { bound: few, unbound: 0 });
    const { kid, signer } = seed.keyRing.active;
    const privateJwk = signer.export({ format: 'jwk' });

    const start = async (name: string, url: Secret, { masterKey }: Seed) => {
      const home = join(folder.path, name);
      await mkdir(home);
      return resources.use(await startPortalSubject(url, masterKey, home));
    };
    const portal = await start('portal', databaseUrl, seed);
    const small = await start('small', urlOf('small'), smallSeed);
    const subjects: Record<string, Subject> = {};
    for (const name of baselineNames) {
      const input = { name, databaseUrl: databaseUrl.reveal(), kid, privateJwk };
      subjects[name] = resources.use(await startBaselineSubject(input));
    }

    const clients = countingFrom(1);
    const mint = countingFrom(daySeconds);
    const measure = async (subject: Subject, requests: readonly string[]) => {
      const before = [cpuSeconds(subject.pid), familyCpuSeconds(postmaster.pid)] as const;
      const result = await runLoad({
        port: subject.port,
        connections,
        requests: requests.length,
        request: (index) => requests[index] ?? '',
      });
      const perRequest = 1e6 / requests.length;
      const own = (cpuSeconds(subject.pid) - before[0]) * perRequest;
      const database = (familyCpuSeconds(postmaster.pid) - before[1]) * perRequest;
      if (result.statuses['200'] !== requests.length)
        throw new Error(`not every answer was 200: ${JSON.stringify(result.statuses)}`);
      return {
        'req/s': result.perSecond,
        'p50 ms': result.p50Ms,
        'p99 ms': result.p99Ms,
        'CPU µs/req': own + database,
        'of which Node': own,
        'of which Postgres': database,
      };
    };
    /** From all over the table; with few licenses each sends several tokens, every one of them once. */
    const validations = async ({ keyRing, pickBound }: Seed, count: number) => {
      const licenses = await pickBound(count);
      const minted = await Promise.all(
        Array.from({ length: Math.ceil(count / licenses.length) }, () =>
          mintValidations(keyRing, licenses, new Date(Date.now() - mint() * 1000)),
        ),
      );
      return minted
        .flat()
        .slice(0, count)
        .map((body) => postRequest(licensesHttp.validate.path, body, forwarded(clients())));
    };

    const all = { ...subjects, portal, small } as Record<keyof typeof captions, Subject>;
    const seedOf = (name: string) => (name === 'small' ? smallSeed : seed);
    for (const [name, subject] of Object.entries(all))
      await measure(subject, await validations(seedOf(name), warmUp));
    const runs = Object.fromEntries(
      Object.entries(all).map(([name, subject]) => [
        name,
        async () => measure(subject, await validations(seedOf(name), validationsPerRun)),
      ]),
    ) as Record<keyof typeof captions, () => ReturnType<typeof measure>>;
    const validate = await alternate(runs, rounds, say);

    const activations = (round: number) =>
      seed.unbound
        .slice(round * activationsPerRound, (round + 1) * activationsPerRound)
        .map((license) =>
          postRequest(licensesHttp.activate.path, activationOf(license), forwarded(clients())),
        );
    await measure(portal, activations(rounds));
    const activate = await alternate(
      { activate: (round) => measure(portal, activations(round)) },
      rounds,
      say,
    );

    const faster = (validate.portal['req/s'] ?? 0) / (validate.naive['req/s'] ?? 0);
    const dearer = (validate.portal['CPU µs/req'] ?? 0) / (validate.tuned['CPU µs/req'] ?? 0);
    const flat = (validate.portal['req/s'] ?? 0) / (validate.small['req/s'] ?? 0);
    const activationMicros = activate.activate['CPU µs/req'] ?? Number.NaN;
    return {
      title: `Portal on ${connections} connections, each request from its own address, each token presented once, ${many.toLocaleString('en')} licenses`,
      tables: {
        validate: Object.fromEntries(
          Object.entries(captions).map(([name, caption]) => [
            caption,
            validate[name as keyof typeof captions],
          ]),
        ),
        activate: { 'portal, first activation': activate.activate },
      },
      aims: [
        {
          what: 'validate, requests per second against (b)',
          value: faster,
          aim: '≥ 1.8',
          met: faster >= 1.8,
        },
        {
          what: 'validate, requests per second of all licenses against a thousand',
          value: flat,
          aim: '≥ 0.8',
          met: flat >= 0.8,
        },
        { what: 'validate, CPU per request against (c)', value: dearer, aim: '≤ 1.15', met: dearer <= 1.15 },
        {
          what: 'first activation, CPU µs',
          value: activationMicros,
          aim: '< 1000',
          met: activationMicros < 1000,
        },
      ],
    };
  },
};

const countingFrom = (first: number) => {
  let next = first;
  return () => next++;
};

const forwarded = (client: number) => ({ 'X-Forwarded-For': addressOf(client) });
