import { afterAll } from 'vitest';
import { type MigratedDatabase, migratedDatabase } from '../../../kernel/testing/feature-api.ts';
import { type AgentIdentity, agentIdentity } from './scripted-agent.ts';
import {
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
  type TestServers,
  testServers,
} from './test-gateway.ts';

export interface GatewayOfATest {
  readonly api: TestGateway;
  readonly database: MigratedDatabase;
  readonly servers: TestServers;
  /** A server that no other test uses. @returns its id */
  newServer(): Promise<string>;
  /** An agent of a new server that was never connected. */
  newIdentity(): Promise<AgentIdentity>;
}

/** One gateway, with a database, for all tests of a file. */
export const gatewayForThisFile = async (
  options: Omit<TestGatewayOptions, 'database' | 'servers'> = {},
): Promise<GatewayOfATest> => {
  const owned = new AsyncDisposableStack();
  afterAll(() => owned.disposeAsync());
  const database = owned.use(await migratedDatabase());
  const servers = await testServers(database);
  const api = owned.use(await startTestGateway({ ...options, database, servers }));
  let made = 0;
  const newServer = async () => {
    made += 1;
    await servers.add(`s${made}`);
    return `s${made}`;
  };
  return { api, database, servers, newServer, newIdentity: async () => agentIdentity(await newServer()) };
};
