import { EventEmitter } from 'node:events';
import { agentProtocolVersion, apiFrame } from '#contracts/servers/agent-protocol.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';
import { eventually } from '#harness/eventually.ts';
import type { DeliveryRoutes } from '../../../kernel/commands/console-router.ts';
import {
  type AgentIdentity,
  agentIdentity,
  answered,
  joinSocket,
  type SocketAgent,
} from '../../../servers/agents/testing/scripted-agent.ts';
import {
  type DeliveriesOfATest,
  deliveriesOfATest,
  type Obey,
} from '../../deliveries/testing/deliveries-of-a-test.ts';
import type { StoreNews } from '../../store-context.ts';
import { settingsOfATest } from '../../testing/store-context-of-a-test.ts';
import { createEntitlements, type Entitlements } from '../entitlements.ts';

export const day = 86_400;

export const vip = (more: { readonly days?: number; readonly extends?: boolean } = {}): DeliveryLine => ({
  kind: 'command',
  command: 'lp user {player} parent add vip',
  counterCommand: 'lp user {player} parent remove vip',
  success: [],
  failure: ['*could not be found*'],
  needsPlayer: true,
  quantity: 1,
  position: 0,
  lasts: { key: 'rank:vip', seconds: (more.days ?? 30) * day, extends: more.extends ?? true, taken: [] },
});

/** A server whose plug-in keeps ranks, and the commands that it got. */
export interface RankedServer {
  readonly serverId: string;
  /** Names with the rank. */
  readonly ranked: Set<string>;
  /** Counter-commands that it carried out, by name. */
  readonly taken: string[];
  readonly given: string[];
  readonly gifts: string[];
  /** What was done to ranks, in order. */
  readonly told: ('add' | 'remove' | 'decided')[];
  /** How it handles counter-commands. `lost`: it carries them out, and their replies are lost. */
  mood: 'well' | 'silent' | 'lost' | 'refuses';
  /** The same for commands that give. */
  givingMood: 'well' | 'lost';
  /** Runs when a counter-command is carried out, before its reply leaves. */
  onTaken: () => void;
}

export interface LastingStore extends AsyncDisposable {
  readonly store: DeliveriesOfATest;
  entitlements: Entitlements;
  /** The API's clock is this much ahead. */
  aheadMs: number;
  paused: boolean;
  readonly ended: { count: number };
  timeZone: string;
  /** Like a process that starts; the previous one is left as a kill leaves it. */
  restart(): void;
  kill(): void;
  begin(): void;
  ranked(): Promise<RankedServer>;
  joins(server: Pick<RankedServer, 'serverId'>): Promise<void>;
  leaves(server: Pick<RankedServer, 'serverId'>): Promise<void>;
  /** The agent's result of a command. */
  tells(serverId: string, commandId: string, reply: string | CommandResult): void;
  player(server: RankedServer): Promise<{ memberId: string; playerId: string; name: string }>;
  /** Bought, and delivered where the player is. @returns the order's id */
  buy(memberId: string, line?: DeliveryLine, serverIds?: readonly string[]): Promise<string>;
  refund(orderId: string): Promise<void>;
  /** Time passes: everything that was stored is further in the past. */
  pass(seconds: number): Promise<void>;
  places(memberId: string): Promise<
    {
      id: string;
      state: string;
      server_id: string;
      detail: string | null;
      certainty: string | null;
      sends: number;
      command_id: string | null;
    }[]
  >;
  endOf(memberId: string): Promise<{ ends_at: Date | null; ended_at: Date | null }>;
}

const lost: CommandResult = { ...answered(''), outcome: 'timeout', reply: null };

