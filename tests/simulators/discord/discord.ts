import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveCdn } from './cdn.ts';
import type { Context, RequestRecord, Settings } from './context.ts';
import { type Faults, noFaults } from './faults.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { sendGuild } from './gateway-session.ts';
import { createPeople, type People } from './people.ts';
import { bitsOf, type Permission } from './permissions.ts';
import { usualBuckets } from './rate-limits.ts';
import { createRest } from './rest.ts';
import { makeRole, makeUser } from './shapes.ts';
import { createSnowflakes } from './snowflake.ts';
import type { Guild, State } from './state.ts';

/** A typical bot: the token's first part contains its application's id. */
export const usualBot = {
  token: 'MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789AB',
  applicationId: '123456789012345678',
  name: 'Castellan Bot',
} as const;

/** Presences off, members and message content on, as for a bot on a few guilds. */
export const bothIntents = (1 << 15) | (1 << 19);

/** The permissions of the bot's own role, unless a test says otherwise. */
const usualPermissions: readonly Permission[] = [
  'viewChannel',
  'sendMessages',
  'embedLinks',
  'attachFiles',
  'readMessageHistory',
  'manageRoles',
  'manageWebhooks',
  'useApplicationCommands',
];
const everyonesPermissions: readonly Permission[] = [
  'connect',
  'addReactions',
  'viewChannel',
  'sendMessages',
  'embedLinks',
  'attachFiles',
  'readMessageHistory',
  'useApplicationCommands',
];

export interface DiscordOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  readonly settings?: Partial<Settings>;
  readonly now?: () => number;
}

export interface GuildOptions {
  readonly id?: string;
  readonly locale?: string;
  /** Names of text channels. */
  readonly channels?: readonly string[];
  readonly botPermissions?: readonly Permission[];
}

/** A simulated Discord: REST, gateway and CDN of API v10, and the people of its guilds. */
export interface Discord extends AsyncDisposable {
  readonly url: string;
  /** For `rest.api`. */
  readonly apiUrl: string;
  /** For `rest.cdn`. */
  readonly cdnUrl: string;
  /** Everything that a client has to know; REST tells it the gateway. */
  readonly urls: { readonly api: string; readonly gateway: undefined; readonly cdn: string };
  /** May be changed at any time. */
  readonly settings: Settings;
  readonly faults: Faults;
  readonly state: State;
  readonly gateway: Gateway;
  readonly requests: readonly RequestRecord[];
  /** Emits 'change' after each change of the state. */
  readonly changes: EventEmitter;
  /** 401, 403 and 429 answers of the last ten minutes. */
  readonly invalidRequests: number;
  /** Adds a guild with the bot on it. */
  addGuild(name: string, options?: GuildOptions): People;
  setGuildAvailable(guild: Guild, isAvailable: boolean): void;
  /** Serves a page at all paths outside of API and CDN. */
  showPage(page: RequestListener): void;
}

export const usualSettings = (): Settings => ({
  rateLimits: { buckets: usualBuckets, globalPerSecond: 50, invalidRequests: 10_000 },
  heartbeatIntervalMs: 41_250,
  gatewayEventsPerMinute: 120,
  sessionStarts: { total: 1000, remaining: 1000, maxConcurrency: 1 },
  identifyWindowMs: 5000,
  sessionLifeMs: 120_000,
  memberRequestWindowMs: 30_000,
  nonceWindowMs: 5 * 60_000,
  interactionDeadlineMs: 3000,
  interactionLifeMs: 15 * 60_000,
});

export const startDiscord = async ({
  port = 0,
  settings = {},
  now = Date.now,
}: DiscordOptions = {}): Promise<Discord> => {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { applicationId, name, token } = usualBot;
  const user = makeUser(applicationId, name, true);
  const state: State = {
    application: { id: applicationId, name, flags: bothIntents, tokens: new Set([token]), user },
    guilds: new Map(),
    users: new Map([[applicationId, user]]),
    webhooks: new Map(),
    commands: new Map(),
    interactions: new Map(),
    files: new Map(),
    avatars: new Map(),
    nonces: new Map(),
    posted: [],
  };
  const requests: RequestRecord[] = [];
  const changes = new EventEmitter();
  changes.setMaxListeners(0);
  const context: Context = {
    settings: { ...usualSettings(), ...settings },
    state,
    faults: noFaults(),
    requests,
    now,
    nextId: createSnowflakes(now),
    origin,
    changes,
    dispatch: (event, data, guild, tailor) => gateway.dispatch(event, data, guild, tailor),
  };
  const gateway = openGateway(server, context);
  const rest = createRest(context);
  const announceGuild = (guild: Guild) => {
    for (const session of gateway.sessions.values()) sendGuild(session, guild, applicationId);
  };

  let page: RequestListener | null = null;
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    if (pathname.startsWith('/cdn/')) serveCdn(state, pathname, response);
    else if (pathname.startsWith('/api/') || !page) rest.serve(request, response);
    else page(request, response);
  });

  return {
    url: origin,
    apiUrl: `${origin}/api`,
    cdnUrl: `${origin}/cdn`,
    urls: { api: `${origin}/api`, gateway: undefined, cdn: `${origin}/cdn` },
    settings: context.settings,
    faults: context.faults,
    state,
    gateway,
    requests,
    changes,
    get invalidRequests() {
      return rest.limits.invalidRequests;
    },
    addGuild(guildName, { id = context.nextId(), locale = 'en-US', channels = [], botPermissions } = {}) {
      const owner = makeUser(context.nextId(), 'Owner');
      const joinedAt = new Date(now()).toISOString();
      const everyone = String(bitsOf(...everyonesPermissions));
      const botRole = makeRole({
        id: context.nextId(),
        name,
        position: 10,
        managed: true,
        permissions: String(bitsOf(...(botPermissions ?? usualPermissions))),
        tags: { bot_id: applicationId },
      });
      const guild: Guild = {
        id,
        name: guildName,
        locale,
        ownerId: owner.id,
        roles: new Map([
          [id, makeRole({ id, name: '@everyone', position: 0, permissions: everyone })],
          [botRole.id, botRole],
        ]),
        members: new Map([
          [owner.id, { user: owner, nick: null, roles: [], joinedAt }],
          [applicationId, { user, nick: null, roles: [botRole.id], joinedAt }],
        ]),
        channels: new Map(),
        isAvailable: false,
      };
      state.users.set(owner.id, owner);
      const people = createPeople(context, guild);
      for (const channel of channels) people.createChannel(channel);
      state.guilds.set(id, guild);
      guild.isAvailable = true;
      announceGuild(guild);
      return people;
    },
    setGuildAvailable(guild, isAvailable) {
      if (!isAvailable) context.dispatch('GUILD_DELETE', { id: guild.id, unavailable: true }, guild);
      guild.isAvailable = isAvailable;
      if (isAvailable) announceGuild(guild);
    },
    showPage(shown) {
      page = shown;
    },
    async [Symbol.asyncDispose]() {
      gateway.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
