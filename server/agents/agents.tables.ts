import type { ColumnType } from 'kysely';
import type { agentModes } from '#contracts/agent-connection.ts';
import type { EnrolmentAnswer } from '#contracts/agent-enrolment.ts';
import type { CommandResult } from '#contracts/games.ts';

/** A server whose agent is known; without a row the next agent that proves the secret is pinned. */
export interface GameAgentsTable {
  server_id: string;
  /** Ed25519 public key, raw, base64url. */
  agent_key: string;
  pinned_at: ColumnType<Date, Date | undefined, Date>;
  version: string;
  address: string;
  mode: (typeof agentModes)[number];
  /** To the minute. */
  last_seen_at: ColumnType<Date, Date | undefined, Date>;
  /** The numbering that `last_event` counts in. */
  journal: string;
  /** The number of the last event that is written; bigint, as text. */
  last_event: ColumnType<string, number | undefined, number>;
  /** The agent's memory of commands, by the name that the agent last gave it; null: it never did. */
  command_journal: ColumnType<string | null, string | null | undefined, string | null>;
  /** Another process of the agent connected, and has not said yet whether it remembers what was sent before. */
  commands_doubted: ColumnType<boolean, boolean | undefined, boolean>;
  /** The agent's own secret, sealed; null: it proves itself by the shared one. */
  secret: ColumnType<string | null, string | null | undefined, string | null>;
}

/** Codes for enrolling agents; at most one per server is open. */
export interface AgentEnrolmentsTable {
  id: string;
  server_id: string;
  /** Sealed. */
  code: string;
  /** Whose right it lives by; a desktop by the credential that it keeps. */
  created_by: string;
  created_at: Date;
  expires_at: Date;
  /** It was cancelled, a newer one was created, or its maker has a new password. */
  is_ended: ColumnType<boolean, boolean | undefined, boolean>;
  downloaded_at: Date | null;
  used_at: Date | null;
  /** SHA-256 of the request that used it; the same request gets the same response. */
  request_digest: string | null;
  answer: ColumnType<EnrolmentAnswer | null, string | null, string | null>;
}

/** Commands for agents: waiting until `done_at` is set. */
export interface AgentCommandsTable {
  id: string;
  server_id: string;
  /** Masked, if it carries a secret; while that is sealed, only the mask. */
  command: string;
  /** The whole command, while it is needed; null: `command` is all of it. */
  sealed: ColumnType<string | null, string | null | undefined, string | null>;
  timeout_ms: number;
  created_at: ColumnType<Date, never, never>;
  /** Orders commands that were written at the same time; bigint, as text. */
  number: ColumnType<string, never, never>;
  expires_at: Date;
  /** When it first went out. */
  sent_at: Date | null;
  /** When the agent said that it has written it down. */
  accepted_at: Date | null;
  done_at: Date | null;
  result: ColumnType<CommandResult | null, string | null, string | null>;
}
