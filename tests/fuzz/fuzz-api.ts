import { botHttp } from '#contracts/discord/bot.ts';
import { observabilityHttp } from '#contracts/operations/observability.ts';
import { agentFrame, agentProtocolVersion } from '#contracts/servers/agent-protocol.ts';
import { agentEndpoints } from '#contracts/servers/agents.ts';
import { genericShopEvent, shopWebhooksHttp } from '#contracts/storefronts/shop-webhooks.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { Secret } from '#runtime/secret.ts';
import { ask } from '../../server/kernel/testing/ask.ts';
import { person } from '../../server/kernel/testing/call.ts';
import { asDiscord } from '../../server/kernel/testing/discord-user.ts';
import {
  type TestApi,
  testAgentSecret,
  testBotSecret,
  testDesktopCredential,
} from '../../server/kernel/testing/test-api.ts';
import { agentIdentity, askNonce, helloOf } from '../../server/servers/agents/testing/scripted-agent.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import { addFixtures } from './fixtures.ts';
import {
  createMemory,
  type HostileRequest,
  interfaceOf,
  type Operation,
  requestTo,
  spoilt,
} from './hostile-requests.ts';
import type { Random } from './hostile-values.ts';
import { createSender, type FuzzResult, isAskedHealth, runFuzz } from './run-fuzz.ts';
import { type SampleOptions, sampleOf, schemaOf } from './sample-values.ts';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const desktop = {
  ...bearer(testDesktopCredential),
  [confirmationHeader]: confirmationBy(new Secret(testDesktopCredential)),
};
const bot = bearer(testBotSecret);

const frameSchema = schemaOf(agentFrame);
const shopEventSchema = schemaOf(genericShopEvent);

const mostFrames = 4;
/** Requests. */
const repairEvery = 200;

/** Sends requests to everything that an API describes, by callers who get past its rights. */
export const fuzzApi = async (
  api: TestApi,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<FuzzResult> => {
  const { port } = api;
  const fixtures = await addFixtures(api);
  const document = await ask(port, observabilityHttp.openApi.path, { headers: desktop });
  const { operations, definitions } = interfaceOf(document.json);
  const memory = createMemory();
  using sender = createSender(port);
  let shopId = await fixtures.newShop();
  const newSession = async () => (await person(port, { role: 'owner' })).token;
  let session = await newSession();

  const credentialFor = ({ access }: Operation, random: Random): Record<string, string> => {
    if (access === 'public' || access === 'agent') return {};
    if (access === botHttp.report.access) return bot;
    if (access === 'discord-user')
      return { ...bot, ...asDiscord({ id: pickFrom(fixtures.discordUserIds, random) }).headers };
    return access === 'session' ? bearer(session) : desktop;
  };

  const valuesBy = (random: Random): NonNullable<SampleOptions['values']> => {
    const memberId = () => pickFrom(fixtures.memberIds, random);
    return {
      ...{ memberId, toMemberId: memberId, mergedId: memberId },
      serverId: () => pickFrom(fixtures.serverIds, random),
      receiverId: () => pickFrom(fixtures.discordUserIds, random),
      secret: () => fixtures.shopSecret,
    };
  };

  /** A poll proves its sender over a nonce of the API, and a webhook by its body. */
  const signed = async (operation: Operation, random: Random): Promise<HostileRequest | null> => {
    const json = { 'Content-Type': 'application/json' };
    const options = { random, known: memory, definitions: {}, values: valuesBy(random) };
    if (operation.path === agentEndpoints.poll.path) {
      const length = Math.floor(random() * mostFrames);
      const frames = Array.from({ length }, () => sampleOf(frameSchema, '', options));
      const agent = agentIdentity(pickFrom(fixtures.serverIds, random), testAgentSecret);
      const hello = helloOf(agent, await askNonce(port));
      const body = { v: agentProtocolVersion, hello, frames: spoilt(frames, random), hold: false };
      return { method: 'POST', path: operation.path, headers: json, body: JSON.stringify(body) };
    }
    if (operation.path === shopWebhooksHttp.take.path.replace(':shop', '{shop}')) {
      const body = JSON.stringify(spoilt(sampleOf(shopEventSchema, '', options), random)) ?? '';
      const path = operation.path.replace('{shop}', shopId);
      return { method: 'POST', path, headers: { ...json, ...fixtures.signatureOf(body) }, body };
    }
    return null;
  };

  let sent = 0;
  return runFuzz({
    seed,
    count,
    isAsked: ([operation, , answer]) => isAskedHealth(operation, answer),
    async next(random) {
      sent += 1;
      if (sent % repairEvery === 0) await fixtures.repair();
      const operation = pickFrom(operations, random);
      const isSigned = random() < 0.8;
      const made =
        (isSigned ? await signed(operation, random) : null) ??
        requestTo(operation, { definitions, known: memory, random, values: valuesBy(random) });
      const asked = { ...made, headers: { ...made.headers, ...credentialFor(operation, random) } };
      const answer = await sender.send(asked);
      if (answer.status === 200 && answer.headers['content-type']?.startsWith('application/json'))
        memory.learn(made.path, JSON.parse(answer.text || 'null'));
      // It has changed or removed its own shop.
      if (answer.text.includes('WEBHOOK_SIGNATURE_INVALID') && made.path.endsWith(shopId))
        shopId = await fixtures.newShop().catch(() => shopId);
      // It has ended its own session; sign-ins are limited, so that some requests go without one.
      if (operation.access === 'session' && answer.status === 401 && answer.text.includes('UNAUTHENTICATED'))
        session = await newSession().catch(() => session);
      return [`${operation.method} ${operation.path}`, asked, answer];
    },
  });
};
