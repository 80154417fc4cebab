import { type Permission, permissionNames, permissions } from '#contracts/identity/permissions.ts';
import { observabilityHttp } from '#contracts/operations/observability.ts';
import { ask } from '../../server/kernel/testing/ask.ts';
import type { TestApi } from '../../server/kernel/testing/test-api.ts';
import { pickFrom, randomOf } from '../bench/harness/seeded-random.ts';
import { type Caller, type CallerGroup, callers, desktopHeaders } from './callers.ts';
import { addFixtures, type Fixtures } from './fixtures.ts';
import { createMemory, interfaceOf, type Operation, requestTo } from './hostile-requests.ts';
import { createSender, type FuzzAnswer, isAskedHealth } from './run-fuzz.ts';
import type { SampleOptions } from './sample-values.ts';

export interface MatrixResult {
  readonly callers: number;
  readonly routes: number;
  readonly requests: number;
  /** Answers that the route's declaration does not allow, and where a server's right reached other servers. */
  readonly faults: readonly string[];
  /** Routes that answered with success to someone. */
  readonly carriedOut: number;
}

const isPermission = (access: string): access is Permission =>
  permissionNames.some((name) => name === access);

/** What the declaration says: the refusal's status and code, or null for someone who is let in. */
const refusalOf = (caller: Caller, { access, proof }: Operation): readonly [number, string] | null => {
  if (caller.kind === 'nobody') return [401, 'UNAUTHENTICATED'];
  const isPerson = caller.kind === 'admin' || caller.kind === 'desktop';
  const isBot = caller.kind === 'bot' || caller.kind === 'discord';
  if ((access === 'session' || access === 'owner') && caller.kind === 'api-key')
    return [403, 'PERSON_REQUIRED'];
  const isLetIn =
    (access === 'discord-user' && caller.kind === 'discord') ||
    (access === 'signed-in' && !isBot) ||
    (access === 'session' && caller.kind === 'admin') ||
    (access === 'owner' && caller.kind === 'desktop') ||
    (isPermission(access) && caller.holds.includes(access));
  if (!isLetIn) return [403, 'FORBIDDEN'];
  if (proof !== 'any' && !isPerson) return [403, 'PERSON_REQUIRED'];
  return proof === 'step-up' && caller.steppedUp !== true ? [403, 'STEP_UP_REQUIRED'] : null;
};

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;
const codeOf = ({ text }: FuzzAnswer): string => /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? '';

/** What is wrong with an answer; null: nothing. */
const faultOf = (
  caller: Caller,
  operation: Operation,
  { path, answer }: { readonly path: string; readonly answer: FuzzAnswer },
  otherServers: readonly string[],
): string | null => {
  const expected = refusalOf(caller, operation);
  if (expected !== null) {
    const isRefused = answer.status === expected[0] && codeOf(answer) === expected[1];
    return isRefused ? null : `expected ${expected.join(' ')}`;
  }
  if (answer.status === 401 || (answer.status >= 500 && !isAskedHealth(nameOf(operation), answer)))
    return 'expected to be let in';
  const { onlyServer } = caller;
  const isOfServers = isPermission(operation.access) && permissions[operation.access].perServer;
  if (onlyServer === undefined || !isOfServers || answer.status >= 400) return null;
  const reached = otherServers.find((id) => answer.text.includes(id) || path.split('?', 1)[0]?.includes(id));
  return reached === undefined ? null : `reaches another server, ${reached}`;
};

const valuesOf = (
  { memberIds, discordUserIds, shopSecret }: Fixtures,
  serverIds: readonly string[],
  random: () => number,
): NonNullable<SampleOptions['values']> => {
  const memberId = () => pickFrom(memberIds, random);
  return {
    ...{ memberId, toMemberId: memberId, mergedId: memberId },
    serverId: () => pickFrom(serverIds, random),
    receiverId: () => pickFrom(discordUserIds, random),
    secret: () => shopSecret,
  };
};

/**
 * Sends every caller of a group to every route with requests as documented, and compares who is let in with what the route
 * declares. Callers with a right for one server ask for that server and for others.
 */
export const askAsEveryone = async (
  api: TestApi,
  group: CallerGroup,
  seed: number,
): Promise<MatrixResult> => {
  const { port } = api;
  const random = randomOf(seed);
  const fixtures = await addFixtures(api);
  const [ownServer = '', ...otherServers] = fixtures.serverIds;
  const document = await ask(port, observabilityHttp.openApi.path, { headers: desktopHeaders });
  const { operations, definitions } = interfaceOf(document.json);
  // Agents and visitors prove themselves by what they send, or need not.
  const guarded = operations.filter(({ access }) => access !== 'public' && access !== 'agent');
  const memory = createMemory();
  using sender = createSender(port);
  const faults: string[] = [];
  const carriedOut = new Set<Operation>();
  let requests = 0;

  const askOnce = async (
    caller: Caller,
    operation: Operation,
    headers: Readonly<Record<string, string>>,
    serverIds: readonly string[],
  ): Promise<void> => {
    const values = valuesOf(fixtures, serverIds, random);
    const made = requestTo(operation, { definitions, known: memory, random, values }, false);
    // A proxy's header removes what this machine itself may do without a credential.
    const asked = { ...made, headers: { ...made.headers, ...headers, 'X-Forwarded-For': '192.0.2.1' } };
    const answer = await sender.send(asked);
    requests += 1;
    if (answer.status < 400) carriedOut.add(operation);
    const fault = faultOf(caller, operation, { path: made.path, answer }, otherServers);
    if (fault !== null)
      faults.push(
        `${caller.name}: ${made.method} ${made.path}: ${answer.status} ${answer.text.slice(0, 200)}; ${fault}`,
      );
    if (caller.kind === 'desktop' && answer.status === 200) learn(made.path, answer);
  };
  const learn = (path: string, answer: FuzzAnswer): void => {
    if (answer.headers['content-type']?.startsWith('application/json') === true)
      memory.learn(path, JSON.parse(answer.text || 'null'));
  };
  const readAll = async (): Promise<void> => {
    for (const operation of guarded.filter(({ method }) => method === 'GET')) {
      const values = valuesOf(fixtures, fixtures.serverIds, random);
      const made = requestTo(operation, { definitions, known: memory, random, values }, false);
      const answer = await sender.send({ ...made, headers: { ...made.headers, ...desktopHeaders } });
      if (answer.status === 200) learn(made.path, answer);
    }
  };

  await readAll();
  const everyone = callers(ownServer)[group];
  for (const caller of everyone) {
    const headers = await caller.headers(port);
    for (const operation of guarded) {
      // These change or end the caller's own account and session.
      if (
        operation.access === 'session' &&
        operation.method !== 'GET' &&
        refusalOf(caller, operation) === null
      )
        continue;
      await askOnce(caller, operation, headers, fixtures.serverIds);
      if (caller.onlyServer !== undefined) await askOnce(caller, operation, headers, otherServers);
    }
  }
  return {
    ...{ callers: everyone.length, routes: guarded.length, requests, faults },
    carriedOut: carriedOut.size,
  };
};
