import * as z from 'zod';
import { healthHttp } from '#contracts/operations/health.ts';
import { enrolmentExchange, enrolmentsHttp } from '#contracts/servers/agent-enrolment.ts';
import { agentFilesHttp } from '#contracts/servers/agent-files.ts';
import { agentProtocolVersion } from '#contracts/servers/agent-protocol.ts';
import { uploadsHttp } from '#contracts/servers/agent-uploads.ts';
import { agentEndpoints, agentsHttp } from '#contracts/servers/agents.ts';
import { Problem } from '#runtime/problem.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandStepUp, isPerson } from '../../kernel/access/step-up.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import { problemOf, refuseAgent } from './admission.ts';
import type { AgentGateway } from './agent-gateway.ts';
import { agentsHealthOf } from './agent-view.ts';

/** An agent of another version is told so, no matter what else is in its body. @throws {Problem} from within */
const ofOurVersion = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((body) => {
    const shown = (body as { v?: unknown } | null | undefined)?.v;
    if (typeof shown === 'number' && shown !== agentProtocolVersion)
      throw problemOf(refuseAgent('AGENT_VERSION_UNSUPPORTED'));
    return body;
  }, schema);

const { challenge, poll } = agentEndpoints;
const versionedEnrolment = { ...enrolmentExchange, body: ofOurVersion(enrolmentExchange.body) } as const;
const versionedChallenge = { ...challenge, body: ofOurVersion(challenge.body) } as const;
const { part: filePart, modKeys } = agentFilesHttp;
const versionedFilePart = { ...filePart, body: ofOurVersion(filePart.body) } as const;
const versionedModKeys = { ...modKeys, body: ofOurVersion(modKeys.body) } as const;
const versionedPoll = { ...poll, body: ofOurVersion(poll.body) } as const;

/** What the panel asks of agents, and what agents ask. */
export const bindAgentRoutes = (routes: ApiRoutes, gateway: AgentGateway): void => {
  routes.on(healthHttp.agents, () => {
    const readings = gateway.readings();
    return { status: agentsHealthOf(readings).status, agents: readings };
  });
  routes.on(healthHttp.gameAgent, () => {
    const readings = gateway.readings();
    const stale = readings.filter((agent) => agent.stale).length;
    const connected = readings.filter((agent) => !agent.stale && agent.mode !== null).length;
    return { connected, stale, agents: readings };
  });
  routes.on(agentsHttp.list, (_input, { actor }) => ({
    rows: gateway.list((serverId) => may(actor, 'servers.read', serverId)),
  }));
  routes.on(agentsHttp.replace, async ({ params: { serverId } }, { actor, address }) => {
    demandAgentsWrite(actor, serverId);
    // The next agent speaks for the server; a program's replacement ends the trust in the server's chat, as every one does.
    if (isPerson(actor)) demandStepUp(actor);
    return gateway.replace(serverId, { actor, address });
  });
  routes.on(versionedChallenge, (_input, { request }) => gateway.challenge(request));
  routes.on(versionedPoll, ({ body }, { request }) => gateway.poll(body, request));
  routes.on(versionedEnrolment, ({ body }, { request }) => gateway.enrol(body, request));
  routes.on(uploadsHttp.part, ({ params: { taskId }, query: { part, parts }, body }, { request }) =>
    gateway.upload({ taskId, part, parts, length: body.length }, body, request),
  );
  routes.on(versionedFilePart, ({ params, query: { part }, body }, { request }) =>
    gateway.filePart({ ...params, part }, body, request),
  );
  routes.on(versionedModKeys, ({ params: { taskId }, body }, { request }) =>
    gateway.modKeys(taskId, body, request),
  );
  const { enrolments } = gateway;
  routes.on(enrolmentsHttp.read, async ({ params: { serverId } }, { actor }) => {
    demandAgentsWrite(actor, serverId);
    return { enrolment: await enrolments.read(serverId) };
  });
  routes.on(enrolmentsHttp.create, async ({ params: { serverId } }, { actor, address }) => {
    demandAgentsWrite(actor, serverId);
    const { code, enrolment } = demandGranted(await enrolments.create(serverId, { actor, address }));
    return { code: code.reveal(), enrolment };
  });
  routes.on(enrolmentsHttp.cancel, async ({ params: { serverId } }, { actor, address }) => {
    demandAgentsWrite(actor, serverId);
    return { enrolment: await enrolments.cancel(serverId, { actor, address }) };
  });
};

const demandAgentsWrite = (actor: Actor, serverId: string): void => {
  if (!may(actor, 'agents.write', serverId))
    throw new Problem('FORBIDDEN', { detail: 'This needs the permission agents.write for this server.' });
};
