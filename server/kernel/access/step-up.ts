import type { Request } from 'express';
import { isToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import { confirmationHeader, confirmationOf } from '#runtime/desktop-confirmation.ts';
import { Problem } from '#runtime/problem.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import type { Actor } from './actor.ts';

export const isPerson = ({ kind }: Actor): boolean => kind === 'admin' || kind === 'desktop';

/** For rules that only know from the change itself whether it needs one. */
export const refuseWithoutStepUp = (actor: Actor): Refusal | null => {
  if (!isPerson(actor)) return refuse('PERSON_REQUIRED');
  return actor.steppedUp ? null : refuse('STEP_UP_REQUIRED');
};

/** @throws {Problem} STEP_UP_REQUIRED */
export const demandStepUp = (actor: Actor): void => {
  if (!actor.steppedUp) throw new Problem('STEP_UP_REQUIRED');
};

/** Whether the holder of the credential adds the person's confirmation, which no page can do. */
export const isConfirmed = (request: Request, credentialDigest: Buffer): boolean =>
  isToken(request.get(confirmationHeader) ?? '', tokenDigest(confirmationOf(credentialDigest)));
