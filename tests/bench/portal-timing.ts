import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { makeLicenseKey } from '#contracts/license/license-key.ts';
import { licensesHttp } from '#contracts/license/licenses.ts';
import { customersHttp } from '#contracts/portal/customers.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openCluster } from '#runtime/postgres/cluster.ts';
import type { Bench } from './harness/report.ts';
import { median, shareSmaller } from './harness/statistics.ts';
import { activationOf, seedPortal, tenantEmail } from './portal-seed.ts';
import { startPortalSubject } from './portal-subjects.ts';

/** Including the warm-up, the number of requests per e-mail address that still get a code each within an hour. */
const rounds = 1100;
const warmUp = 100;
const knownOnes = 100;

/**
 * Within this distance from 0.5, it takes hundreds of undisturbed requests for one key to tell it from an unknown one; an
 * address may send five a minute. The row that a known key locks costs about 40 µs.
 */
const tolerance = 0.1;

interface Question {
  readonly path: string;
  readonly body: object;
  /** The status that every kind must get. */
  readonly status: number;
}

const guessOf = (licenseKey: string): Question => ({
  path: licensesHttp.activate.path,
  body: activationOf({ licenseKey, hwid: `sha256:${randomBytes(32).toString('hex')}` }),
  status: 403,
});
const codeFor = (email: string): Question => ({
  path: customersHttp.requestCode.path,
  body: { email },
  status: 200,
});

interface Answer {
  readonly ms: number;
  /** Status and body, with the parts that differ per request blanked. */
  readonly said: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const ask = (port: number, { path, body }: Question, from: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      'X-Forwarded-For': from,
    };
    const start = performance.now();
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method: 'POST', agent, headers },
      (response) => {
        let said = `${response.statusCode} `;
        response.setEncoding('utf8').on('data', (chunk: string) => {
          said += chunk;
        });
        response.on('end', () =>
          resolve({
            ms: performance.now() - start,
            said: said.replace(/"(instance|pending)":"[^"]*"/g, '"$1":""'),
          }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject).end(text);
  });

const addressOf = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

const kindNames = ['unknown', 'known'] as const;
type Kind = (typeof kindNames)[number];
type Kinds = Readonly<Record<Kind, (round: number) => Question>>;

export const timingBench: Bench = {
  summary: 'whether the time of an answer tells a known license key or e-mail address from an unknown one',
  async run(say) {
    await using resources = new AsyncDisposableStack();
    resources.defer(() => agent.destroy());
    const folder = resources.use(await temporaryFolder('bench-timing'));
    const cluster = await openCluster({ folder: folder.path, port: await freePort() });
    await cluster.start();
    resources.defer(() => cluster.stop());
    const databaseUrl = cluster.connectionUrl('postgres', cluster.superuserPassword, 'postgres');
    say('seeding');
    const seed = await seedPortal(databaseUrl, { bound: knownOnes, unbound: knownOnes });
    const client = await cluster.connect();
    await client.query(`update licenses set status = 'suspended' where id = any($1)`, [
      seed.unbound.map(({ id }) => id),
    ]);
    await client.end();
    const portal = resources.use(await startPortalSubject(databaseUrl, seed.masterKey, folder.path));

    let asked = 0;
    /** In random order, so that other load on the machine affects all kinds alike. */
    const compare = async (kinds: Kinds): Promise<Readonly<Record<Kind, readonly number[]>>> => {
      const times: Record<Kind, number[]> = { unknown: [], known: [] };
      const answers = new Set<string>();
      for (let round = -warmUp; round < rounds; round += 1) {
        const inChance = Math.random() < 0.5 ? kindNames : kindNames.toReversed();
        for (const name of inChance) {
          const question = kinds[name](Math.abs(round));
          asked += 1;
          const { ms, said } = await ask(portal.port, question, addressOf(asked));
          answers.add(said);
          if (!said.startsWith(String(question.status))) throw new Error(said);
          if (round >= 0) times[name].push(ms);
        }
      }
      if (answers.size !== 1) throw new Error(`the answers differ: ${[...answers].join('\n')}`);
      return times;
    };
    say('activate');
    const keys = await compare({
      unknown: () => guessOf(makeLicenseKey(randomBytes(16))),
      known: (round) => guessOf(seed.unbound[round % knownOnes]?.licenseKey ?? ''),
    });
    say('sign-in codes');
    const emails = await compare({
      unknown: (round) => codeFor(`stranger${round % knownOnes}@example.com`),
      known: (round) => codeFor(tenantEmail((round % knownOnes) + 1)),
    });

    const rows = { 'license key': keys, 'e-mail address': emails };
    const figures = Object.entries(rows).flatMap(([what, { unknown, known }]) =>
      Object.entries({ unknown, known }).map(
        ([kind, times]) => [`${what}, ${kind}`, figuresOf(times)] as const,
      ),
    );
    return {
      title: `${rounds} questions of each kind over one connection, answers identical`,
      tables: { 'Time of an answer': Object.fromEntries(figures) },
      aims: Object.entries(rows).map(([what, { unknown, known }]) => {
        const share = shareSmaller(unknown, known);
        return {
          what: `${what}: how often an unknown one is answered sooner than a known one`,
          value: share,
          aim: `0.5 ± ${tolerance}`,
          met: Math.abs(share - 0.5) <= tolerance,
        };
      }),
    };
  },
};

const figuresOf = (times: readonly number[]): Readonly<Record<string, number>> => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { 'p10 ms': at(0.1), 'median ms': median(times), 'p90 ms': at(0.9), 'p99 ms': at(0.99) };
};
