import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { startAgentBeside } from '#harness/agent-beside.ts';
import { builtProgram } from '#harness/built-program.ts';
import { eventually } from '#harness/eventually.ts';
import { type HeldDatabase, openHeldDatabase } from '#harness/held-database.ts';
import { type ApiProcess, installOver } from '#harness/licensed-home.ts';
import { callAsOwner, type OwnerCall } from '#harness/owner-call.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import { startDiscord, usualBot } from '#simulators/discord/discord.ts';
import type { People } from '#simulators/discord/people.ts';
import { type MinecraftSimulator, startMinecraft } from '#simulators/minecraft-simulator.ts';
import { readHolderRecord } from '../../agent/power/holder/holder-record.ts';
import { killFamily } from '../../agent/power/process/game-family.ts';
import { startAgentFrom, writeConfig } from '../../agent/testing/agent-process.ts';
import { programsFolder } from '../../build/bundle.ts';
import { sqlSession } from '../../server/kernel/testing/sql.ts';
import { openTestCluster, testClusterUrl } from '../../server/kernel/testing/test-cluster.ts';

export const guildId = '222222222222222222';
export const player = 'Otter';

/** A world on the disk, whose game an agent starts and stops. */
export interface World {
  readonly serverId: string;
  write(word: string): Promise<void>;
  /** Null: no world, or not the same content everywhere. */
  read(): Promise<string | null>;
}

/** What a new owner has: the API over a Postgres that can be cut off, a game with its agent, a world, and Discord with the bot. */
export interface OwnerStack extends AsyncDisposable {
  readonly database: HeldDatabase;
  readonly game: MinecraftSimulator;
  /** Of the game. */
  readonly serverId: string;
  /** Of its player. */
  readonly memberId: string;
  readonly world: World;
  readonly discord: { readonly people: People };
  api(): ApiProcess;
  /** Kills the API in this same turn of the event loop. */
  kill(): void;
  /**
   * Kills it, if it was not, and starts it again over a database that can be reached.
   * @param arm runs in between; the process may be killed before it is ready then, and is not waited for
   */
  restart(arm?: () => void): Promise<void>;
  call<E extends Endpoint>(endpoint: E, input?: OwnerCall): Promise<EndpointResponse<E>>;
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface OwnerStackOptions {
  /** Names of the channels. */
  readonly channels: readonly string[];
}

const patientMs = 90_000;
const worldFiles = 20;
const worldFileBytes = 50_000;

export const openOwnerStack = async ({ channels }: OwnerStackOptions): Promise<OwnerStack> => {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await temporaryFolder('owner-kills')).path;
  const game = opening.use(await startMinecraft());
  const postgresPort = await freePort();
  const databaseUrl = testClusterUrl(postgresPort);
  const database = opening.use(
    await openHeldDatabase(new Secret(`${databaseUrl.reveal()}?connection_limit=10`)),
  );
  const installation = opening.use(await installOver(database.url, {}, join(programsFolder, 'api.mjs')));
  // Where the API expects it, so that it can be backed up.
  const cluster = opening.use(await openTestCluster(installation.home, postgresPort));
  await cluster.start();
  let api = await installation.startApi();
  const sql = opening.use(await sqlSession(databaseUrl));
  const call: OwnerStack['call'] = (endpoint, input) => callAsOwner(api, endpoint, input);
  const secret = installation.variables.GAME_AGENT_SECRET ?? '';
  const { apiUrl } = installation;

  const { id: clusterId } = await call(clustersHttp.create, { body: { name: 'Home', description: '' } });
  const { port, password } = game;
  const newServer = async (name: string, consolePort: number) =>
    (await call(gameServersHttp.create, { body: { clusterId, name, game: 'minecraft', port: consolePort } }))
      .id;
  const serverId = await newServer('Fjord', port);
  game.world.join(player);
  const agents = join(folder, 'agents');
  const openWorld = async (): Promise<World> => {
    const worldPort = await freePort();
    const id = await newServer('Coast', worldPort);
    const state = join(folder, 'world-agent');
    const gameFolder = join(folder, 'world-game');
    const world = join(gameFolder, 'world');
    for (const path of [state, join(world, 'region')]) await mkdir(path, { recursive: true });
    const main = resolve(import.meta.dirname, '../integration/testing/held-game-main.ts');
    const record = join(folder, 'world-game.txt');
    const command = [
      process.execPath,
      main,
      String(worldPort),
      'held',
      record,
      '0',
      join(world, 'level.json'),
    ];
    const config = await writeConfig(state, {
      apiUrl,
      serverId: id,
      secret,
      game: 'minecraft',
      console: { host: '127.0.0.1', port: worldPort, password: 'held' },
      stateFolder: state,
      server: { folder: gameFolder, start: { by: 'holder', command }, allow: { power: true, files: true } },
    });
    opening.defer(async () => {
      const held = await readHolderRecord(join(state, 'power')).catch(() => null);
      if (held) await killFamily(held);
    });
    opening.use(startAgentFrom(builtProgram('agent', agentSource), '--config', config));
    const region = join(world, 'region');
    return {
      serverId: id,
      async write(word) {
        const filling = randomBytes(worldFileBytes).toString('base64');
        for (let file = 0; file < worldFiles; file += 1)
          await writeFile(join(region, `r.${file}.mca`), `${word} ${filling}`);
      },
      async read() {
        const names = await readdir(region).catch(() => []);
        const words = await Promise.all(
          names.map(async (name) => (await readFile(join(region, name), 'utf8')).split(' ')[0]),
        );
        return names.length === worldFiles && new Set(words).size === 1 ? (words[0] ?? null) : null;
      },
    };
  };
  const openDiscord = async () => {
    const discord = opening.use(
      await startDiscord({
        settings: {
          identifyWindowMs: 0,
          sessionStarts: { total: 10_000, remaining: 10_000, maxConcurrency: 1 },
        },
      }),
    );
    const people = discord.addGuild('The Keep', { id: guildId, channels: [...channels] });
    const bot = spawn(process.execPath, [join(programsFolder, 'bot.mjs')], {
      env: {
        DISCORD_BOT_TOKEN: usualBot.token,
        GUILD_ID: guildId,
        API_URL: apiUrl,
        INTERNAL_API_SECRET: installation.variables.INTERNAL_API_SECRET,
        DISCORD_API_URL: discord.apiUrl,
        LOG_LEVEL: 'error',
      },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    opening.defer(async () => {
      const exited = once(bot, 'exit');
      bot.kill('SIGKILL');
      await exited;
    });
    return { people };
  };
  opening.use(
    await startAgentBeside({
      apiUrl,
      secret,
      serverId,
      game: 'minecraft',
      console: { port, password },
      folder: agents,
      program: builtProgram('agent', agentSource),
    }),
  );
  const world = await openWorld();
  const discord = await openDiscord();
  const seen = async () => {
    const [row] = await sql.query<{ member_id: string }>('select member_id from players where name = $1', [
      player,
    ]);
    if (!row) throw new Error('the player was not seen yet');
    return row.member_id;
  };
  const memberId = await eventually(seen, patientMs);

  const kill = () => void api.process.kill('SIGKILL');
  const owned = opening.move();
  return {
    database,
    game,
    serverId,
    memberId,
    world,
    discord,
    api: () => api,
    kill,
    async restart(arm) {
      const { process: child } = api;
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        kill();
        await exited;
      }
      database.open();
      arm?.();
      api = await installation.startApi({ untilReady: arm === undefined });
    },
    call,
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await sql.query(text, [...values])) as Row[],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

const agentSource = resolve(import.meta.dirname, '../../agent/main.ts');
