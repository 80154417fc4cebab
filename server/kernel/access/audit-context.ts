import type { Actor } from './actor.ts';

/** Who changes something, and from where, in the audit log's terms. */
export interface AuditContext {
  readonly actor: Actor;
  readonly address: string;
}
