import type { BanPlace, NewBan } from '#contracts/people/bans.ts';
import { eventually } from '#harness/eventually.ts';
import { startArk } from '../../../../tests/simulators/ark-simulator.ts';
import { startMinecraft } from '../../../../tests/simulators/minecraft-simulator.ts';
import { startSevenDays } from '../../../../tests/simulators/seven-days-simulator.ts';
import type { Simulator } from '../../../../tests/simulators/simulator.ts';
import type { DeliveryRoutes } from '../../../kernel/commands/console-router.ts';
import { isRefusal } from '../../../kernel/http/refusal.ts';
import { silentLog, testOwner } from '../../../kernel/testing/feature-api.ts';
import {
  type DeliveriesOfATest,
  deliveriesOfATest,
} from '../../../store/deliveries/testing/deliveries-of-a-test.ts';
import { type Bans, createBans } from '../bans.ts';

export interface SimulatedServer {
  readonly serverId: string;
  readonly game: Simulator;
}

export interface Banning extends AsyncDisposable {
  readonly store: DeliveriesOfATest;
  bans: Bans;
  /** The API's clock is this much ahead. */
  aheadMs: number;
  /** Runs before a command leaves; if it throws, the process dies there. */
  onSend: (serverId: string) => void;
  /** The game's reply is lost to this process, as by a kill. */
  losesAnswers: boolean;
  server(kind: 'minecraft' | 'seven-days-to-die' | 'ark-asa'): Promise<SimulatedServer>;
  away(server: SimulatedServer): Promise<void>;
  back(server: SimulatedServer): Promise<void>;
  /** Like a process that starts; the previous one is left as a kill leaves it. */
  restart(): void;
  /** Another process next to it. */
  beside(): Bans;
  /** A player of Minecraft. */
  someone(): Promise<{ readonly memberId: string; readonly playerId: string; readonly name: string }>;
  /** They were on the server, and are away now. */
  wasOn(server: SimulatedServer, playerId: string, name: string): Promise<void>;
  /** Moves on beyond every rest and back-off of a first failure. */
  later(): void;
  ban(playerId: string, wanted?: Partial<NewBan>): Promise<string>;
  details(banId: string): Promise<readonly BanPlace[]>;
  /** By server. */
  states(banId: string): Promise<Record<string, string>>;
}

export const by = { actor: testOwner, address: '127.0.0.1' };

export const isBanned = ({ game }: SimulatedServer, name: string): boolean => game.world.bans.has(name);
export const commandsAbout = ({ game }: SimulatedServer, name: string): readonly string[] =>
  game.world.commands.filter((line) => line.split(' ').includes(name));

/** A bench with real consoles of simulated games. */
export const openBanning = async (): Promise<Banning> => {
  const store = await deliveriesOfATest();
  const games: Simulator[] = [];
  let made = 0;
  let current = { isDead: false, processId: '' };
  const ended: string[] = [];
  const open = (life: typeof current): Bans => {
    const never = new Promise<never>(() => undefined);
    const through = store.process(...ended);
    life.processId = through.leases.processId;
    const ways: DeliveryRoutes = {
      ...through,
      async prepare(trx, sendings) {
        const prepared = await through.prepare(trx, sendings);
        return prepared.map((one, index) => ({
          async run() {
            banning.onSend(sendings[index]?.serverId ?? '');
            const loses = banning.losesAnswers;
            const result = await one.run();
            return loses || life.isDead ? never : result;
          },
        }));
      },
    };
    return createBans({
      db: store.database.db,
      ways,
      servers: store.servers,
      sessions: () => [],
      licenseHolds: () => store.licensed,
      now: () => Date.now() + banning.aheadMs,
      answerMs: 1500,
      log: silentLog,
    });
  };
  const starts = { minecraft: startMinecraft, 'seven-days-to-die': startSevenDays, 'ark-asa': startArk };
  const banning: Banning = {
    store,
    bans: undefined as unknown as Bans,
    aheadMs: 0,
    onSend: () => undefined,
    losesAnswers: false,
    async server(kind) {
      const game = await starts[kind]();
      games.push(game);
      const serverId = await store.server(kind, { port: game.port, password: game.password });
      const server = { serverId, game };
      await isThere(serverId, true);
      return server;
    },
    async away({ game, serverId }) {
      await game.goOffline();
      await isThere(serverId, false);
    },
    async back({ game, serverId }) {
      await game.comeBack();
      await isThere(serverId, true);
    },
    restart() {
      current.isDead = true;
      ended.push(current.processId);
      current = { isDead: false, processId: '' };
      banning.bans = open(current);
    },
    beside: () => open({ isDead: false, processId: '' }),
    async someone() {
      made += 1;
      const name = `Player${made}`;
      const uuid = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
      return { ...(await store.member(name, 'minecraft', `minecraft:${uuid}`)), name };
    },
    async wasOn({ serverId }, playerId, name) {
      await store.database.pool.query(
        `with session as (
           insert into player_sessions (player_id, server_id, handle, left_at) values ($1, $2, $3, now()))
         insert into player_names (player_id, name, name_key) values ($1, $3, $3)`,
        [playerId, serverId, name],
      );
    },
    later() {
      banning.aheadMs += 60_000;
    },
    async ban(playerId, wanted = {}) {
      const id = await banning.bans.write.give(
        playerId,
        { servers: 'all', reason: 'spam', until: null, ...wanted },
        by,
      );
      if (isRefusal(id)) throw new Error(`${id.refused}: ${id.detail}`);
      return id;
    },
    async details(banId) {
      return (await banning.bans.reading.read(testOwner, banId))?.details ?? [];
    },
    async states(banId) {
      const places = await banning.details(banId);
      return Object.fromEntries(places.map(({ serverId, state }) => [serverId, state]));
    },
    async [Symbol.asyncDispose]() {
      await banning.bans[Symbol.asyncDispose]();
      await Promise.all(games.map((game) => game[Symbol.asyncDispose]()));
      await store[Symbol.asyncDispose]();
    },
  };
  const isThere = (serverId: string, wanted: boolean) =>
    eventually(() => {
      if ((store.ways.open(serverId) !== null) !== wanted) throw new Error(`${serverId} is not so yet`);
    }, 30_000);
  banning.restart();
  return banning;
};
