import * as z from 'zod';
import { agentRefusals } from './agent-connection.ts';
import { machineFacts, processReport, taskProgress, taskResult } from './agent-tasks.ts';
import { commandResult, gameId, longestCommand } from './games.ts';

/**
 * What a Game Agent and the API say to each other; agent/PROTOCOL.md explains it to those who write an agent of their own.
 * The same frames go over a WebSocket, one JSON text a message, and in the bodies of polling.
 */
export const agentProtocolVersion = 1;

export const agentSocketPath = '/api/game-agent/socket';

/** Bytes of one frame, and of one polling body. The longest reply with every character escaped fits. */
export const largestAgentFrame = 512 * 1024;

export const agentTiming = {
  /** Interface document §8. */
  websocketHeartbeatSeconds: 5,
  pollingHeartbeatSeconds: 60,
  /** Heartbeats without a message after which an agent counts as stale: 15 s and 180 s. */
  staleAfterHeartbeats: 3,
  /** A poll is answered at once when there is something to say, else after this long. */
  holdSeconds: 55,
  /** After the connection opens. */
  helloSeconds: 10,
  /** From when it is issued; a poll may be held in between. */
  nonceSeconds: 180,
} as const;

/** Of so many bytes, without padding. */
export const base64url = (bytes: number) =>
  z
    .string()
    .length(Math.ceil((bytes * 8) / 6))
    .regex(/^[A-Za-z0-9_-]+$/);
const version = z.literal(agentProtocolVersion);
/** Of a server: as the panel shows it. */
const serverId = z.string().min(1).max(64);
const commandId = z.string().min(1).max(64);
const taskId = z.string().min(1).max(64);
const playerName = z.string().max(200);
const platformId = z.string().max(100).nullable();
/** How long ago something happened when the frame was made: no clock needs to be right. */
const ageMs = z.number().nonnegative();

/** Over which text secret, key and API prove themselves; the parts are joined by line feeds. */
export const agentProofText = (nonce: string, server: string, agentKey: string): string =>
  ['castellan-agent-v1', nonce, server, agentKey].join('\n');
export const apiProofText = (clientNonce: string, server: string): string =>
  ['castellan-api-v1', clientNonce, server].join('\n');

const listedPlayer = z.object({
  name: playerName,
  platformId,
  /** What the game's commands call them. */
  handle: z.string().max(200),
});

/** Proves the agent, and says who it is. The first frame over a WebSocket, and part of every poll. */
export const helloFrame = z.object({
  v: version,
  type: z.literal('hello'),
  serverId,
  game: gameId,
  /** The nonce of the challenge, or of the last poll's answer. */
  nonce: z.string().max(200),
  /** The agent's own Ed25519 public key, raw; the first one that comes for a server is pinned. */
  agentKey: base64url(32),
  /** HMAC-SHA256 with the shared secret over `agentProofText`. */
  proof: base64url(32),
  /** Ed25519 with the agent's key over the same text. */
  signature: base64url(64),
  /** For the API to prove itself over. */
  clientNonce: base64url(32),
  agentVersion: z.string().max(100),
  /** Of the agent's clock: shown, never counted with. */
  clock: z.iso.datetime(),
  /**
   * Names the agent's process. Its events are numbered from 1, or, where it is `<numbering>/<process>`, go on with the numbers of
   * the process before that named the same numbering.
   */
  journal: z.string().min(1).max(64),
});
export type HelloFrame = z.infer<typeof helloFrame>;

/** What the numbers of events belong to. */
export const numberingOf = (journal: string): string => journal.split('/', 1)[0] ?? journal;

export const serverStates = ['online', 'starting', 'offline', 'unknown'] as const;
export type ServerState = (typeof serverStates)[number];

