import { licensesHttp } from '#contracts/licenses.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openCluster } from '#runtime/postgres/cluster.ts';
import { bundlePrograms } from '../../build/bundle.ts';
import { postRequest, runLoad } from './harness/load.ts';
import { cpuSeconds, familyCpuSeconds } from './harness/process-usage.ts';
import type { Bench } from './harness/report.ts';
import { alternate } from './harness/statistics.ts';
import { baselineNames } from './portal-baselines.ts';
import { activationOf, mintValidations, type Seed, seedPortal } from './portal-seed.ts';
import { type Subject, startBaselineSubject, startPortalSubject } from './portal-subjects.ts';

const rounds = 5;
const connections = 32;
const validationsPerRun = 6000;
const warmUp = 500;
const activationsPerRound = 1000;
const daySeconds = 86_400;

const captions = {
  bare: 'bare Express, constant answer (a)',
  naive: 'naive validate (b)',
  tuned: 'hand-tuned minimum (c)',
  portal: 'portal',
} as const;

/** Every request comes from an address of its own, so that the limiter counts it but lets it pass. */
const addressOf = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

export const portalBench: Bench = {
  summary: 'requests per second, latency and CPU of validate and activate, beside three baselines',
  async run(say) {
    await bundlePrograms();
    await using resources = new AsyncDisposableStack();
    const folder = resources.use(await temporaryFolder('bench-portal'));
    const cluster = await openCluster({ folder: folder.path, port: await freePort() });
    const postmaster = await cluster.start();
    resources.defer(() => cluster.stop());
    const databaseUrl = cluster.connectionUrl('postgres', cluster.superuserPassword, 'postgres');
    say('seeding');
    const seed = await seedPortal(databaseUrl, {
      bound: validationsPerRun,
      unbound: activationsPerRound * (rounds + 1),
    });
    const { kid, signer } = seed.keyRing.active;
    const privateJwk = signer.export({ format: 'jwk' });

    const portal = resources.use(await startPortalSubject(databaseUrl, seed.masterKey, folder.path));
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
    const validations = (seeded: Seed, count: number) =>
      mintValidations(seeded, new Date(Date.now() - mint() * 1000))
        .slice(0, count)
        .map((body) => postRequest(licensesHttp.validate.path, body, forwarded(clients())));

    const all = { ...subjects, portal } as Record<keyof typeof captions, Subject>;
    for (const subject of Object.values(all)) await measure(subject, validations(seed, warmUp));
    const runs = Object.fromEntries(
      Object.entries(all).map(([name, subject]) => [
        name,
        () => measure(subject, validations(seed, validationsPerRun)),
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
    return {
      title: `Portal on ${connections} connections, each request from its own address, each token presented once`,
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
        { what: 'validate, CPU per request against (c)', value: dearer, aim: '≤ 1.25', met: dearer <= 1.25 },
      ],
    };
  },
};

const countingFrom = (first: number) => {
  let next = first;
  return () => next++;
};

const forwarded = (client: number) => ({ 'X-Forwarded-For': addressOf(client) });
