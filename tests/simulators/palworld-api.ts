import type { World } from './world.ts';

/** What the API answers to one request. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: string;
}

export interface ApiRequest {
  readonly method: string;
  /** The last part of the path. */
  readonly name: string;
  /** Undefined: it is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

export interface ApiOptions {
  readonly world: World;
  /** What the API says where it has nothing to say. */
  readonly accepted: '' | 'OK';
  /** Names of players without a character, whom the list shows without an id of their own. */
  readonly loading: readonly { readonly name: string; readonly playerId: string; readonly userId: string }[];
}

const asJson = (value: unknown): ApiAnswer => ({ status: 200, body: JSON.stringify(value) });
const refused: ApiAnswer = { status: 400, body: '' };

const playerId = (number: number): string =>
  `${number.toString(16).toUpperCase().padStart(8, '0')}${'0'.repeat(24)}`;

const listPlayers = ({ world, loading }: ApiOptions): ApiAnswer => {
  const where = { ip: '127.0.0.1', ping: 59.4186, location_x: -3113.724609375, location_y: 122099.359375 };
  return asJson({
    players: [
      ...world.players.map(({ name, platformId, numericId }) => ({
        name,
        accountName: `${name} at home`,
        playerId: playerId(numericId),
        userId: platformId,
        ...where,
        level: 7,
        building_count: 3,
      })),
      ...loading.map((player) => ({ ...player, accountName: player.name, ...where, level: 0 })),
    ],
  });
};

type Endpoint = (options: ApiOptions, body: Readonly<Record<string, unknown>>) => ApiAnswer;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const removed: (keepsOut: boolean) => Endpoint = (keepsOut) => (options, body) => {
  const { world, accepted } = options;
  const userid = text(body.userid);
  const player = world.players.find(({ platformId }) => platformId === userid);
  if (!/^[a-z0-9]+_\w+$/.test(userid) || (!player && !keepsOut)) return refused;
  if (player) world.leave(player.name, text(body.message));
  if (keepsOut) world.bans.set(userid, text(body.message));
  return { status: 200, body: accepted };
};

const acts: Readonly<Record<string, Endpoint>> = {
  announce({ world, accepted }, body) {
    if (text(body.message) === '') return refused;
    world.messages.push({ to: null, text: text(body.message) });
    return { status: 200, body: accepted };
  },
  kick: removed(false),
  ban: removed(true),
  unban: ({ world, accepted }, body) =>
    world.bans.delete(text(body.userid)) ? { status: 200, body: accepted } : refused,
  save({ world, accepted }) {
    world.saves += 1;
    return { status: 200, body: accepted };
  },
  shutdown({ world, accepted }, body) {
    if (typeof body.waittime !== 'number') return refused;
    if (text(body.message) !== '') world.messages.push({ to: null, text: text(body.message) });
    setTimeout(() => world.onShutdown(), body.waittime * 1000).unref();
    return { status: 200, body: accepted };
  },
  stop({ world, accepted }) {
    setImmediate(() => world.onShutdown());
    return { status: 200, body: accepted };
  },
};

const questions: Readonly<Record<string, (options: ApiOptions) => ApiAnswer>> = {
  info: () =>
    asJson({
      version: 'v0.6.5.0',
      servername: 'Default Palworld Server',
      description: '',
      worldguid: 'A7E97BE48D8C4E0F8F3E7C5D5A8B7C1D',
    }),
  players: listPlayers,
  settings: () =>
    asJson({ Difficulty: 'None', DayTimeSpeedRate: 1, RESTAPIEnabled: true, RESTAPIPort: 8212 }),
  metrics: ({ world }) =>
    asJson({
      serverfps: 57,
      currentplayernum: world.players.length,
      serverframetime: 16.7671,
      maxplayernum: 32,
      uptime: 3600,
      days: 12,
    }),
};

/** https://docs.palworldgame.com/api/rest-api/palwold-rest-api. Null: there is no such endpoint. */
export const answerApi = (options: ApiOptions, { method, name, body }: ApiRequest): ApiAnswer | null => {
  if (method === 'GET') return questions[name]?.(options) ?? null;
  const act = method === 'POST' ? acts[name] : undefined;
  if (!act) return null;
  return body ? act(options, body) : refused;
};