export const heartbeatFrame = z.object({
  v: version,
  type: z.literal('heartbeat'),
  /** Counts up within a connection. */
  number: z.int().nonnegative(),
  /** `online`: the game has answered within the last heartbeats; `unknown`: the agent cannot tell. */
  state: z.enum(serverStates),
  /** Why it is not online, for people. */
  detail: z.string().max(500).nullable(),
  /** Who is on the server; absent: unchanged since the last heartbeat that was acknowledged on this connection. */
  players: z.array(listedPlayer).max(1000).optional(),
});
export type HeartbeatFrame = z.infer<typeof heartbeatFrame>;

const gameEvent = z.object({
  /** Counts up within the journal. */
  number: z.int().positive(),
  kind: z.enum(['join', 'leave', 'chat']),
  player: z.object({ name: playerName, platformId }),
  /** What was said; null but for chat. */
  text: z.string().max(2000).nullable(),
  ageMs,
});
export type GameEvent = z.infer<typeof gameEvent>;

export const agentFrame = z.discriminatedUnion('type', [
  helloFrame,
  heartbeatFrame,
  /** Names the agent's memory of commands; the first frame after a welcome that has the capability of the same name. */
  z.object({ v: version, type: z.literal('command-journal'), journal: z.string().min(1).max(64) }),
  /** The commands are written down; they will be answered by a result each. */
  z.object({ v: version, type: z.literal('accepted'), commandIds: z.array(commandId).min(1).max(100) }),
  z.object({ v: version, type: z.literal('result'), commandId, result: z.object(commandResult.shape) }),
  z.object({ v: version, type: z.literal('events'), events: z.array(gameEvent).min(1).max(100) }),
  /** Of the game's console or log; sent only while watched. */
  z.object({
    v: version,
    type: z.literal('lines'),
    lines: z
      .array(z.object({ text: z.string().max(4000), ageMs }))
      .min(1)
      .max(200),
  }),
  /** Opens the lane of tasks on a connection, and comes again on change; only with the capability `tasks`, as all that follow. */
  z.object({
    v: version,
    type: z.literal('machine'),
    /** Names the agent's memory of tasks: the same for as long as nothing that was written down is lost. */
    taskJournal: z.string().min(1).max(64),
    machine: machineFacts,
  }),
  z.object({ v: version, type: z.literal('process'), process: processReport }),
  /** The tasks are written down; they will be answered by a result each. */
  z.object({ v: version, type: z.literal('tasks-accepted'), taskIds: z.array(taskId).min(1).max(100) }),
  z.object({ v: version, type: z.literal('task-progress'), taskId, progress: taskProgress }),
  z.object({ v: version, type: z.literal('task-result'), taskId, result: taskResult }),
]);
export type AgentFrame = z.infer<typeof agentFrame>;

const agentFrameTypes = new Set<string>(agentFrame.options.map(({ shape }) => shape.type.value));

/** Of an agent that is newer than this API, which ignores it. */
const unknownAgentFrame = z.object({
  v: version,
  type: z
    .string()
    .max(100)
    .refine((type) => !agentFrameTypes.has(type)),
});
export const isUnknownAgentFrame = (said: unknown): boolean => unknownAgentFrame.safeParse(said).success;

/**
 * What an API takes beyond each other one of this version; an agent sends it only to one that names it.
 * - `command-journal`: the frame of this name
 * - `result-evidence`: `connection` and `logLine` in results
 * - `tasks`: the lane of tasks, with `machine` and `process`
 */
export const agentCapabilities = ['command-journal', 'result-evidence', 'tasks'] as const;
export type AgentCapability = (typeof agentCapabilities)[number];

