import { EventEmitter } from 'node:events';
import type { LiveTopicName } from '#contracts/kernel/live.ts';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { LiveTopic } from '../kernel/live/live-topic.ts';
import type { MaintenanceTask } from '../operations/maintenance.ts';
import type { Servers } from '../servers/servers.ts';
import { deleteOldBanPlaces } from './bans/ban-retention.ts';
import { bindBansRoutes } from './bans/bans.routes.ts';
import { type Bans, createBans } from './bans/bans.ts';
import { readMemberNames, readPlayersOf } from './members/member-names.ts';
import { bindMembersRoutes } from './members/members.routes.ts';
import { createMembers, type Members } from './members/members.ts';
import { replacePlayer } from './members/replace-player.ts';
import { createModerationActions, type ModerationActions } from './players/moderation-actions.ts';
import { createPlayerPolling, type PlayerPolling } from './players/player-polling.ts';
import { createPlayerReading } from './players/player-reading.ts';
import { bindPlayersRoutes } from './players/players.routes.ts';
import { createPlayersTopic } from './players/players-topic.ts';
import { createPresence, type Presence } from './players/presence.ts';
import type { SpokenLine } from './players/record-chat.ts';
import { bindTimelinesRoutes } from './timelines/timelines.routes.ts';
import { createTimelines } from './timelines/timelines.ts';

export interface PeopleContext extends Kernel {
  readonly servers: Servers;
  /** Between two questions to a game for its players. */
  readonly pollingIntervalMs?: number | undefined;
}

interface GameNews {
  /** Players are known to be on a server, as they were not before; their ids. */
  playersPresent: [readonly string[]];
  /** Something was said in a game. */
  spoken: [readonly SpokenLine[]];
}

/** Who is on the servers, what they may do there, and what is done to them. */
export interface People extends AsyncDisposable {
  readonly presence: Presence;
  readonly members: Members;
  readonly memberNames: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly playersOf: (memberId: string) => ReturnType<typeof readPlayersOf>;
  /** Why the last list of players could not be read; null when it could, or there was no answer. */
  readonly listComplaint: PlayerPolling['complaint'];
  readonly bans: Pick<Bans, 'inspect' | 'round'>;
  /** What Castellan says to one player. */
  readonly whisper: ModerationActions['whisper'];
  /** Puts a player on a whitelist, or removes one, without a person who asks. */
  readonly whitelist: ModerationActions['whitelist'];
  /** What players do in the games, for domains that are built on this one. */
  readonly news: EventEmitter<GameNews>;
  readonly topics: Readonly<Record<Extract<LiveTopicName, 'players'>, LiveTopic>>;
  readonly maintenance: readonly MaintenanceTask[];
  bind(routes: ApiRoutes): void;
  /** Called once the schema is in place, before agents are admitted. */
  prepare(): Promise<void>;
  /** Called once games are connected: they are asked who is there, and are sent bans. */
  begin(): void;
}

export const createPeople = (context: PeopleContext): People => {
  const { config, db, licenseHolds, servers, log } = context;
  const { directory, agents, observations, router } = servers;
  const owned = new AsyncDisposableStack();
  const news = new EventEmitter<GameNews>();

  const presence = owned.use(
    createPresence({
      db,
      servers: directory,
      replacePlayer,
      isAgentPresent: agents.isPresent,
      onPresent: (playerIds) => news.emit('playersPresent', playerIds),
      onChat: (lines) => news.emit('spoken', lines),
      log,
    }),
  );
  observations.on('players', presence.hear);
  observations.on('events', presence.observe);
  const polling = owned.use(
    createPlayerPolling({
      servers,
      licenseHolds,
      presence,
      log,
      intervalMs: context.pollingIntervalMs,
    }),
  );
  const bans = owned.use(
    createBans({ db, ways: router, servers: directory, sessions: presence.openSessions, licenseHolds, log }),
  );
  observations.on('lateResult', async (serverId, commandId, result) => {
    await bans.takeLate(serverId, commandId, result);
  });
  owned.defer(servers.onSweep(bans.wake));
  const members = createMembers({ db, forgetPlayers: presence.forgetPlayers });
  const moderation = createModerationActions({ db, directory, console: servers.console, presence, bans });

  return {
    presence,
    members,
    memberNames: (ids) => readMemberNames(db, ids),
    playersOf: (memberId) => readPlayersOf(db, memberId),
    listComplaint: polling.complaint,
    bans,
    whisper: moderation.whisper,
    whitelist: moderation.whitelist,
    news,
    topics: { players: createPlayersTopic(presence) },
    maintenance: [{ name: 'servers of ended bans', run: (signal) => deleteOldBanPlaces(db, signal) }],
    bind(routes) {
      bindBansRoutes(routes, bans);
      bindPlayersRoutes(routes, createPlayerReading(db, presence), moderation);
      bindMembersRoutes(routes, members);
      bindTimelinesRoutes(
        routes,
        createTimelines(db, {
          auditDays: config.auditLogRetentionDays,
          eventDays: config.eventLogRetentionDays,
        }),
      );
    },
    prepare: presence.prepare,
    begin() {
      polling.begin();
      bans.begin();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
