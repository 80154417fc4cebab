import { adminsHttp } from '#contracts/identity/admins.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { eventsHttp } from '#contracts/kernel/events.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import type { Panel } from '#harness/panel.ts';
import { freePort } from '#harness/ports.ts';

const commands: Readonly<Record<GameId, readonly string[]>> = {
  minecraft: ['list', 'time query daytime', 'say The server restarts at midnight'],
  'ark-asa': ['ListPlayers', 'SaveWorld'],
  'ark-se': [],
  'seven-days-to-die': ['gettime', 'listplayers', 'nosuchcommand'],
  palworld: [],
};

/** Commands, people, keys, a server that does not answer, and the resulting events, so that pages look as if in use. */
export const enliven = async ({ call, info, newAdmin }: Panel): Promise<void> => {
  for (const { id, game } of info.servers) {
    for (const command of commands[game as GameId])
      await call(consoleHttp.run, { body: { serverIds: [id], command } });
  }
  await call(consoleHttp.saveCommand, {
    body: { name: 'Save the world', command: 'SaveWorld', game: 'ark-asa' },
  });
  await call(consoleHttp.saveCommand, { body: { name: 'Who is there', command: 'list', game: 'minecraft' } });

  const weekend = await call(clustersHttp.create, {
    body: { name: 'Weekend events', description: 'Up from Friday to Sunday.' },
  });
  await call(gameServersHttp.create, {
    body: {
      clusterId: weekend.id,
      name: 'Frost Arena',
      game: 'ark-se',
      host: '127.0.0.1',
      // No one listens there.
      port: await freePort(),
      password: 'a password',
    },
  });
  const crew = await call(rolesHttp.create, {
    body: { name: 'Event crew', permissions: ['servers.read', 'console.read', 'players.read'] },
  });
  await newAdmin({ name: 'Night shift', role: 'moderator' });
  await newAdmin({ name: 'Weekend crew', role: crew.id });
  const gone = await newAdmin({ name: 'Former helper', role: 'viewer' });
  const { rows } = await call(adminsHttp.list, {});
  const { id = '', version = 0 } = rows.find(({ name }) => name === gone.name) ?? {};
  await call(adminsHttp.change, { params: { id }, body: { version, disabled: true } });
  await call(apiKeysHttp.create, {
    body: { name: 'Status page', permissions: ['servers.read'], expiresInDays: 90 },
  });
  await eventually(async () => {
    const { rows: events } = await call(eventsHttp.list, { query: { limit: 50 } });
    if (events.length < wantedEvents) throw new Error(`only ${events.length} events so far`);
  }, livelyDeadlineMs);
};

const wantedEvents = 30;
const livelyDeadlineMs = 120_000;
