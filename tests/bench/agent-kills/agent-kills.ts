import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openCluster } from '#runtime/postgres/cluster.ts';
import { testAgentSecret, testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';
import { createSchema, isReady, seedServers } from '../agents/agents.ts';
import type { Bench } from '../harness/report.ts';
import { toSubject } from '../portal-subjects.ts';
import { runKills } from './kills.ts';

const servers = 3;

export const agentKillsBench: Bench = {
  summary: 'agents killed at random instants under commands: what runs twice, and what is called unknown',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        kills: { type: 'string', default: '80' },
        commands: { type: 'string', default: '2900' },
        seed: { type: 'string', default: '1' },
        json: { type: 'boolean' },
      },
    });
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder('bench-agent-kills'));
    const cluster = await openCluster({ folder: join(folder.path, 'cluster'), port: await freePort() });
    await cluster.start();
    owned.defer(() => cluster.stop());
    const url = cluster.connectionUrl('postgres', cluster.superuserPassword, 'postgres').reveal();
    await createSchema(url);
    const serverIds = await seedServers(url, servers);
    const child = spawn(process.execPath, [join(import.meta.dirname, '../agents/api-main.ts')], {
      stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    });
    child.stdin?.end(url);
    const { port } = owned.use(await toSubject(child, Number));
    await isReady(port);
    const apiUrl = `http://127.0.0.1:${port}`;
    const outcome = await runKills({
      apiUrl,
      fetch: (path, init) => {
        const headers = new Headers(init?.headers);
        headers.set('Authorization', `Bearer ${testDesktopCredential}`);
        return fetch(apiUrl + path, { ...init, headers });
      },
      secret: testAgentSecret,
      serverIds,
      folder: folder.path,
      kills: Number(values.kills),
      commands: Number(values.commands),
      seed: Number(values.seed),
      say,
    });
    const isDoubted = (ids: readonly string[]) => ids.every((id) => outcome.doubted.includes(id));
    return {
      title: `${servers} agents, ${outcome.kills} kills (seed ${values.seed})`,
      tables: {
        Commands: {
          all: {
            given: outcome.commands,
            'ran twice': outcome.ranTwice,
            'told unknown': outcome.toldUnknown.length,
            'told unknown but ran': outcome.toldUnknownButRan,
            'told answered but not run': outcome.toldAnsweredButNotRun,
            'doubted by the agent': outcome.doubted.length,
            'unknown in the history': outcome.historyUnknown.length,
            'revised in the history': outcome.historyRevised,
          },
        },
        'What callers were told': { all: outcome.told },
      },
      aims: [
        { what: 'ran twice', value: outcome.ranTwice, aim: '0', met: outcome.ranTwice === 0 },
        {
          what: 'told unknown, of commands that the agent does not doubt',
          value: outcome.toldUnknown.filter((id) => !outcome.doubted.includes(id)).length,
          aim: '0',
          met: isDoubted(outcome.toldUnknown),
        },
        {
          what: 'unknown in the history, of commands that the agent does not doubt',
          value: outcome.historyUnknown.filter((id) => !outcome.doubted.includes(id)).length,
          aim: '0',
          met: isDoubted(outcome.historyUnknown),
        },
      ],
    };
  },
};
