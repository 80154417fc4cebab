import { expect, test } from 'vitest';
import type { ProcessReport } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { customRole, person } from '../../kernel/testing/call.ts';
import { startTestApi } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { joinPowerAgent, stoppedReport } from './testing/power-agent.ts';
import { powerOfATest } from './testing/power-of-a-test.ts';

const running = apiForThisFile();
const { read, act, join, told, shown } = powerOfATest(running);

// Guarantee: crashes are reported once, across reconnects and restarts of the API, and their lines are for those who may
// read consoles.
test('crashes over reconnects and restarts', async () => {
  const { port, databaseUrl } = running();
  const { serverId, agent } = await join();
  const crashed = {
    state: 'backing-off',
    wanted: 'running',
    crashes: 1,
    nextStartInMs: 20_000,
    lastCrash: { ageMs: 0, exitCode: 139, signal: null, lines: ['Segmentation fault'] },
  } satisfies Partial<ProcessReport>;
  agent.tell({ state: 'running', wanted: 'running', pid: 5, upMs: 1 });
  await eventually(async () => expect(await told(serverId)).toEqual(['server.started']));
  agent.tell(crashed);
  await eventually(async () => expect(await told(serverId)).toEqual(['server.started', 'server.crashed']));
  await eventually(async () =>
    expect(await shown(serverId)).toMatchObject({
      shown: 'backing-off',
      process: { crashes: 1, nextStartAt: expect.any(String) },
    }),
  );
  const viewer = await person(port, { role: await customRole(port, ['servers.read']) });
  expect(await read(serverId)).toMatchObject({
    lastCrash: { exitCode: 139, lines: ['Segmentation fault'] },
  });
  expect(await read(serverId, viewer.token)).toMatchObject({
    lastCrash: { exitCode: 139, lines: [] },
    machine: null,
  });
  agent[Symbol.dispose]();
  const aged = (ageMs: number) => ({ ...crashed.lastCrash, ageMs });
  using again = await joinPowerAgent(port, serverId, {
    identity: agent.identity,
    process: { ...crashed, lastCrash: aged(900) },
  });
  again.tell({ state: 'running', wanted: 'running', pid: 6, crashes: 1, lastCrash: aged(950) });
  await eventually(async () => expect((await told(serverId)).at(-1)).toBe('server.started'));
  // Another API on the same database continues from what was known.
  await using other = await startTestApi({ databaseUrl, workers: [] });
  await whenInUse(other);
  const report = {
    state: 'running',
    wanted: 'running',
    pid: 6,
    crashes: 1,
    lastCrash: aged(1500),
  } satisfies Partial<ProcessReport>;
  using there = await joinPowerAgent(other.port, serverId, { identity: again.identity, process: report });
  there.tell({ ...report, detail: 'seen' });
  await eventually(async () => {
    const { db } = running().api.context.database;
    const row = await db
      .selectFrom('server_processes')
      .select('report')
      .where('server_id', '=', serverId)
      .executeTakeFirstOrThrow();
    expect(row.report.detail).toBe('seen');
  });
  expect((await told(serverId)).filter((kind) => kind === 'server.crashed')).toHaveLength(1);
});

// Guarantee: a program that is not there is one event with its reason, across reconnects and restarts of agent and API; it is the
// shown state, no crash, and the result of a start has it as a code.
test('a program that is not there', async () => {
  const { serverId, agent } = await join();
  const program = { code: 'program-missing' as const, values: ['/srv/games/\u0000fjord'] };
  const absent = {
    state: 'stopped',
    wanted: 'running',
    detail: 'The program /srv/games/fjord does not exist.',
    program,
  } satisfies Partial<ProcessReport>;
  const stored = { code: program.code, values: ['/srv/games/\ufffdfjord'] };
  agent.tell(absent);
  await eventually(async () => expect(await told(serverId)).toEqual(['server.program-fault']));
  await eventually(async () => expect(await shown(serverId)).toMatchObject({ shown: 'program-fault' }));
  const begun = await act(serverId, { action: 'start' });
  const task = await agent.nextTask();
  agent.tell({ state: 'starting', wanted: 'running' });
  agent.tell(absent);
  agent.end(task.id, 'failed', absent.detail, { program });
  await eventually(async () =>
    expect((await read(serverId)).lastAct).toMatchObject({
      id: begun.json.id,
      outcome: 'failed',
      program: stored,
    }),
  );
  expect((await read(serverId)).process).toMatchObject({ report: { program: { code: 'program-missing' } } });
  agent[Symbol.dispose]();
  using again = await joinPowerAgent(running().port, serverId, {
    identity: agent.identity,
    process: { state: 'unknown', wanted: 'running', detail: 'The agent has only just started.' },
  });
  again.tell(absent);
  await using other = await startTestApi({ databaseUrl: running().databaseUrl, workers: [] });
  await whenInUse(other);
  using there = await joinPowerAgent(other.port, serverId, { identity: again.identity, process: absent });
  there.tell({ state: 'running', wanted: 'running', pid: 6 });
  await eventually(async () =>
    expect(await told(serverId)).toEqual(['server.program-fault', 'server.started']),
  );
  const { payload } = await running()
    .api.context.database.db.selectFrom('event_logs')
    .select('payload')
    .where('server_id', '=', serverId)
    .where('kind', '=', 'server.program-fault')
    .executeTakeFirstOrThrow();
  expect(payload).toEqual({ name: expect.any(String), ...stored });
});

// Guarantee: a reason that only a later agent knows, or one with the wrong values, costs neither the report nor the connection.
test('a reason of a later agent', async () => {
  const { serverId, agent } = await join();
  using _ = agent;
  for (const program of [
    { code: 'program-on-the-moon', values: [] },
    { code: 'program-missing', values: [] },
    { code: 'program-missing', values: ['x'.repeat(301)] },
  ]) {
    const detail = JSON.stringify(program).slice(0, 100);
    agent.send({
      v: 1,
      type: 'process',
      process: { ...stoppedReport, wanted: 'running', detail, program },
    } as never);
    await eventually(async () => {
      const { process } = await read(serverId);
      expect(process).toMatchObject({ report: { state: 'stopped', detail } });
      expect((process as { report: object }).report).not.toHaveProperty('program');
    });
  }
  expect(await told(serverId)).toEqual([]);
});