export const apiFrame = z.discriminatedUnion('type', [
  /** Over a WebSocket, the first frame. */
  z.object({ v: version, type: z.literal('challenge'), nonce: z.string() }),
  z.object({
    v: version,
    type: z.literal('welcome'),
    /** HMAC-SHA256 with the shared secret over `apiProofText`: an agent obeys nobody who cannot show it. */
    proof: z.string(),
    serverName: z.string(),
    heartbeatSeconds: z.number(),
    staleSeconds: z.number(),
    /** Of `agentCapabilities`, or of a later version; absent: none. */
    capabilities: z.array(z.string()).optional(),
  }),
  /** Before the connection is closed. */
  z.object({
    v: version,
    type: z.literal('refused'),
    code: z.enum(agentRefusals),
    detail: z.string(),
    /** Not sooner; null: as the agent sees fit. */
    retryAfterSeconds: z.number().nullable(),
  }),
  z.object({
    v: version,
    type: z.literal('ack'),
    /** The heartbeat that it answers; null when it only acknowledges events. */
    heartbeat: z.int().nullable(),
    /** Every event up to this number is written down; null: none yet. */
    events: z.int().nullable(),
  }),
  z.object({
    v: version,
    type: z.literal('command'),
    /** The same command has the same id whenever it is sent; it is carried out once. */
    id: commandId,
    command: z.string().max(longestCommand),
    /** For the game's answer. */
    timeoutMs: z.int().positive(),
    /** From when the frame was sent; not begun by then, it is not carried out any more. */
    expiresInMs: z.int().nonnegative(),
    /** The agent has said before that it is written down; one that does not know it must not carry it out. */
    accepted: z.boolean().optional(),
  }),
  /** The results of these are written down: the agent may forget them. */
  z.object({ v: version, type: z.literal('received'), commandIds: z.array(commandId).min(1) }),
  /** Lines are wanted for so long; 0: no longer. */
  z.object({ v: version, type: z.literal('watch'), seconds: z.number().nonnegative() }),
  z.object({
    v: version,
    type: z.literal('task'),
    /** The same task has the same id whenever it is sent; it is run once. */
    id: taskId,
    /** An `agentTask`, or one of a kind that only a later agent knows. */
    task: z.looseObject({ kind: z.string().max(50) }),
    /** From when the frame was sent; not begun by then, it is not run any more. */
    expiresInMs: z.int().nonnegative(),
    /** The agent has said before that it is written down; one that does not know it must not run it. */
    accepted: z.boolean().optional(),
  }),
  /** It is not wanted any more: what waits is not begun, what runs ends where it safely can. Its result still comes. */
  z.object({ v: version, type: z.literal('task-cancel'), id: taskId }),
  /** The results of these are written down: the agent may forget them. */
  z.object({ v: version, type: z.literal('tasks-received'), taskIds: z.array(taskId).min(1) }),
  /** A newer version of Castellan's own agent: the release in its signed form, in base64. Others ignore it. */
  z.object({ v: version, type: z.literal('release'), release: z.base64().max(90_000) }),
]);
export type ApiFrame = z.infer<typeof apiFrame>;

/** With which code a WebSocket is closed. */
export const agentCloseCodes = {
  goingAway: 1001,
  badFrame: 4400,
  /** A `refused` frame came before. */
  refused: 4401,
  licenseRejected: 4403,
  /** No valid hello in time, or silence for longer than the stale tolerance. */
  timedOut: 4408,
  superseded: 4409,
  tooMany: 4429,
  tooSlow: 4508,
} as const;

export const challengeRequest = z.strictObject({ v: version });
export const challengeAnswer = z.object({ v: version, nonce: z.string() });

export const pollRequest = z.object({
  v: version,
  hello: helloFrame,
  /** Each an `agentFrame`, or one that only a later API knows; they are read once the hello is proven. */
  frames: z.array(z.unknown()).max(200),
  /** Wait for something to say. At most one such poll is open for an agent; a newer one ends it. */
  hold: z.boolean(),
});
export type PollRequest = z.infer<typeof pollRequest>;

export const pollAnswer = z.object({
  v: version,
  /** For the next poll. */
  nonce: z.string(),
  /** A `welcome` comes first. */
  frames: z.array(apiFrame),
});
export type PollAnswer = z.infer<typeof pollAnswer>;
