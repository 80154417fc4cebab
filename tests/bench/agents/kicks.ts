import { join } from 'node:path';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { startAgentFrom, writeConfig } from '../../../agent/testing/agent-process.ts';
import type { Tables } from '../../../server/kernel/database/tables.ts';
import { testOwner } from '../../../server/kernel/testing/feature-api.ts';
import {
  startTestGateway,
  testAgentSecret,
  testServers,
} from '../../../server/servers/agents/testing/test-gateway.ts';
import { startMinecraft } from '../../simulators/minecraft-simulator.ts';

type Figures = Readonly<Record<string, number>>;

const serverId = 'kicked';
const kicks = 200;
const warmUp = 50;

const figuresOf = (latencies: readonly number[]): Figures => {
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { kicks: sorted.length, 'median ms': at(0.5), 'p99 ms': at(0.99), 'worst ms': at(1) };
};

/** How long a kick through an agent takes while the agent is idle, and while it uploads 50 MiB again and again. */
export const measureKicks = async (databaseUrl: string): Promise<Readonly<Record<string, Figures>>> => {
  const log = createLog({ component: 'bench', level: 'silent' });
  await using owned = new AsyncDisposableStack();
  const url = new Secret(databaseUrl);
  const database = owned.use(openDatabase<Tables>({ url, applicationName: 'bench', log }));
  const servers = await testServers({ ...database, url });
  await servers.add(serverId);
  const api = owned.use(await startTestGateway({ database, servers }));
  const game = owned.use(await startMinecraft());
  const folder = owned.use(await temporaryFolder('bench-kicks'));
  const config = await writeConfig(folder.path, {
    apiUrl: `http://127.0.0.1:${api.port}`,
    serverId,
    secret: testAgentSecret,
    game: 'minecraft',
    console: { port: game.port, password: game.password },
  });
  owned.use(startAgentFrom(join(import.meta.dirname, 'upload-agent-main.ts'), config));
  await eventually(() => {
    if (!api.tasks.machineOf(serverId).takesTasks) throw new Error('the agent is not there yet');
  }, 30_000);

  const kick = async (): Promise<number> => {
    const begunMs = performance.now();
    const { outcome } = await api.gateway.run(serverId, 'list', { timeoutMs: 30_000, expiresInMs: 30_000 });
    if (outcome !== 'answered') throw new Error(`a kick ended as ${outcome}`);
    return performance.now() - begunMs;
  };
  const measure = async (count: number) => {
    const latencies: number[] = [];
    while (latencies.length < count) latencies.push(await kick());
    return latencies;
  };

  await measure(warmUp);
  const idle = await measure(kicks);
  const enough = new AbortController();
  let uploads = 0;
  const uploading = (async () => {
    while (!enough.signal.aborted) {
      const task = { kind: 'console-history', before: null, search: null, limit: 1 } as const;
      const onUpload = async () => {
        uploads += 1;
      };
      await api.tasks.run(serverId, task, { by: testOwner, expiresInMs: 60_000, onUpload });
    }
  })();
  const busy = [...(await measure(kicks))];
  while (uploads === 0) busy.push(await kick());
  enough.abort();
  await uploading;
  const [alone, beside] = [figuresOf(idle), figuresOf(busy)];
  const ratio = Object.fromEntries(
    Object.entries(beside).map(([figure, value]) => [figure, value / (alone[figure] ?? Number.NaN)]),
  );
  return { alone, 'while 50 MiB are uploaded': beside, times: ratio };
};
