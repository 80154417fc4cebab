import * as z from 'zod';
import { agentRefusals } from './agent-connection.ts';
import { machineFacts, processReport, taskProgress, taskResult } from './agent-tasks.ts';
import { commandResult, gameId, longestCommand } from './games.ts';

/**
 * The messages between a Game Agent and the API; agent/PROTOCOL.md explains them to authors of other agents. The same
 * frames are sent over a WebSocket, one JSON text per message, and in the bodies of polling requests.
 */
export const agentProtocolVersion = 1;

export const agentSocketPath = '/api/game-agent/socket';

/** Bytes per frame, and per polling body. The longest reply fits even if every character is escaped. */
export const largestAgentFrame = 512 * 1024;

export const agentTiming = {
  /** Interface document §8. */
  websocketHeartbeatSeconds: 5,
  pollingHeartbeatSeconds: 60,
  /** Number of heartbeats without a message after which an agent counts as stale: 15 s and 180 s. */
  staleAfterHeartbeats: 3,
  /** A poll is answered as soon as there is something to say, otherwise after this long. */
  holdSeconds: 55,
  /** Counted from when the connection opens. */
  helloSeconds: 10,
  /** Counted from when it is issued; a poll may be held in between. */
  nonceSeconds: 180,
} as const;

/** Exactly this many bytes, without padding. */
export const base64url = (bytes: number) =>
  z
    .string()
    .length(Math.ceil((bytes * 8) / 6))
    .regex(/^[A-Za-z0-9_-]+$/);
const version = z.literal(agentProtocolVersion);
/** The id of a server, as the panel shows it. */
const serverId = z.string().min(1).max(64);
const commandId = z.string().min(1).max(64);
const taskId = z.string().min(1).max(64);
const playerName = z.string().max(200);
const platformId = z.string().max(100).nullable();
/** How long ago something happened when the frame was made, so that no clock needs to be right. */
const ageMs = z.number().nonnegative();

/** The text over which secret, key and API prove themselves; the parts are joined by line feeds. */
export const agentProofText = (nonce: string, server: string, agentKey: string): string =>
  ['castellan-agent-v1', nonce, server, agentKey].join('\n');
export const apiProofText = (clientNonce: string, server: string): string =>
  ['castellan-api-v1', clientNonce, server].join('\n');

const listedPlayer = z.object({
  name: playerName,
  platformId,
  /** The id that the game's commands use. */
  handle: z.string().max(200),
});

/** Proves who the agent is. The first frame over a WebSocket, and part of every poll. */
export const helloFrame = z.object({
  v: version,
  type: z.literal('hello'),
  serverId,
  game: gameId,
  /** The nonce from the challenge, or from the last poll's answer. */
  nonce: z.string().max(200),
  /** The agent's Ed25519 public key, raw; the first one received for a server is pinned. */
  agentKey: base64url(32),
  /** HMAC-SHA256 with the shared secret over `agentProofText`. */
  proof: base64url(32),
  /** Ed25519 with the agent's key over the same text. */
  signature: base64url(64),
  /** For the API's own proof. */
  clientNonce: base64url(32),
  agentVersion: z.string().max(100),
  /** The agent's clock, for display only. */
  clock: z.iso.datetime(),
  /**
   * Identifies the agent's process. Its events are numbered from 1; in the form `<numbering>/<process>`, they continue
   * the numbers of the previous process with the same numbering.
   */
  journal: z.string().min(1).max(64),
});
export type HelloFrame = z.infer<typeof helloFrame>;

/** The part of a journal's name that its event numbers belong to. */
export const numberingOf = (journal: string): string => journal.split('/', 1)[0] ?? journal;

export const serverStates = ['online', 'starting', 'offline', 'unknown'] as const;
export type ServerState = (typeof serverStates)[number];

