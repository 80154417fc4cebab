import { setupHttp } from '#contracts/operations/setup.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { useLiveAgents } from '../../servers/game-servers/use-live-agents.ts';
import { useLiveServers } from '../../servers/use-live-servers.ts';
import type { OnboardingStatus } from './onboarding-status.ts';

const everyMs = 5000;
/** Not covered by the live updates: the newest command that got a reply. */
const newestAnswered = { query: { outcome: 'answered', limit: 1 } } as const;
const newestDeliveries = { query: { limit: 5 } } as const;
/** Points and gifts are for people who play; a Discord server may have thousands of other members. */
const withPlayer = { query: { group: 'with-player' } } as const;
const newestDelivered = { query: { state: 'delivered', limit: 1 } } as const;

interface ReadOnboardingStatus {
  readonly status: OnboardingStatus;
  /** The first answers are still loading. */
  readonly isPending: boolean;
  /** Why something is unknown. */
  readonly error: Error | null;
}

/** The current facts that the steps depend on. */
export const useOnboardingStatus = (): ReadOnboardingStatus => {
  const can = useCan();
  const maySee = can.somewhere('servers.read');
  const mayReadConsole = can.somewhere('console.read');
  const setup = useRead(setupHttp.state, {});
  const clusters = useRead(clustersHttp.list, {}, { enabled: maySee, everyMs });
  const servers = useLiveServers();
  const history = useRead(consoleHttp.history, newestAnswered, { enabled: mayReadConsole, everyMs });
  const agents = useLiveAgents();
  const store = useStoreStatus();
  const awaited = [
    setup.data,
    ...(maySee ? [clusters.data, servers.data, agents.data] : []),
    ...(mayReadConsole ? [history.data] : []),
    ...store.awaited,
  ];
  const error =
    setup.error ?? clusters.error ?? servers.error ?? history.error ?? agents.error ?? store.error;
  return {
    status: {
      hasOwner: setup.data && !setup.data.needed,
      clusters: clusters.data?.rows,
      servers: servers.data?.rows,
      answered: history.data && (history.data.rows[0] ?? null),
      agents: agents.data?.rows,
      ...store.status,
    },
    isPending: error === null && awaited.includes(undefined),
    error,
  };
};

const useStoreStatus = () => {
  const can = useCan();
  const [maySell, mayReadMembers, mayReadOrders] = [
    can('store.read'),
    can('members.read'),
    can('orders.read'),
  ];
  const products = useRead(storeHttp.products, { query: {} }, { enabled: maySell, everyMs });
  const members = useRead(membersHttp.search, withPlayer, { enabled: mayReadMembers, everyMs });
  const newest = useRead(deliveriesHttp.list, newestDeliveries, { enabled: mayReadOrders, everyMs });
  const delivered = useRead(deliveriesHttp.list, newestDelivered, { enabled: mayReadOrders, everyMs });
  return {
    status: {
      products: products.data?.rows,
      members: members.data?.rows,
      deliveries: newest.data?.rows,
      delivered: delivered.data && (delivered.data.rows[0] ?? null),
    },
    awaited: [
      ...(maySell ? [products.data] : []),
      ...(mayReadMembers ? [members.data] : []),
      ...(mayReadOrders ? [newest.data, delivered.data] : []),
    ],
    error: products.error ?? members.error ?? newest.error ?? delivered.error,
  };
};
