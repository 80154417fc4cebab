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
  /** Window in which `maxConcurrency` IDENTIFYs are accepted. */
  identifyWindowMs: number;
  /** How long a session can be resumed after its connection was lost. */
  sessionLifeMs: number;
  /** Window in which a guild's whole member list is sent once. */
  memberRequestWindowMs: number;
  /** "The past few minutes" in the documentation of enforce_nonce. */
  nonceWindowMs: number;
  /** Deadline for the first answer to an interaction. */
  interactionDeadlineMs: number;
  /** Lifetime of an interaction's token. */
  interactionLifeMs: number;
}

export interface RequestRecord {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly bucket: string | null;
  /** 0 if the connection was dropped. */
  readonly status: number;
  /** For the audit log of the guild. https://docs.discord.com/developers/resources/audit-log */
  readonly reason: string | null;
}

/** Shared by the REST API, the gateway and the people of the guild. */
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
  /** Sends an event to the sessions whose intents and shard include it. */
  readonly dispatch: (event: string, data: object, guild: Guild, tailor?: Tailor) => void;
  /** Emits 'change' after each change of the state. */
  readonly changes: EventEmitter;
}

/** Adapts an event to a session; null withholds it. */
export type Tailor = (data: object, session: { readonly intents: number }) => object | null;
