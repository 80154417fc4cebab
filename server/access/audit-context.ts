import type { Actor } from './actor.ts';

/** Who changes something, and from where; as the audit log names it. */
export interface AuditContext {
  readonly actor: Actor;
  readonly address: string;
}