export const heartbeatFrame = z.object({
  v: version,
  type: z.literal('heartbeat'),
  /** Incremented within a connection. */
  number: z.int().nonnegative(),
  /** `online`: the game answered within the last heartbeats; `unknown`: the agent cannot tell. */
  state: z.enum(serverStates),
  /** Why it is not online, for people. */
  detail: z.string().max(500).nullable(),
  /** The players on the server; absent: unchanged since the last acknowledged heartbeat on this connection. */
  players: z.array(listedPlayer).max(1000).optional(),
});
export type HeartbeatFrame = z.infer<typeof heartbeatFrame>;

const gameEvent = z.object({
  /** Incremented within the journal. */
  number: z.int().positive(),
  kind: z.enum(['join', 'leave', 'chat']),
  player: z.object({ name: playerName, platformId }),
  /** The chat text; null for anything else. */
  text: z.string().max(2000).nullable(),
  ageMs,
});
export type GameEvent = z.infer<typeof gameEvent>;

export const agentFrame = z.discriminatedUnion('type', [
  helloFrame,
  heartbeatFrame,
  /** Identifies the agent's memory of commands; the first frame after a welcome that has the capability of the same name. */
  z.object({ v: version, type: z.literal('command-journal'), journal: z.string().min(1).max(64) }),
  /** The commands are written down; each will be answered with a result. */
  z.object({ v: version, type: z.literal('accepted'), commandIds: z.array(commandId).min(1).max(100) }),
  z.object({ v: version, type: z.literal('result'), commandId, result: z.object(commandResult.shape) }),
  z.object({ v: version, type: z.literal('events'), events: z.array(gameEvent).min(1).max(100) }),
  /** From the game's console or log; sent only while watched. */
  z.object({
    v: version,
    type: z.literal('lines'),
    lines: z
      .array(z.object({ text: z.string().max(4000), ageMs }))
      .min(1)
      .max(200),
  }),
  /** Opens the task lane on a connection, and is sent again on changes; like all that follow, only with the capability `tasks`. */
  z.object({
    v: version,
    type: z.literal('machine'),
    /** Identifies the agent's memory of tasks: unchanged as long as nothing written down is lost. */
    taskJournal: z.string().min(1).max(64),
    machine: machineFacts,
  }),
  z.object({ v: version, type: z.literal('process'), process: processReport }),
  /** The tasks are written down; each will be answered with a result. */
  z.object({ v: version, type: z.literal('tasks-accepted'), taskIds: z.array(taskId).min(1).max(100) }),
  z.object({ v: version, type: z.literal('task-progress'), taskId, progress: taskProgress }),
  z.object({ v: version, type: z.literal('task-result'), taskId, result: taskResult }),
  /** How the game's log is read for chat: after each `chat-forms`, and as lines go unread; only with the capability `chat-forms`. */
  z.object({
    v: version,
    type: z.literal('chat-reading'),
    /** With how many forms it reads now. */
    forms: z.int().nonnegative().max(1000),
    /** Lines that name a player who is online and match no form, since these forms are in use; the last one as an example. */
    unread: z.object({ count: z.int().nonnegative(), example: z.string().max(400).nullable() }),
  }),
]);
export type AgentFrame = z.infer<typeof agentFrame>;

const agentFrameTypes = new Set<string>(agentFrame.options.map(({ shape }) => shape.type.value));

/** A frame of an agent that is newer than this API, which ignores it. */
const unknownAgentFrame = z.object({
  v: version,
  type: z
    .string()
    .max(100)
    .refine((type) => !agentFrameTypes.has(type)),
});
export const isUnknownAgentFrame = (said: unknown): boolean => unknownAgentFrame.safeParse(said).success;

/**
 * What an API supports beyond the base of this version; an agent uses it only with an API that names it.
 * - `command-journal`: the frame of this name
 * - `result-evidence`: `connection` and `logLine` in results
 * - `tasks`: the lane of tasks, with `machine` and `process`
 * - `program-fault`: `program` in `process`
 * - `chat-forms`: the frame `chat-reading`
 */
export const agentCapabilities = [
  'command-journal',
  'result-evidence',
  'tasks',
  'program-fault',
  'chat-forms',
] as const;
export type AgentCapability = (typeof agentCapabilities)[number];

