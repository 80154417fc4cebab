import { expect } from 'vitest';
import type { ChangeWish, ModsJob, ModsPlan, ServerMods } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { eventually } from '#harness/eventually.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { testDesktopCredential as as } from '../../kernel/testing/test-api.ts';
import { joinModsAgent, type ModsAgent, type ModsAgentOptions } from './mods-agent.ts';

/** A server with its agent, and what a person does to its mods through the API. */
export interface ModdedServer extends Disposable {
  readonly id: string;
  readonly agent: ModsAgent;
  read(): Promise<ServerMods>;
  plan(...wishes: readonly ChangeWish[]): Promise<ModsPlan>;
  /** @throws when it is refused */
  begin(plan: Pick<ModsPlan, 'id'>): Promise<ModsJob>;
  /** Waits until the last job has ended in this state and the list of that set has arrived. */
  ended(state: ModsJob['state'], job?: Pick<ModsJob, 'id'>): Promise<ModsJob>;
  /** Plans, begins, has the agent do it and waits for its end. */
  run(...wishes: readonly ChangeWish[]): Promise<ModsJob>;
}

export const openModdedServer = async (
  port: number,
  options: ModsAgentOptions = {},
): Promise<ModdedServer> => {
  const id = await newServer(port);
  const agent = await joinModsAgent(port, id, options);
  const params = { serverId: id };
  const read = async () => (await call(port, modsHttp.read, { as, params })).json as unknown as ServerMods;
  const plan: ModdedServer['plan'] = async (...wishes) => {
    const made = await call(port, modsHttp.plan, { as, params, body: { wishes: [...wishes] } });
    expect(made.status, made.text).toBe(200);
    return made.json as unknown as ModsPlan;
  };
  const begin: ModdedServer['begin'] = async ({ id: planId }) => {
    const begun = await call(port, modsHttp.begin, { as, params, body: { plan: planId } });
    expect(begun.status, begun.text).toBe(200);
    return begun.json as unknown as ModsJob;
  };
  const ended: ModdedServer['ended'] = (state, job) =>
    eventually(async () => {
      const { job: open, lastJob, list } = await read();
      expect([open, lastJob?.state]).toEqual([null, state]);
      if (!lastJob || (job && lastJob.id !== job.id)) throw new Error('another job was the last one');
      if (lastJob.result) expect(list?.revision).toBe(lastJob.result.revision);
      return lastJob;
    });
  await eventually(async () => expect(await read()).toMatchObject({ obstacle: null, list: {} }));
  return {
    id,
    agent,
    read,
    plan,
    begin,
    ended,
    async run(...wishes) {
      const job = await begin(await plan(...wishes));
      agent.finish(await agent.nextChange());
      return ended('done', job);
    },
    [Symbol.dispose]: () => agent[Symbol.dispose](),
  };
};
