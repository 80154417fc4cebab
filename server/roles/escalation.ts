import type { Actor } from '../access/actor.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import { beyond, type Powers } from './powers.ts';

/** Nobody gives, takes or changes more than what is theirs. */
export const refuseBeyond = (actor: Actor, powers: Powers): Refusal | null => {
  const missing = beyond(actor, powers);
  return missing.length > 0
    ? refuse('FORBIDDEN', `You do not hold this yourself: ${missing.join(', ')}.`)
    : null;
};