export const apiFrame = z.discriminatedUnion('type', [
  /** The first frame over a WebSocket. */
  z.object({ v: version, type: z.literal('challenge'), nonce: z.string() }),
  z.object({
    v: version,
    type: z.literal('welcome'),
    /** HMAC-SHA256 with the shared secret over `apiProofText`: an agent obeys no API without it. */
    proof: z.string(),
    serverName: z.string(),
    heartbeatSeconds: z.number(),
    staleSeconds: z.number(),
    /** Some of `agentCapabilities`, or of a later version; absent: none. */
    capabilities: z.array(z.string()).optional(),
  }),
  /** Sent before the connection is closed. */
  z.object({
    v: version,
    type: z.literal('refused'),
    code: z.enum(agentRefusals),
    detail: z.string(),
    /** The earliest time to retry; null: the agent decides. */
    retryAfterSeconds: z.number().nullable(),
  }),
  z.object({
    v: version,
    type: z.literal('ack'),
    /** The heartbeat that this answers; null if it only acknowledges events. */
    heartbeat: z.int().nullable(),
    /** Every event up to this number is written down; null: none yet. */
    events: z.int().nullable(),
  }),
  z.object({
    v: version,
    type: z.literal('command'),
    /** A command keeps its id whenever it is sent again; it is carried out once. */
    id: commandId,
    command: z.string().max(longestCommand),
    /** How long to wait for the game's answer. */
    timeoutMs: z.int().positive(),
    /** Counted from when the frame was sent; a command that has not begun by then is dropped. */
    expiresInMs: z.int().nonnegative(),
    /** The agent has already confirmed that it is written down; an agent that does not know it must not carry it out. */
    accepted: z.boolean().optional(),
  }),
  /** The results of these are stored: the agent may forget them. */
  z.object({ v: version, type: z.literal('received'), commandIds: z.array(commandId).min(1) }),
  /** How chat may look in the game's log, beside the game's own form; after each welcome, and on changes. */
  z.object({
    v: version,
    type: z.literal('chat-forms'),
    /** `[Member] {name}: {text}`; `{any}` is anything within a pair of brackets. */
    forms: z.array(z.string().max(200)).max(100),
  }),
  /** Lines are wanted for this long; 0: no longer. */
  z.object({ v: version, type: z.literal('watch'), seconds: z.number().nonnegative() }),
  z.object({
    v: version,
    type: z.literal('task'),
    /** A task keeps its id whenever it is sent again; it is run once. */
    id: taskId,
    /** An `agentTask`, or one of a kind that only a later agent knows. */
    task: z.looseObject({ kind: z.string().max(50) }),
    /** Counted from when the frame was sent; a task that has not begun by then is dropped. */
    expiresInMs: z.int().nonnegative(),
    /** The agent has already confirmed that it is written down; an agent that does not know it must not run it. */
    accepted: z.boolean().optional(),
  }),
  /** Cancels a task: a waiting one does not begin, a running one ends where it safely can. Its result still follows. */
  z.object({ v: version, type: z.literal('task-cancel'), id: taskId }),
  /** The results of these are stored: the agent may forget them. */
  z.object({ v: version, type: z.literal('tasks-received'), taskIds: z.array(taskId).min(1) }),
  /** A newer version of Castellan's own agent: the signed release, in base64. Other agents ignore it. */
  z.object({ v: version, type: z.literal('release'), release: z.base64().max(90_000) }),
]);
export type ApiFrame = z.infer<typeof apiFrame>;

/** The codes with which a WebSocket is closed. */
export const agentCloseCodes = {
  goingAway: 1001,
  badFrame: 4400,
  /** A `refused` frame was sent before. */
  refused: 4401,
  licenseRejected: 4403,
  /** No valid hello in time, or silence for longer than the stale limit. */
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
  /** Wait until there is something to say. At most one such poll is open per agent; a newer one ends it. */
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
