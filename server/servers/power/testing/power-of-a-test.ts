import { expect } from 'vitest';
import { auditHttp } from '#contracts/kernel/audit.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type PowerRequest, powerHttp } from '#contracts/servers/power.ts';
import { eventually } from '#harness/eventually.ts';
import type { ApiOfATest } from '../../../kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../../kernel/testing/call.ts';
import { testDesktopCredential as desktop } from '../../../kernel/testing/test-api.ts';
import { joinPowerAgent, type PowerAgentOptions } from './power-agent.ts';

/** What tests ask an API about power, and a server with an agent that joins. */
export const powerOfATest = (running: () => ApiOfATest) => {
  const read = async (serverId: string, as: string = desktop) =>
    (await call(running().port, powerHttp.read, { as, params: { serverId } })).json;
  const act = (serverId: string, body: PowerRequest, { as = desktop as string, key = '' } = {}) =>
    call(running().port, powerHttp.act, {
      as,
      params: { serverId },
      body,
      ...(key !== '' && { headers: { 'Idempotency-Key': key } }),
    });
  const cancel = (serverId: string, actId: unknown) =>
    call(running().port, powerHttp.cancel, { as: desktop, params: { serverId, actId: String(actId) } });
  const join = async (options: PowerAgentOptions = {}) => {
    const { port, api } = running();
    const serverId = await newServer(port);
    await eventually(() => expect(api.context.servers.directory.get(serverId)).not.toBeNull());
    const agent = await joinPowerAgent(port, serverId, options);
    if (options.machine !== null)
      await eventually(async () => expect((await read(serverId)).process).toBeTruthy());
    return { serverId, agent };
  };
  const audited = async (serverId: string) => {
    const { json } = await call(running().port, auditHttp.list, { as: desktop });
    return (json.rows as { action: string; target: string; after: Record<string, unknown> }[])
      .filter(({ target, action }) => target === `server:${serverId}` && action !== 'servers.create')
      .reverse();
  };
  const told = async (serverId: string) => {
    const rows = await running()
      .api.context.database.db.selectFrom('event_logs')
      .select(['kind', 'payload'])
      .where('server_id', '=', serverId)
      .where('kind', 'in', [
        'server.started',
        'server.stopped',
        'server.crashed',
        'server.program-fault',
        'server.crash-looping',
      ])
      .orderBy('id')
      .execute();
    return rows.map(({ kind }) => kind);
  };
  const shown = async (serverId: string) =>
    (await call(running().port, gameServersHttp.read, { as: desktop, params: { id: serverId } })).json
      .status as Record<string, unknown>;
  return { read, act, cancel, join, audited, told, shown };
};