export const openLastingStore = async (): Promise<LastingStore> => {
  const store = await deliveriesOfATest();
  const { pool } = store.database;
  const identities = new Map<string, AgentIdentity>();
  const players = new Map<string, readonly string[]>();
  const obeys = new Map<string, Obey>();
  const agents = new Map<string, SocketAgent>();
  let made = 0;
  /** What a killed process waits for never comes. */
  const mortal = (through: DeliveryRoutes): { readonly ways: DeliveryRoutes; readonly kill: () => void } => {
    let isDead = false;
    const unlessDead = <Value>(value: Value): Promise<Value> =>
      isDead ? new Promise(() => undefined) : Promise.resolve(value);
    return {
      kill() {
        isDead = true;
      },
      ways: {
        ...through,
        async prepare(trx, sendings) {
          const prepared = await through.prepare(trx, sendings);
          return prepared.map((one) => ({ run: () => one.run().then(unlessDead) }));
        },
        resultOf: (...asked) => through.resultOf(...asked).then(unlessDead),
      },
    };
  };
  const ended: string[] = [];
  let life = mortal(store.process());
  const open = () => {
    ended.push(life.ways.leases.processId);
    life = mortal(store.process(...ended));
    const news = new EventEmitter<StoreNews>();
    news.on('rolesEnded', () => {
      lasting.ended.count += 1;
    });
    return createEntitlements({
      ...store.context,
      ways: life.ways,
      deliveries: { wake: (memberIds) => store.deliveries.wake(memberIds) },
      settings: {
        values: (section) => settingsOfATest({ general: { timeZone: lasting.timeZone } }).values(section),
      },
      news,
      pauses: { isPaused: () => lasting.paused },
      now: () => Date.now() + lasting.aheadMs,
      timing: { answerMs: 3000 },
    });
  };
  const lasting: LastingStore = {
    store,
    entitlements: undefined as unknown as Entitlements,
    aheadMs: 0,
    paused: false,
    ended: { count: 0 },
    timeZone: 'UTC',
    kill() {
      life.kill();
    },
    begin() {
      lasting.entitlements = open();
    },
    restart() {
      lasting.kill();
      lasting.begin();
    },
    async ranked() {
      const server: RankedServer = {
        serverId: await store.server('minecraft'),
        ranked: new Set(),
        taken: [],
        given: [],
        gifts: [],
        told: [],
        mood: 'well',
        givingMood: 'well',
        onTaken: () => undefined,
      };
      identities.set(server.serverId, agentIdentity(server.serverId));
      obeys.set(server.serverId, (command) => {
        const [, name = '', what] = /^lp user (\S+) parent (add|remove) vip$/.exec(command) ?? [];
        if (command.startsWith('list')) {
          const listed = [...(players.get(server.serverId) ?? [])];
          return `There are ${listed.length} of a max of 20 players online: ${listed.join(', ')}`;
        }
        const [, gift] = /^(?:minecraft:)?give \S+ (\S+) /.exec(command) ?? [];
        if (gift !== undefined) {
          server.gifts.push(gift);
          return `Gave 1 [Bread] to ${command.split(' ')[1]}`;
        }
        if (what === 'add') {
          server.told.push('add');
          server.given.push(name);
          server.ranked.add(name);
          return server.givingMood === 'lost' ? lost : '';
        }
        if (what !== 'remove') return 'Unknown or incomplete command, see below for error';
        if (server.mood === 'refuses') return `A user for ${name} could not be found.`;
        server.told.push('remove');
        server.taken.push(name);
        server.ranked.delete(name);
        server.onTaken();
        if (server.mood === 'silent') return null;
        if (server.mood === 'lost') return lost;
        return `${name} no longer inherits permissions from vip in context global.`;
      });
      await lasting.joins(server);
      return server;
    },
    async joins({ serverId }) {
      const identity = identities.get(serverId) ?? agentIdentity(serverId);
      const agent = await joinSocket(store.gateway.port, identity);
      agents.set(serverId, agent);
      agent.send({ v: agentProtocolVersion, type: 'command-journal', journal: 'j'.repeat(22) });
      agent.socket.on('message', (data) => {
        const frame = apiFrame.parse(JSON.parse(String(data)));
        if (frame.type !== 'command') return;
        agent.send({ v: agentProtocolVersion, type: 'accepted', commandIds: [frame.id] });
        const reply = obeys.get(serverId)?.(frame.command) ?? null;
        if (reply !== null) lasting.tells(serverId, frame.id, reply);
      });
      agent.heartbeat(1, []);
      await eventually(() => {
        if (!store.gateway.gateway.connectionOf(serverId)) throw new Error('the agent is not there yet');
      });
    },
    async leaves({ serverId }) {
      agents.get(serverId)?.[Symbol.dispose]();
      await eventually(() => {
        if (store.ways.open(serverId)) throw new Error('the agent is still there');
      });
    },
    tells(serverId, commandId, reply) {
      const result = typeof reply === 'string' ? answered(reply) : reply;
      agents.get(serverId)?.send({ v: agentProtocolVersion, type: 'result', commandId, result });
    },
    async player(server) {
      made += 1;
      const name = `Player${made}`;
      const uuid = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
      players.set(server.serverId, [...(players.get(server.serverId) ?? []), `${name} (${uuid})`]);
      const member = await store.member(name, 'minecraft', `minecraft:${uuid}`);
      store.join(server.serverId, member.playerId, name);
      return { ...member, name };
    },
    async buy(memberId, line = vip(), serverIds = []) {
      const [id] = await store.buy(memberId, 'minecraft', [line], { serverIds });
      store.deliveries.wake([memberId]);
      await store.deliveries.idle();
      const { rows } = await pool.query<{ order_id: string }>(
        'select order_id from deliveries where id = $1',
        [id],
      );
      return rows[0]?.order_id ?? '';
    },
    async refund(orderId) {
      await pool.query(
        `select castellan_refund_delivery(id, 'test', null) from deliveries where order_id = $1 and refunded_at is null`,
        [orderId],
      );
    },
    async pass(seconds) {
      const by = `make_interval(secs => ${seconds})`;
      await pool.query(`
        update entitlements set ends_at = ends_at - ${by}, ended_at = ended_at - ${by};
        update entitlement_grants set given_at = given_at - ${by}, revoked_at = revoked_at - ${by}, ended_at = ended_at - ${by};
        update entitlement_places set changed_at = changed_at - ${by}, next_try_at = next_try_at - ${by}, sent_at = sent_at - ${by};
        update delivery_attempts set began_at = began_at - ${by};
        update store_state set epoch_since = epoch_since - ${by};
        update entitlement_days set day = day - 10000;
        update entitlement_days set day = day + 10000 - ${Math.round(seconds / day)};`);
    },
    async places(memberId) {
      const { rows } = await pool.query(
        `select place.* from entitlement_places as place join entitlements on entitlements.id = entitlement_id
          where castellan_member_today(member_id) = castellan_member_today($1) order by server_id`,
        [memberId],
      );
      return rows;
    },
    async endOf(memberId) {
      const { rows } = await pool.query(
        'select ends_at, ended_at from entitlements where castellan_member_today(member_id) = castellan_member_today($1)',
        [memberId],
      );
      return rows[0];
    },
    async [Symbol.asyncDispose]() {
      await lasting.entitlements[Symbol.asyncDispose]();
      for (const agent of agents.values()) agent[Symbol.dispose]();
      await store[Symbol.asyncDispose]();
    },
  };
  lasting.begin();
  return lasting;
};
