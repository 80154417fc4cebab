import type { EventEmitter } from 'node:events';
import type { Faults } from './faults.ts';
import type { RateLimitSettings } from './rate-limits.ts';
import type { Guild, State } from './state.ts';

export interface Settings {
  rateLimits: RateLimitSettings;
  heartbeatIntervalMs: number;
  /** Gateway events that a connection may send in a minute. */
  gatewayEventsPerMinute: number;
  sessionStarts: { total: number; remaining: number; maxConcurrency: number };
  /** In which `maxConcurrency` IDENTIFYs are accepted. */
  identifyWindowMs: number;
  /** How long a session may be resumed after its connection was lost. */
  sessionLifeMs: number;
  /** In which a guild's whole member list is told once. */
  memberRequestWindowMs: number;
  /** "The past few minutes" of enforce_nonce. */
  nonceWindowMs: number;
  /** For the first answer to an interaction. */
  interactionDeadlineMs: number;
  /** Of an interaction's token. */
  interactionLifeMs: number;
}

export interface RequestRecord {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly bucket: string | null;
  /** 0 when the connection was dropped. */
  readonly status: number;
  /** For the audit log of the guild. https://docs.discord.com/developers/resources/audit-log */
  readonly reason: string | null;
}

/** What the REST API, the gateway and the people of the guild share. */
export interface Context {
  readonly settings: Settings;
  readonly state: State;
  readonly faults: Faults;
  /** Every request to the REST API. */
  readonly requests: RequestRecord[];
  readonly now: () => number;
  readonly nextId: () => string;
  /** http://host:port */
  readonly origin: string;
  /** Sends an event to the sessions that its intents and its guild's shard let have it. */
  readonly dispatch: (event: string, data: object, guild: Guild, tailor?: Tailor) => void;
  /** Emits 'change' after each change of the state, for those who watch it. */
  readonly changes: EventEmitter;
}

/** Makes an event fit for a session, or keeps it from it by null. */
export type Tailor = (data: object, session: { readonly intents: number }) => object | null;
